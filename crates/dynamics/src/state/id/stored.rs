//! Ids and slots as bytes. The order of free slots is a part of the state: the next ids depend on
//! it.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::stored;

use super::{BodyId, JointId, ShapeId, Slot, Slots};

stored!(BodyId { slot: u32, generation: u32 });
stored!(ShapeId { slot: u32, generation: u32 });
stored!(JointId { slot: u32, generation: u32 });

impl<T: Stored> Stored for Slot<T> {
    const LEAST: usize = 5;

    fn put(&self, out: &mut Writer) {
        self.generation.put(out);
        self.value.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self { generation: from.field("generation")?, value: from.field("value")? })
    }
}

impl<T: Stored> Stored for Slots<T> {
    const LEAST: usize = 8;

    fn put(&self, out: &mut Writer) {
        self.slots.put(out);
        self.free.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let slots: Vec<Slot<T>> = from.field("slots")?;
        let start = from.at();
        let free: Vec<u32> = from.field("free")?;
        let refuse = |slot: u32, hint| Err(BytesReadError::of(start, slot, hint).inside("free"));
        let mut is_named = vec![false; slots.len()];
        for &slot in &free {
            let is_free = slots.get(slot as usize).is_some_and(|entry| entry.value.is_none());
            if !is_free || std::mem::replace(&mut is_named[slot as usize], true) {
                return refuse(slot, "every slot in the list must be empty, and there once");
            }
        }
        // Slots whose generations are used up are empty and not free.
        let lost = |(slot, entry): (usize, &Slot<T>)| {
            entry.value.is_none() && !is_named[slot] && entry.generation != u32::MAX
        };
        match slots.iter().enumerate().position(lost) {
            Some(slot) => refuse(slot as u32, "every empty slot must be in the list"),
            None => Ok(Self { slots, free }),
        }
    }
}

impl<T> Slots<T> {
    /// Writes what lies in another array for each slot in use.
    pub(crate) fn put_used<U: Stored>(&self, beside: &[U], out: &mut Writer) {
        for (entry, value) in self.slots.iter().zip(beside) {
            if entry.value.is_some() {
                value.put(out);
            }
        }
    }

    /// Reads an array that lies beside the slots; `blank` stands in those that are not in use.
    pub(crate) fn take_used<U: Stored>(
        &self,
        name: &'static str,
        blank: impl Fn() -> U,
        from: &mut Reader<'_>,
    ) -> Result<Vec<U>, BytesReadError> {
        let entries = self.slots.iter().enumerate();
        let read = entries.map(|(slot, entry)| match entry.value {
            Some(_) => U::take(from).map_err(|error| error.entry(slot).inside(name)),
            None => Ok(blank()),
        });
        read.collect()
    }
}
