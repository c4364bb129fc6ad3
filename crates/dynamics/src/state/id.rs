//! Names of bodies, shapes and joints that outlive what they name without harm.
//!
//! An id is a slot and a generation. When something is removed its slot gets the next generation,
//! so an old id is recognised as stale instead of naming whatever moved in. The order of free slots
//! is part of the state: equal histories give equal ids.

mod stored;

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) slot: u32,
            pub(crate) generation: u32,
        }

        impl $name {
            /// The slot: a small number, unique among what is in the world at one time.
            #[must_use]
            pub fn index(self) -> usize {
                self.slot as usize
            }

            /// The id as one number, for tables of one's own.
            #[must_use]
            pub fn to_bits(self) -> u64 {
                u64::from(self.generation) << 32 | u64::from(self.slot)
            }

            /// The id of such a number.
            #[must_use]
            pub fn from_bits(bits: u64) -> Self {
                Self { slot: bits as u32, generation: (bits >> 32) as u32 }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($what, " {}"), self.slot)?;
                if self.generation > 0 {
                    write!(f, ".{}", self.generation)?;
                }
                Ok(())
            }
        }

        /// As one number.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u64(self.to_bits())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <u64 as serde::Deserialize>::deserialize(deserializer).map(Self::from_bits)
            }
        }

        impl Key for $name {
            fn new(slot: u32, generation: u32) -> Self {
                Self { slot, generation }
            }

            fn slot(self) -> u32 {
                self.slot
            }

            fn generation(self) -> u32 {
                self.generation
            }
        }
    };
}

id! {
    /// A body of a world.
    BodyId, "body"
}
id! {
    /// A shape of a body.
    ShapeId, "shape"
}
id! {
    /// A joint between two bodies.
    JointId, "joint"
}

/// What an id is made of.
pub(crate) trait Key: Copy {
    fn new(slot: u32, generation: u32) -> Self;
    fn slot(self) -> u32;
    fn generation(self) -> u32;
}

/// No slot: the end of lists.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// Values by slot, with generations.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

impl<T: Clone> Clone for Slots<T> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), free: self.free.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
        self.free.clone_from(&source.free);
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    /// Puts a value into the slot freed last, or a new one.
    pub(crate) fn insert<K: Key>(&mut self, value: T) -> K {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            entry.value = Some(value);
            return K::new(slot, entry.generation);
        }
        self.slots.push(Slot { generation: 0, value: Some(value) });
        K::new(self.slots.len() as u32 - 1, 0)
    }

    /// Takes the value of an id out.
    pub(crate) fn remove<K: Key>(&mut self, id: K) -> Option<T> {
        let entry = self.slots.get_mut(id.slot() as usize)?;
        if entry.generation != id.generation() {
            return None;
        }
        let value = entry.value.take()?;
        // A slot whose generations are used up is not used again.
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            self.free.push(id.slot());
        }
        Some(value)
    }

    /// The slot of an id that is not stale.
    pub(crate) fn slot_of<K: Key>(&self, id: K) -> Option<u32> {
        let entry = self.slots.get(id.slot() as usize)?;
        (entry.generation == id.generation() && entry.value.is_some()).then_some(id.slot())
    }

    /// The id of a slot in use.
    pub(crate) fn id_of<K: Key>(&self, slot: u32) -> Option<K> {
        let entry = self.slots.get(slot as usize)?;
        entry.value.as_ref().map(|_| K::new(slot, entry.generation))
    }

    /// The value in a slot in use.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        self.slots.get(slot as usize)?.value.as_ref()
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.slots.get_mut(slot as usize)?.value.as_mut()
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// All values with their ids, in the order of slots.
    pub(crate) fn iter<K: Key>(&self) -> impl Iterator<Item = (K, &T)> {
        let entries = self.slots.iter().enumerate();
        entries
            .filter_map(|(slot, entry)| Some((K::new(slot as u32, entry.generation), entry.value.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_ids_name_nothing() {
        let mut slots = Slots::default();
        let a: BodyId = slots.insert("a");
        let b: BodyId = slots.insert("b");
        assert_eq!(slots.remove(a), Some("a"));
        assert_eq!(slots.remove(a), None);
        let c: BodyId = slots.insert("c");
        assert_eq!((c.index(), slots.slot_of(a), slots.slot_of(c)), (0, None, Some(0)));
        assert_eq!(slots.len(), 2);
        assert_eq!(
            slots.iter().map(|(id, v): (BodyId, _)| (id, *v)).collect::<Vec<_>>(),
            [(c, "c"), (b, "b")]
        );
        assert_eq!(BodyId::from_bits(c.to_bits()), c);
        assert_eq!((b.to_string(), c.to_string()), ("body 1".to_owned(), "body 0.1".to_owned()));
        assert_eq!(slots.id_of::<BodyId>(0), Some(c));
    }
}
