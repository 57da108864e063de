//! Rows with types: the columns a statement must answer with, declared once.

use crate::schema::Time;
use crate::store::Datum;

pub trait Row: Sized {
    const COLUMNS: &'static [&'static str];
    /// `None` where a value is not of the type it should be.
    fn from_row(row: Vec<Datum>) -> Option<Self>;
}

/// A type that can stand in a row.
pub trait Field: Sized {
    fn from_datum(datum: Datum) -> Option<Self>;
}

impl Field for String {
    fn from_datum(datum: Datum) -> Option<Self> {
        if let Datum::Text(text) = datum { Some(text) } else { None }
    }
}

impl Field for i64 {
    fn from_datum(datum: Datum) -> Option<Self> {
        if let Datum::Int(value) = datum { Some(value) } else { None }
    }
}

impl Field for bool {
    fn from_datum(datum: Datum) -> Option<Self> {
        if let Datum::Bool(value) = datum { Some(value) } else { None }
    }
}

impl Field for Time {
    fn from_datum(datum: Datum) -> Option<Self> {
        if let Datum::Time(at) = datum { Some(at) } else { None }
    }
}

impl<T: Field> Field for Option<T> {
    fn from_datum(datum: Datum) -> Option<Self> {
        if datum == Datum::Null { Some(None) } else { T::from_datum(datum).map(Some) }
    }
}

/// Declares a row type.
macro_rules! row {
    ($(#[$meta:meta])* $name:ident { $( $(#[$about:meta])* $field:ident : $type:ty ),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[$about])* pub $field: $type, )+
        }

        impl $crate::query::Row for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),+];

            fn from_row(row: Vec<$crate::store::Datum>) -> Option<Self> {
                let mut values = row.into_iter();
                Some(Self { $( $field: $crate::query::row::Field::from_datum(values.next()?)?, )+ })
            }
        }
    };
}
pub(super) use row;
