//! State as bytes: the same on every machine, exact to the bit, and read without trust.
//!
//! Whatever has a state that is to outlive the program implements [`Stored`]; structures do so with
//! [`stored!`](crate::stored), field by field, so that a field that is added and not stored does
//! not compile. Numbers are little-endian and of the widths that their types say, lists begin with
//! their length in 32 bits, and nothing is aligned or padded. Geometry that is shared is written
//! once, where it is first met, and named by its number afterwards.
//!
//! Invariants of reading: no input panics; memory is asked for in proportion to the bytes that are
//! left, never to what the input claims; every number is finite where the type does not say
//! otherwise. What fits together in larger ways (indices, lists that name each other) is for those
//! to check who know what is meant. An error names the place as a path of fields and as an offset,
//! and the value.
//!
//! `serde` with a binary format would do the first half. It has no place in its errors, does not
//! know sharing, and would bring three crates into the determinism contract for what is a page of
//! code here.
//!
//! | module | holds |
//! |---|---|
//! | `values` | numbers, vectors, poses, lists |
//! | `shapes` | shapes, shared ones once |

mod shapes;
mod values;

use std::collections::BTreeMap;

use crate::shape::Shape;

/// What can be written to bytes and read from them.
pub trait Stored: Sized {
    /// Fewest bytes that one takes, at least 1: what a list claims to hold is compared with it.
    const LEAST: usize;

    /// Writes it.
    fn put(&self, out: &mut Writer);

    /// Reads one.
    ///
    /// # Errors
    /// Bytes that are missing, or that mean nothing.
    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError>;
}

/// Implements [`Stored`](crate::bytes::Stored) for a structure: all its fields, in the order of the
/// list.
///
/// ```
/// use carom_geometry::bytes::{Reader, Stored, Writer};
/// struct Wheel { radius: f32, spokes: u32 }
/// carom_geometry::stored!(Wheel { radius: f32, spokes: u32 });
///
/// let mut out = Writer::default();
/// Wheel { radius: 0.3, spokes: 36 }.put(&mut out);
/// let bytes = out.into_bytes();
/// assert_eq!(bytes.len(), 8);
/// assert_eq!(Wheel::take(&mut Reader::new(&bytes))?.spokes, 36);
/// let error = Wheel::take(&mut Reader::new(&bytes[..6])).err().unwrap();
/// let expected = "spokes, at byte 4: the data ends: 4 bytes are wanted, 2 are left";
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), carom_geometry::bytes::BytesReadError>(())
/// ```
#[macro_export]
macro_rules! stored {
    ($type:ty { $($field:ident: $kind:ty),+ $(,)? }) => {
        impl $crate::bytes::Stored for $type {
            const LEAST: usize = 0 $(+ <$kind as $crate::bytes::Stored>::LEAST)+;

            fn put(&self, out: &mut $crate::bytes::Writer) {
                $(<$kind as $crate::bytes::Stored>::put(&self.$field, out);)+
            }

            fn take(from: &mut $crate::bytes::Reader<'_>) -> Result<Self, $crate::bytes::BytesReadError> {
                Ok(Self { $($field: from.field::<$kind>(stringify!($field))?),+ })
            }
        }
    };
}

/// Bytes in the making.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Numbers of shared geometry by its address. The addresses only find the numbers, which go by
    /// the order of first use.
    shared: BTreeMap<usize, u32>,
}

impl Writer {
    /// Adds bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a list: its length in 32 bits, then its entries.
    ///
    /// A list of 2³² entries and more has no length here; what is stored is numbered in 32 bits
    /// everywhere, so there is none.
    pub fn list<T: Stored>(&mut self, list: &[T]) {
        (list.len() as u32).put(self);
        for entry in list {
            entry.put(self);
        }
    }

    /// Adds a number that may be infinite.
    pub fn unbounded(&mut self, number: f32) {
        self.raw(&number.to_bits().to_le_bytes());
    }

