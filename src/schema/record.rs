//! The one declaration a table needs. From it come the Rust struct, the Parquet schema, the DuckDB table and
//! the page in `docs/schema.md`.

use super::Time;
use std::borrow::Cow;

/// Text that is borrowed from the input where it can be.
pub type Text<'a> = Cow<'a, str>;

/// JSON as its source wrote it, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json<'a>(pub Text<'a>);

/// Bytes that are not valid UTF-8 and would be lost as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes<'a>(pub Cow<'a, [u8]>);

/// One table of a bundle.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub doc: &'static str,
    pub columns: &'static [Column],
}

impl Table {
    /// Declares a table that came with a bundle. The program that reads such a bundle needs it to its end, and there are
    /// only as many as the format allows.
    pub fn declare(name: &str, columns: Vec<Column>) -> &'static Self {
        Box::leak(Box::new(Self { name: kept(name), doc: "", columns: columns.leak() }))
    }
}

/// A name for as long as the program runs.
pub fn kept(name: &str) -> &'static str {
    name.to_owned().leak()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    pub nullable: bool,
    pub class: Class,
    pub key: Key,
    pub doc: &'static str,
}

/// What may stand in a column, and so what is looked at before its values go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Numbers, times, truth values.
    NotText,
    /// A word of dacapo's own: nothing of the evidence.
    Plain,
    /// A name or an id that traces need.
    Identifier(Names),
    /// Text that somebody wrote, with anything in it.
    FreeText,
    /// JSON with objects in it, Secrets among them.
    Manifest,
    /// A secret as a whole.
    Secret,
}

/// What an identifier names, and so what may stand for it where names must not go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Names {
    Consumer,
    Work,
    /// A client of Maestro.
    Source,
    Cluster,
    Namespace,
    /// A pod, or the server instance that is called after one.
    Pod,
    /// Any other object of a cluster.
    Object,
    Id,
    /// AppliedManifestWorks, each a hub hash and the id or name of a work.
    AppliedWorks,
    /// Words of `ManifestPath`.
    Manifests,
    /// Labels, each as `key=value`.
    Labels,
    /// A path, of which each part is a name.
    File,
    /// Something that has names in it and is none.
    Other,
    /// A word that every installation has, as far as can be told: a kind, a verb, a number. Nothing is learnt from it.
    Word,
}

impl Class {
    /// The class of a column, which every text must have and nothing else can: what is declared otherwise does not
    /// compile.
    pub const fn of(self, kind: Kind) -> Self {
        let is_text = matches!(kind, Kind::Text | Kind::Json | Kind::Bytes);
        assert!(is_text != matches!(self, Self::NotText), "a column of text has a class, and no other column has one");
        self
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Json,
    Int,
    Bool,
    Time,
    Bytes,
}

/// Whether the bundle's index leads from a column's value to its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    No,
    /// The whole value is one key.
    Whole,
    /// The value is several keys with spaces between them.
    Words,
    /// The whole value is one key, in rows that have no other.
    Alone,
    /// The value is several manifests, each found by its name and its namespace (`manifest_keys`).
    Manifests,
    /// The value is several labels, each found by its value (`label_keys`).
    Labels,
}

