//! The broad phases of Fingsics, with its behaviour on ties: what the Fingsics simulation steps
//! with.
//!
//! Fingsics' sweep and prune counts boxes that exactly touch by the history of their endpoints, and
//! reports "ghosts" of bodies that jump. To give its results to the last collision we must do the
//! same; no new scene wants it. So these five methods (`none`, `aabb`, `obb`, `sap`, `sapobb`) have
//! a contract of their own. A Fingsics world may use the exact methods of `carom-broadphase` as
//! well ([`finder`]).

mod brute_force;
pub(crate) mod refine;
mod sap;

use carom_geometry::Aabb;

use brute_force::{AllBoxes, AllPairs};
use carom_broadphase::{BoxError, Counters, Filter, Method, Pair, Space};
use sap::Sap;

/// What a broad phase is given each step. Bodies are dense indices, the same every step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proxies<'a, const D: usize> {
    /// One valid box per body ([`Aabb::is_valid`]).
    pub(crate) boxes: &'a [Aabb<D>],
    /// True for bodies that impulses do not move; pairs of two such bodies are never reported.
    pub(crate) immovable: &'a [bool],
}

impl<const D: usize> Proxies<'_, D> {
    /// Number of bodies.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.boxes.len()
    }

    /// May the two bodies form a pair at all?
    #[inline]
    #[must_use]
    pub(crate) fn may_pair(&self, a: usize, b: usize) -> bool {
        a != b && !(self.immovable[a] && self.immovable[b])
    }
}

/// A method that finds candidate pairs for the Fingsics simulation.
///
/// Contract: every pair of boxes that overlap with more than a shared boundary is reported, once,
/// and no pair of two immovable bodies. Boxes that only touch may be reported or not, as the method
/// says. The order of the pairs depends on nothing but the calls so far.
pub(crate) trait PairFinder<const D: usize>: Send {
    /// The pairs of this step.
    fn pairs(&mut self, proxies: &Proxies<'_, D>) -> &[Pair];

    /// Work done so far.
    fn counters(&self) -> Counters;
}

/// The finder of pairs of a method; `None` for `obb`, which looks at all pairs itself
/// ([`refine::all_pairs`]).
#[must_use]
pub(crate) fn finder(method: Method) -> Option<Box<dyn PairFinder<3>>> {
    match method {
        Method::None => Some(Box::new(AllPairs::default())),
        Method::Aabb => Some(Box::new(AllBoxes::default())),
        Method::Obb => None,
        Method::Sap | Method::SapObb => Some(Box::new(Sap::default())),
        other => Some(Box::new(ExactMethod::new(other))),
    }
}

/// One of the exact methods, for a Fingsics world. Ids of the space are those of the bodies.
struct ExactMethod {
    method: Method,
    space: Space<3>,
    /// Work for other numbers of bodies.
    past: Counters,
    /// Does some body have no valid box?
    has_strays: bool,
}

impl ExactMethod {
    /// The filter of bodies without a valid box: they pair with nobody.
    const STRAY: Filter = Filter { is_static: false, category: 0, mask: 0, group: 0, body: None };

    fn new(method: Method) -> Self {
        Self { method, space: Space::new(method), past: Counters::default(), has_strays: false }
    }

    fn filter(immovable: bool) -> Filter {
        if immovable { Filter::STATIC } else { Filter::default() }
    }

    fn start(&mut self, proxies: &Proxies<'_, 3>) -> Result<(), BoxError> {
        self.past = self.counters();
        // Not the old one emptied: that would give its ids away in another order.
        self.space = Space::new(self.method);
        self.has_strays = false;
        for (aabb, &immovable) in proxies.boxes.iter().zip(proxies.immovable) {
            if aabb.is_valid() {
                self.space.insert_filtered(*aabb, Self::filter(immovable))?;
            } else {
                self.has_strays = true;
                self.space.insert_filtered(Aabb::new([0.0; 3], [0.0; 3]), Self::STRAY)?;
            }
        }
        Ok(())
    }

    /// Moves box after box, and leaves strays where they were.
    fn place_each(&mut self, proxies: &Proxies<'_, 3>) -> Result<(), BoxError> {
        self.has_strays = false;
        for (id, (aabb, &immovable)) in (0..).zip(proxies.boxes.iter().zip(proxies.immovable)) {
            if aabb.is_valid() {
                self.space.set_box(id, aabb)?;
                self.space.set_filter(id, Self::filter(immovable))?;
            } else {
                self.has_strays = true;
                self.space.set_filter(id, Self::STRAY)?;
            }
        }
        Ok(())
    }
}

impl PairFinder<3> for ExactMethod {
    /// Boxes are checked where bodies move; a body whose box is invalid all the same pairs with
    /// nobody until it is valid again.
    fn pairs(&mut self, proxies: &Proxies<'_, 3>) -> &[Pair] {
        let followed = if self.space.table().len() != proxies.len() {
            self.start(proxies)
        } else if self.has_strays || self.space.set_boxes(proxies.boxes).is_err() {
            self.place_each(proxies)
        } else {
            Ok(())
        };
        debug_assert_eq!(followed, Ok(()), "only invalid boxes are refused");
        self.space.update()
    }

    fn counters(&self) -> Counters {
        self.past.plus(&self.space.counters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The methods that Fingsics has itself.
    const METHODS: [Method; 5] = [Method::None, Method::Aabb, Method::Obb, Method::Sap, Method::SapObb];

    /// Places of the bodies, and the pairs they make.
    type Step = (&'static [f32], &'static [(u32, u32)]);

    /// Boxes of edge 1 in a row; NaN makes an invalid one.
    fn row(places: &[f32]) -> Vec<Aabb<3>> {
        places.iter().map(|&x| Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] }).collect()
    }

    #[test]
    fn ids_stay_those_of_the_bodies_whatever_comes_and_goes() {
        // The first two bodies are immovable and do not pair.
        let steps: [Step; 7] = [
            (&[f32::NAN, 5.0, 5.5, 9.0], &[(1, 2)]),
            (&[f32::NAN, 5.0, f32::NAN, 5.5], &[(1, 3)]),
            (&[5.2, 5.0, 5.5, 9.0], &[(0, 2), (1, 2)]),
            (&[5.2, 7.0, 5.5, 5.6], &[(0, 2), (0, 3), (2, 3)]),
            (&[1.0, 1.2, 1.4], &[(0, 2), (1, 2)]),
            (&[1.0, 1.2, 7.0], &[]),
            (&[f32::NAN, f32::NAN, f32::NAN, 1.0, 1.5], &[(3, 4)]),
        ];
        for method in Method::ALL {
            // `none` and its like are Fingsics' own; `sphere` looks at spheres.
            if METHODS.contains(&method) || method == Method::Sphere {
                continue;
            }
            let mut exact = ExactMethod::new(method);
            for (places, expected) in &steps {
                let (boxes, immovable) = (row(places), [true, true, false, false, false]);
                let proxies = Proxies { boxes: &boxes, immovable: &immovable[..boxes.len()] };
                let expected: Vec<Pair> = expected.iter().map(|&(a, b)| Pair { a, b }).collect();
                assert_eq!(exact.pairs(&proxies), expected, "{method}: {places:?}");
            }
        }
    }
}