    /// The bytes so far.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Bytes being read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Shared geometry read so far.
    shared: Vec<Shape>,
    /// Compounds being read.
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Reads these from the start.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, shared: Vec::new(), depth: 0 }
    }

    /// Where it is.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes that have not been read.
    #[must_use]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Reads bytes as they are.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn raw<const N: usize>(&mut self) -> Result<[u8; N], BytesReadError> {
        let rest = &self.bytes[self.at..];
        let Some(found) = rest.first_chunk::<N>() else {
            return Err(self.error(Fault::Truncated { wanted: N, left: rest.len() }));
        };
        self.at += N;
        Ok(*found)
    }

    /// Reads so many bytes as they are, without copying them.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn slice(&mut self, length: usize) -> Result<&'a [u8], BytesReadError> {
        let rest = &self.bytes[self.at..];
        let Some(found) = rest.get(..length) else {
            return Err(self.error(Fault::Truncated { wanted: length, left: rest.len() }));
        };
        self.at += length;
        Ok(found)
    }

    /// Reads a field; errors name it.
    ///
    /// # Errors
    /// Those of the type.
    pub fn field<T: Stored>(&mut self, name: &'static str) -> Result<T, BytesReadError> {
        T::take(self).map_err(|error| error.inside(name))
    }

    /// Reads a field that is a number from one to another, or infinite if that is between them.
    ///
    /// # Errors
    /// If it is missing, not a number, or outside.
    pub fn number(&mut self, name: &'static str, low: f32, high: f32) -> Result<f32, BytesReadError> {
        let start = self.at;
        let number = self.raw().map(|bytes| f32::from_bits(u32::from_le_bytes(bytes)));
        let number = number.map_err(|error| error.inside(name))?;
        if number >= low && number <= high {
            return Ok(number);
        }
        let hint = if low >= 0.0 { "it must be a number not below 0" } else { "it must be a number" };
        Err(BytesReadError::of(start, number, hint).inside(name))
    }

    /// The length of a list whose entries take at least so many bytes each.
    ///
    /// # Errors
    /// If the bytes that are left cannot hold it.
    pub fn length(&mut self, least: usize) -> Result<usize, BytesReadError> {
        let start = self.at;
        let claimed = u32::take(self)?;
        let left = self.left();
        if claimed as usize > left / least.max(1) {
            return Err(BytesReadError {
                at: start,
                path: String::new(),
                fault: Fault::Length { claimed, left },
            });
        }
        Ok(claimed as usize)
    }

    /// Reads a list; errors name the entry.
    ///
    /// # Errors
    /// Those of the entries, or a length that the bytes cannot hold.
    pub fn list<T: Stored>(&mut self) -> Result<Vec<T>, BytesReadError> {
        let length = self.length(T::LEAST)?;
        let mut list = Vec::with_capacity(length);
        for number in 0..length {
            list.push(T::take(self).map_err(|error| error.entry(number))?);
        }
        Ok(list)
    }

    /// A number that names a kind, from 0.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn kind(&mut self, kinds: u8) -> Result<u8, BytesReadError> {
        let start = self.at;
        let kind = u8::take(self)?;
        if kind < kinds { Ok(kind) } else { Err(BytesReadError::of(start, kind, "no kind has this number")) }
    }

    /// An error here.
    #[must_use]
    pub fn error(&self, fault: Fault) -> BytesReadError {
        BytesReadError { at: self.at, path: String::new(), fault }
    }

    /// What was read was refused by whoever knows what it means.
    pub fn refused(&self, reason: impl std::fmt::Display) -> BytesReadError {
        self.error(Fault::Refused { reason: reason.to_string() })
    }
}

carom_core::error_type! {
    /// What is wrong with bytes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Fault {
        /// They end.
        #[error("the data ends: {wanted} bytes are wanted, {left} are left")]
        Truncated {
            /// Bytes asked for.
            wanted: usize,
            /// Bytes there.
            left: usize,
        },
        /// A list longer than the rest.
        #[error("a list of {claimed} entries does not fit into the {left} bytes that are left")]
        Length {
            /// Entries.
            claimed: u32,
            /// Bytes there.
            left: usize,
        },
        /// A value that cannot be.
        #[error("it cannot be {value}: {hint}")]
        Value {
            /// The value as it prints.
            value: String,
            /// What it should be.
            hint: &'static str,
        },
        /// Values that do not make what they should.
        #[error("{reason}")]
        Refused {
            /// Why not.
            reason: String,
        },
    }
}

carom_core::error_type! {
    /// Why bytes could not be read, and where.
    #[error("{path}{}at byte {at}: {fault}", if path.is_empty() { "" } else { ", " })]
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct BytesReadError {
        /// Offset of the bytes.
        pub at: usize,
        /// The field, as a path from the outermost; empty if nothing has a name.
        pub path: String,
        /// What is wrong.
        pub fault: Fault,
    }
}

impl BytesReadError {
    /// A value that cannot be.
    pub fn of(at: usize, value: impl std::fmt::Debug, hint: &'static str) -> Self {
        Self { at, path: String::new(), fault: Fault::Value { value: format!("{value:?}"), hint } }
    }

    /// The same error of a field.
    #[must_use]
    pub fn inside(mut self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path.insert_str(0, dot);
        self.path.insert_str(0, name);
        self
    }

    /// The same error of an entry of a list.
    #[must_use]
    pub fn entry(self, number: usize) -> Self {
        self.inside(&format!("[{number}]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_compared_with_what_is_left_before_memory_is_asked_for() {
        let bytes = [255, 255, 255, 255, 1, 2, 3, 4];
        let error = Reader::new(&bytes).list::<f32>().err().map(|error| error.to_string());
        let told = "at byte 0: a list of 4294967295 entries does not fit into the 4 bytes that are left";
        assert_eq!(error.as_deref(), Some(told));
    }

    #[test]
    fn a_slice_is_what_comes_next_or_an_error_that_moves_nothing() {
        let mut reader = Reader::new(&[1, 2, 3]);
        assert_eq!(reader.slice(2), Ok(&[1, 2][..]));
        let error = reader.slice(2).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("at byte 2: the data ends: 2 bytes are wanted, 1 are left"));
        assert!(reader.slice(usize::MAX).is_err());
        assert_eq!((reader.slice(1), reader.left()), (Ok(&[3][..]), 0));
    }

    #[test]
    fn errors_name_the_place_and_the_value() {
        let mut out = Writer::default();
        out.list(&[1.0f32, f32::NAN]);
        let error = Reader::new(out.as_bytes()).field::<Vec<f32>>("heights").err().map(|e| e.to_string());
        let told = "heights[1], at byte 8: it cannot be NaN: it must be a finite number";
        assert_eq!(error.as_deref(), Some(told));
        let error = Reader::new(&[2]).field::<bool>("is_round").err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("is_round, at byte 0: it cannot be 2: it must be 0 or 1"));
    }
}
