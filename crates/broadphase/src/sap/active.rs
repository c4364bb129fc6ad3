//! The intervals that are open at a point of a sweep: O(1) to open and to close, in one dense
//! array.

/// Ids, each at most once.
#[derive(Clone, Debug, Default)]
pub(super) struct Active {
    ids: Vec<u32>,
    /// By id, where it stands in `ids`; means nothing for ids that are not open.
    places: Vec<u32>,
}

impl Active {
    /// Closes all; ids are below `slots` from now on.
    pub(super) fn reset(&mut self, slots: usize) {
        self.ids.clear();
        self.places.resize(slots, 0);
    }

    #[inline]
    pub(super) fn open(&mut self, id: u32) {
        self.places[id as usize] = self.ids.len() as u32;
        self.ids.push(id);
    }

    /// Closes one that is open.
    #[inline]
    pub(super) fn close(&mut self, id: u32) {
        let place = self.places[id as usize];
        self.ids.swap_remove(place as usize);
        if let Some(&moved) = self.ids.get(place as usize) {
            self.places[moved as usize] = place;
        }
    }

    #[inline]
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    pub(super) fn bytes(&self) -> usize {
        (self.ids.capacity() + self.places.capacity()) * size_of::<u32>()
    }
}
