//! JSON that others wrote: a value of an unexpected type is passed over and does not spoil its
//! neighbours, and text that was cut off still gives what came before the cut.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Something that is filled field by field from a JSON object.
pub(super) trait Object<'de>: Sized {
    /// Takes the value of the field that `map` has just named, or skips it.
    fn take<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error>;

    /// Filled as far as the JSON goes: an error says that it was cut off or is no JSON, and what
    /// stood before that is true all the same.
    fn read(mut self, json: &'de str) -> Self {
        let _ = serde_json::Deserializer::from_str(json).deserialize_map(Into(&mut self));
        self
    }

    /// Takes every field of an object.
    fn take_all<A: MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Loose(name)) = map.next_key::<Loose<Option<Cow<'de, str>>>>()? {
            self.take(name.as_deref().unwrap_or_default(), &mut map)?;
        }
        Ok(())
    }
}

/// What becomes of a value of each JSON type; by default nothing.
pub(super) trait Lenient<'de>: Default {
    fn text(_text: &str) -> Self {
        Self::default()
    }

    /// Text without escapes, which can be borrowed.
    fn borrowed(text: &'de str) -> Self {
        Self::text(text)
    }

    fn integer(_integer: i64) -> Self {
        Self::default()
    }

    fn list(_has_elements: bool) -> Self {
        Self::default()
    }

    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

impl<'de> Lenient<'de> for Option<Cow<'de, str>> {
    fn text(text: &str) -> Self {
        (!text.is_empty()).then(|| Cow::Owned(text.to_owned()))
    }

    fn borrowed(text: &'de str) -> Self {
        (!text.is_empty()).then_some(Cow::Borrowed(text))
    }

    fn integer(integer: i64) -> Self {
        Some(Cow::Owned(integer.to_string()))
    }
}

/// A number, which MQTT turns into a string on its way.
impl Lenient<'_> for Option<i64> {
    fn text(text: &str) -> Self {
        text.parse().ok()
    }

    fn integer(integer: i64) -> Self {
        Some(integer)
    }
}

/// Is there anything? True for text, numbers and lists that are not empty.
impl Lenient<'_> for bool {
    fn text(text: &str) -> Self {
        !text.is_empty()
    }

    fn integer(_integer: i64) -> Self {
        true
    }

    fn list(has_elements: bool) -> Self {
        has_elements
    }
}

/// The value of the field that `map` has just named.
pub(super) fn value<'de, T: Lenient<'de>, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    map.next_value::<Loose<T>>().map(|loose| loose.0)
}

/// Passes over the value of the field that `map` has just named.
pub(super) fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

struct Into<'o, T>(&'o mut T);

impl<'de, T: Object<'de>> Visitor<'de> for Into<'_, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.take_all(map)
    }
}

struct Loose<T>(T);

impl<'de, T: Lenient<'de>> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any(PhantomData)).map(Loose)
    }
}

struct Any<T>(PhantomData<T>);

impl<'de, T: Lenient<'de>> Visitor<'de> for Any<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_bool<E>(self, _value: bool) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_i64<E>(self, value: i64) -> Result<T, E> {
        Ok(T::integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<T, E> {
        Ok(i64::try_from(value).map(T::integer).unwrap_or_default())
    }

    fn visit_f64<E>(self, _value: f64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_str<E>(self, value: &str) -> Result<T, E> {
        Ok(T::text(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<T, E> {
        Ok(T::borrowed(value))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let has_elements = seq.next_element::<IgnoredAny>()?.is_some();
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(T::list(has_elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::object(map)
    }
}
