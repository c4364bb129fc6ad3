//! One copy of each polytope, however many bodies were given one of their own.
//!
//! Users build a hull per body as often as they share one. The narrow phase reads hulls all the
//! time: a thousand copies of one hull do not fit the cache, one does. Copies are told by their
//! bits, so results do not change.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use carom_geometry::{Polytope, Shape};
use glam::Vec3;

/// Entries below this number are not worth cleaning up.
const FEW: usize = 64;

/// The polytopes in use.
#[derive(Debug, Default)]
pub(crate) struct SharedPolytopes {
    /// By a hash of their points.
    by_hash: BTreeMap<u64, Vec<Weak<Polytope>>>,
    entries: usize,
    /// Entries at which those that nobody uses any more are dropped.
    limit: usize,
}

impl Clone for SharedPolytopes {
    fn clone(&self) -> Self {
        let Self { by_hash, entries, limit } = self;
        Self { by_hash: by_hash.clone(), entries: *entries, limit: *limit }
    }

    /// What is known here already serves as well: it decides what is shared, and nothing else.
    fn clone_from(&mut self, source: &Self) {
        if self.by_hash.is_empty() {
            *self = source.clone();
        }
    }
}

impl SharedPolytopes {
    /// Replaces a polytope by one of the same bits that is in use already, if there is one.
    pub(crate) fn share(&mut self, shape: &mut Shape) {
        let Shape::Polytope(polytope) = shape else { return };
        let copies = self.by_hash.entry(hash(polytope)).or_default();
        let used = copies.iter().filter_map(Weak::upgrade).find(|other| is_same(other, polytope));
        if let Some(other) = used {
            *polytope = other;
            return;
        }
        copies.push(Arc::downgrade(polytope));
        self.entries += 1;
        if self.entries >= self.limit.max(FEW) {
            self.clean();
        }
    }

    fn clean(&mut self) {
        self.by_hash.retain(|_, copies| {
            copies.retain(|copy| copy.strong_count() > 0);
            !copies.is_empty()
        });
        self.entries = self.by_hash.values().map(Vec::len).sum();
        self.limit = 2 * self.entries;
    }
}

fn bits(v: &Vec3) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}

fn hash(polytope: &Polytope) -> u64 {
    polytope.points().iter().flat_map(bits).fold(polytope.face_count() as u64, |hash, number| {
        (hash ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

/// Equality alone takes 0 and −0 for the same.
fn is_same(a: &Arc<Polytope>, b: &Arc<Polytope>) -> bool {
    let points = || a.points().iter().map(bits).eq(b.points().iter().map(bits));
    let planes = || {
        let of = |polytope: &Polytope| -> Vec<_> {
            polytope.planes().iter().map(|plane| (bits(&plane.normal), plane.offset.to_bits())).collect()
        };
        of(a) == of(b)
    };
    Arc::ptr_eq(a, b) || points() && planes() && a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(seed: u64) -> Shape {
        Polytope::random_on_sphere(20, 1.0, seed).unwrap().into()
    }

    fn address(shape: &Shape) -> *const Polytope {
        let Shape::Polytope(polytope) = shape else { panic!("{shape:?}") };
        Arc::as_ptr(polytope)
    }

    #[test]
    fn equal_polytopes_are_kept_once() {
        let mut shared = SharedPolytopes::default();
        let [mut first, mut again, mut other] = [hull(1), hull(1), hull(2)];
        let before = first.clone();
        for shape in [&mut first, &mut again, &mut other] {
            shared.share(shape);
        }
        assert_eq!(address(&first), address(&before));
        assert_eq!(address(&again), address(&first));
        assert_ne!(address(&other), address(&first));
    }

    #[test]
    fn what_nobody_uses_is_dropped() {
        let mut shared = SharedPolytopes::default();
        for seed in 0..1000 {
            shared.share(&mut hull(seed));
        }
        assert!(shared.entries <= 2 * FEW, "{}", shared.entries);
    }
}
