//! How definitions are written by `serde` where a derive does not suffice (feature `serde`):
//! numbers that may be infinite, which JSON has no word for, anchors that were not given, methods
//! by name.
//!
//! Definitions are checked when a world takes them, not when they are read.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number, or `"inf"` or `"-inf"` in text.
#[derive(Clone, Copy, Debug)]
struct Unbounded(f32);

impl Serialize for Unbounded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() || !serializer.is_human_readable() {
            return serializer.serialize_f32(self.0);
        }
        serializer.serialize_str(&self.0.to_string())
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrWord {
    Number(f32),
    Word(String),
}

impl<'de> Deserialize<'de> for Unbounded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return f32::deserialize(deserializer).map(Self);
        }
        match NumberOrWord::deserialize(deserializer)? {
            NumberOrWord::Number(number) => Ok(Self(number)),
            NumberOrWord::Word(word) if word == "inf" => Ok(Self(f32::INFINITY)),
            NumberOrWord::Word(word) if word == "-inf" => Ok(Self(f32::NEG_INFINITY)),
            NumberOrWord::Word(word) => {
                Err(D::Error::custom(format_args!("\"{word}\" is neither a number nor inf")))
            }
        }
    }
}

/// A module for `#[serde(with = …)]` of values that go into and come from another type.
macro_rules! with {
    ($(#[$doc:meta])* $name:ident, $value:ty as $stored:ty, $into:expr, $from:expr) => {
        $(#[$doc])*
        pub(crate) mod $name {
            use super::*;

            pub(crate) fn serialize<S: Serializer>(value: &$value, serializer: S) -> Result<S::Ok, S::Error> {
                let into: fn($value) -> $stored = $into;
                into(*value).serialize(serializer)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$value, D::Error> {
                let from: fn($stored) -> $value = $from;
                <$stored>::deserialize(deserializer).map(from)
            }
        }
    };
}

with! {
    /// A number that may be infinite.
    unbounded, f32 as Unbounded, Unbounded, |stored| stored.0
}
with! {
    /// A range whose ends may be infinite.
    range, [f32; 2] as [Unbounded; 2], |range| range.map(Unbounded), |range| range.map(|end| end.0)
}
with! {
    /// A range whose ends may be infinite, or none.
    some_range, Option<[f32; 2]> as Option<[Unbounded; 2]>,
    |range| range.map(|range| range.map(Unbounded)), |range| range.map(|range| range.map(|end| end.0))
}
with! {
    /// Anchors, of which those that were not given are NaN.
    anchors, [glam::DVec3; 2] as [Option<glam::DVec3>; 2],
    |anchors| anchors.map(|anchor| (!anchor.is_nan()).then_some(anchor)),
    |anchors| anchors.map(|anchor| anchor.unwrap_or(glam::DVec3::NAN))
}

/// Values by their names.
pub(crate) mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use super::*;

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
    where
        T::Err: Display,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