/// One value on its way into or out of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Null,
    Text(&'a str),
    Int(i64),
    Bool(bool),
    Time(Time),
    Bytes(&'a [u8]),
}

/// Values that stand in for a row's own, each with the place of its column; none where the row's own goes and nothing
/// comes.
#[derive(Debug, Default)]
pub struct Changes(Vec<(usize, Option<String>)>);

impl Changes {
    pub fn set(&mut self, column: usize, value: Option<String>) {
        match self.0.iter_mut().find(|(changed, _)| *changed == column) {
            Some((_, before)) => *before = value,
            None => self.0.push((column, value)),
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a row has in a column: the value that stands in, or its own.
    pub fn cell<'c>(&'c self, column: usize, own: Cell<'c>) -> Cell<'c> {
        match self.0.iter().find(|(changed, _)| *changed == column) {
            Some((_, Some(text))) => Cell::Text(text),
            Some((_, None)) => Cell::Null,
            None => own,
        }
    }
}

/// A row of a declared table.
pub trait Record<'a>: Sized {
    const TABLE: Table;

    /// Hands over each value, in the order of the columns.
    fn cells(&self, each: impl FnMut(usize, Cell<'_>));

    /// Builds a row from its values; `None` where a value has the wrong type.
    fn from_cells(cell: impl FnMut(usize) -> Cell<'a>) -> Option<Self>;
}

/// A row of any table: of a declared one, or of one that came with a bundle.
pub trait Row {
    fn table(&self) -> &'static Table;

    /// Hands over each value, in the order of the columns.
    fn cells(&self, each: impl FnMut(usize, Cell<'_>));
}

impl<'a, R: Record<'a>> Row for R {
    fn table(&self) -> &'static Table {
        const { &R::TABLE }
    }

    fn cells(&self, each: impl FnMut(usize, Cell<'_>)) {
        Record::cells(self, each);
    }
}

/// A record without its lifetime, to name a table's row type in a generic place.
pub trait Family {
    type Of<'a>: Record<'a>;
}

/// A Rust type that can stand in a column.
pub trait Value<'a>: Sized {
    const KIND: Kind;
    const NULLABLE: bool = false;
    fn cell(&self) -> Cell<'_>;
    fn from_cell(cell: Cell<'a>) -> Option<Self>;
}

impl<'a> Value<'a> for Text<'a> {
    const KIND: Kind = Kind::Text;
    fn cell(&self) -> Cell<'_> {
        Cell::Text(self)
    }
    fn from_cell(cell: Cell<'a>) -> Option<Self> {
        if let Cell::Text(text) = cell { Some(Cow::Borrowed(text)) } else { None }
    }
}

impl<'a> Value<'a> for Json<'a> {
    const KIND: Kind = Kind::Json;
    fn cell(&self) -> Cell<'_> {
        self.0.cell()
    }
    fn from_cell(cell: Cell<'a>) -> Option<Self> {
        Text::from_cell(cell).map(Json)
    }
}

impl<'a> Value<'a> for Bytes<'a> {
    const KIND: Kind = Kind::Bytes;
    fn cell(&self) -> Cell<'_> {
        Cell::Bytes(&self.0)
    }
    fn from_cell(cell: Cell<'a>) -> Option<Self> {
        if let Cell::Bytes(bytes) = cell { Some(Bytes(Cow::Borrowed(bytes))) } else { None }
    }
}

macro_rules! plain_value {
    ($type:ty, $kind:ident) => {
        impl<'a> Value<'a> for $type {
            const KIND: Kind = Kind::$kind;
            fn cell(&self) -> Cell<'_> {
                Cell::$kind(*self)
            }
            fn from_cell(cell: Cell<'a>) -> Option<Self> {
                if let Cell::$kind(value) = cell { Some(value) } else { None }
            }
        }
    };
}
plain_value!(i64, Int);
plain_value!(bool, Bool);
plain_value!(Time, Time);

impl<'a, T: Value<'a>> Value<'a> for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;
    fn cell(&self) -> Cell<'_> {
        self.as_ref().map_or(Cell::Null, T::cell)
    }
    fn from_cell(cell: Cell<'a>) -> Option<Self> {
        if cell == Cell::Null { Some(None) } else { T::from_cell(cell).map(Some) }
    }
}

