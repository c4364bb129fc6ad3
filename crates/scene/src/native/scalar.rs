//! The small values of the wire types: numbers, ids, lists and the choice of exactly one key.
//!
//! They serve both encodings. In text they are forgiving where that cannot change a meaning (an id
//! may be written as an integer, a list of one table as the table alone) and strict where it can
//! (numbers must be finite and fit an `f32`). In binary they are as plain as can be.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::limits;

/// A finite `f32`. In text an integer will do, and what does not fit is refused; in binary the bits
/// are taken as they are, and [`super::binary`] refuses what is not finite with its place in the
/// scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Num(pub(super) f32);

/// Three numbers.
pub(super) type Triple = [Num; 3];

/// Numbers for the wire.
pub(super) fn wire<const N: usize>(values: [f32; N]) -> [Num; N] {
    values.map(Num)
}

/// Numbers from the wire.
pub(super) fn plain<const N: usize>(values: [Num; N]) -> [f32; N] {
    values.map(|n| n.0)
}

/// The value, unless it has the bits of the default. Comparing bits keeps −0.
pub(super) fn unless<const N: usize>(value: [f32; N], default: [f32; N]) -> Option<[Num; N]> {
    (value.map(f32::to_bits) != default.map(f32::to_bits)).then(|| wire(value))
}

/// The value, unless it has the bits of the default.
pub(super) fn unless_one(value: f32, default: f32) -> Option<Num> {
    (value.to_bits() != default.to_bits()).then_some(Num(value))
}

/// The value, unless it is the default.
pub(super) fn unless_equal<T: PartialEq>(value: T, default: &T) -> Option<T> {
    (value != *default).then_some(value)
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f32(self.0)
    }
}

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let checked = deserializer.is_human_readable();
        deserializer.deserialize_f32(NumVisitor { checked })
    }
}

struct NumVisitor {
    checked: bool,
}

impl Visitor<'_> for NumVisitor {
    type Value = Num;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f32<E: de::Error>(self, value: f32) -> Result<Num, E> {
        if self.checked { self.visit_f64(f64::from(value)) } else { Ok(Num(value)) }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Num, E> {
        if !value.is_finite() {
            return Err(E::custom(format_args!("`{value}` is not a finite number")));
        }
        let number = value as f32;
        if number.is_finite() {
            Ok(Num(number))
        } else {
            Err(E::custom(format_args!("`{value:e}` is too large: numbers end at ±{:e}", f32::MAX)))
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Num, E> {
        Ok(Num(value as f32))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Num, E> {
        Ok(Num(value as f32))
    }
}

/// An `f64`, with the rules of [`Num`].
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Wide(pub(super) f64);

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let checked = deserializer.is_human_readable();
        let value = f64::deserialize(deserializer)?;
        if checked && !value.is_finite() {
            return Err(de::Error::custom(format_args!("`{value}` is not a finite number")));
        }
        Ok(Self(value))
    }
}

/// An id or a name. In text an integer will do: bodies without an id are called by their index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Id(pub(super) String);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(IdVisitor)
        } else {
            String::deserialize(deserializer).map(Self)
        }
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id: a string, or an index")
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Id, E> {
        Ok(Id(value.to_owned()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Id, E> {
        match u64::try_from(value) {
            Ok(index) => self.visit_u64(index),
            Err(_) => Err(E::custom(format_args!("index {value} is negative"))),
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Id, E> {
        Ok(Id(value.to_string()))
    }
}

/// A list with an upper bound, so that a hostile file cannot claim billions of entries. In text a
/// list of one may be written without its brackets; that is also how the writer lays it out.
#[derive(Clone, Debug)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T> List<T> {
    /// The list, unless it is empty.
    pub(super) fn unless_empty(items: Vec<T>) -> Option<Self> {
        (!items.is_empty()).then_some(Self(items))
    }
}

/// The entries of an optional list.
pub(super) fn entries<T>(list: Option<List<T>>) -> Vec<T> {
    list.map(|list| list.0).unwrap_or_default()
}

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(ListVisitor(PhantomData))
        } else {
            deserializer.deserialize_seq(ListVisitor(PhantomData))
        }
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table or a list of tables")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<List<T>, A::Error> {
        // What the file claims is no reason to reserve memory: the list grows with what is really
        // there.
        let mut items = Vec::new();
        while let Some(item) = entries.next_element()? {
            if items.len() == limits::MAX_ITEMS {
                return Err(de::Error::custom(format_args!("more than {} entries", limits::MAX_ITEMS)));
            }
            items.push(item);
        }
        Ok(List(items))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<List<T>, A::Error> {
        T::deserialize(de::value::MapAccessDeserializer::new(map)).map(|item| List(vec![item]))
    }
}

/// The one alternative that is given, or a message that names those that are (or all there are).
pub(super) fn exactly_one<T, const N: usize>(
    what: &str,
    alternatives: [(&'static str, Option<T>); N],
) -> Result<T, String> {
    let names = alternatives.each_ref().map(|(name, _)| *name);
    let mut given = alternatives.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    match (given.next(), given.next()) {
        (Some((_, value)), None) => Ok(value),
        (Some((first, _)), Some((second, _))) => {
            Err(format!("{what} has two kinds, `{first}` and `{second}`; keep one"))
        }
        (None, _) => Err(format!("{what} has no kind: give one of {}", quoted(&names))),
    }
}

/// At most one of two ways to say the same thing.
pub(super) fn at_most_one<A, B>(
    what: &str,
    (first_name, first): (&str, Option<A>),
    (second_name, second): (&str, Option<B>),
) -> Result<(Option<A>, Option<B>), String> {
    if first.is_some() && second.is_some() {
        return Err(format!("{what} is given twice, as `{first_name}` and as `{second_name}`; keep one"));
    }
    Ok((first, second))
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
