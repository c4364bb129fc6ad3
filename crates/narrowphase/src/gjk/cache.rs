//! What a query leaves behind for the next one of the same pair.

use carom_geometry::{Real, Vector};

use super::difference::{Difference, Vertex};
use crate::Convex;

/// Where supports were found last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hints {
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl Hints {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { a: u32::MAX, b: u32::MAX };
}

/// How a query ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GjkTermination {
    /// The answer is proved to its tolerance.
    #[default]
    Proved,
    /// Rounding left nothing to gain; the answer is as good as the numbers allow.
    NoProgress,
    /// The limit of iterations or of storage was reached; the answer is the best found.
    Capped,
}

/// What a query cost, and how it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GjkEffort {
    /// Steps of the loop of the algorithm.
    pub iterations: u32,
    /// Support points of the difference, each one of either shape.
    pub supports: u32,
    /// Why the loop was left.
    pub ending: GjkTermination,
}

/// The simplex that a query ended with, for the next query of the same pair, and what the query
/// cost.
///
/// Points are kept in the local coordinates of their shapes: wherever the shapes have moved, they
/// are points of them, so a simplex is always a good one to start from and never a wrong one. That
/// is so as long as the shapes are the same; for other shapes [`clear`](Self::clear) it.
#[derive(Clone, Copy, Debug)]
pub struct SimplexCache<S: Real> {
    pairs: [[S::Vec3; 2]; 4],
    count: u8,
    pub(crate) hints: Hints,
    /// What the last query cost.
    pub effort: GjkEffort,
}

impl<S: Real> Default for SimplexCache<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Real> SimplexCache<S> {
    /// Nothing is known of the pair yet.
    #[must_use]
    pub const fn new() -> Self {
        let effort = GjkEffort { iterations: 0, supports: 0, ending: GjkTermination::Proved };
        Self { pairs: [[S::Vec3::ZERO; 2]; 4], count: 0, hints: Hints::NONE, effort }
    }

    /// Forgets the pair.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
        self.hints = Hints::NONE;
    }

    /// Is nothing known of the pair?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The points kept: of the first core and of the second, each in local coordinates.
    #[must_use]
    pub fn pairs(&self) -> &[[S::Vec3; 2]] {
        &self.pairs[..usize::from(self.count)]
    }

    /// A cache that holds these points of the two cores (local coordinates; the first four if there
    /// are more): what another algorithm knows of the pair.
    #[must_use]
    pub fn from_pairs(pairs: &[[S::Vec3; 2]]) -> Self {
        let mut cache = Self::new();
        for (slot, pair) in cache.pairs.iter_mut().zip(pairs) {
            *slot = *pair;
            cache.count += 1;
        }
        cache
    }

    /// The points as vertices of the difference.
    #[inline]
    pub(crate) fn restore<A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
        &self,
        difference: &Difference<'_, S, A, B>,
        vertices: &mut [Vertex<S>; 4],
    ) -> usize {
        for (vertex, [a, b]) in vertices.iter_mut().zip(self.pairs()) {
            *vertex = difference.vertex(*a, *b);
        }
        usize::from(self.count)
    }

    /// Keeps points for the next time.
    #[inline]
    pub(crate) fn keep(&mut self, pairs: impl Iterator<Item = [S::Vec3; 2]>) {
        self.count = 0;
        for (slot, pair) in self.pairs.iter_mut().zip(pairs) {
            *slot = pair;
            self.count += 1;
        }
    }
}