/// Declares a table: `record! { /// doc … Name in "table" { /// doc … #[identifier(id)] #[key] column: Type, … } }`.
///
/// A column of text has a class (see [`Class`]): `#[plain]`, `#[identifier(work)]` and so on (see [`Names`]), `#[free_text]`, `#[manifest]` or
/// `#[secret]`. One that is also marked
/// `#[key]`, `#[words]`, `#[alone]`, `#[manifests]` or `#[labels]` is in the bundle's index (see [`Key`]). `column as "name"` gives the
/// column a name that Rust keeps for itself.
macro_rules! record {
    (
        $(#[doc = $doc:literal])+
        $name:ident in $table:literal {
            $( $(#[doc = $about:literal])+ $(#[$mark:ident $(($names:ident))?])* $field:ident $(as $column:literal)? : $type:ty ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name<'a> {
            $( $(#[doc = $about])+ pub $field: $type, )+
        }

        impl<'a> $crate::schema::Record<'a> for $name<'a> {
            const TABLE: $crate::schema::Table = $crate::schema::Table {
                name: $table,
                doc: concat!($($doc, "\n"),+),
                columns: &[$(
                    $crate::schema::Column {
                        name: record!(@name $field $($column)?),
                        kind: <$type as $crate::schema::Value<'a>>::KIND,
                        nullable: <$type as $crate::schema::Value<'a>>::NULLABLE,
                        class: record!(@class $($mark $($names)?)*).of(<$type as $crate::schema::Value<'a>>::KIND),
                        key: record!(@key $($mark $($names)?)*),
                        doc: concat!($($about, "\n"),+),
                    },
                )+],
            };

            fn cells(&self, mut each: impl FnMut(usize, $crate::schema::Cell<'_>)) {
                let mut index = 0..;
                $( each(index.next().unwrap_or_default(), $crate::schema::Value::cell(&self.$field)); )+
            }

            fn from_cells(mut cell: impl FnMut(usize) -> $crate::schema::Cell<'a>) -> Option<Self> {
                let mut index = 0..;
                Some(Self {
                    $( $field: $crate::schema::Value::from_cell(cell(index.next().unwrap_or_default()))?, )+
                })
            }
        }

        impl $crate::schema::Family for $name<'static> {
            type Of<'a> = $name<'a>;
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:literal) => { $column };
    (@class) => { $crate::schema::Class::NotText };
    (@class plain $($key:ident)?) => { $crate::schema::Class::Plain };
    (@class free_text $($key:ident)?) => { $crate::schema::Class::FreeText };
    (@class manifest $($key:ident)?) => { $crate::schema::Class::Manifest };
    (@class secret $($key:ident)?) => { $crate::schema::Class::Secret };
    (@class identifier $names:ident $($key:ident)?) => { $crate::schema::Class::Identifier(record!(@names $names)) };
    (@names id) => { $crate::schema::Names::Id };
    (@names applied_works) => { $crate::schema::Names::AppliedWorks };
    (@names work) => { $crate::schema::Names::Work };
    (@names consumer) => { $crate::schema::Names::Consumer };
    (@names source) => { $crate::schema::Names::Source };
    (@names cluster) => { $crate::schema::Names::Cluster };
    (@names namespace) => { $crate::schema::Names::Namespace };
    (@names pod) => { $crate::schema::Names::Pod };
    (@names object) => { $crate::schema::Names::Object };
    (@names manifests) => { $crate::schema::Names::Manifests };
    (@names labels) => { $crate::schema::Names::Labels };
    (@names file) => { $crate::schema::Names::File };
    (@names other) => { $crate::schema::Names::Other };
    (@names word) => { $crate::schema::Names::Word };
    (@key identifier $names:ident $($key:ident)?) => { record!(@key plain $($key)?) };
    (@key $($class:ident)?) => { $crate::schema::Key::No };
    (@key $class:ident key) => { $crate::schema::Key::Whole };
    (@key $class:ident alone) => { $crate::schema::Key::Alone };
    (@key $class:ident words) => { $crate::schema::Key::Words };
    (@key $class:ident manifests) => { $crate::schema::Key::Manifests };
    (@key $class:ident labels) => { $crate::schema::Key::Labels };
}
pub(super) use record;
