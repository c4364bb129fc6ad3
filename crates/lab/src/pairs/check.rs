//! The pairs of a method against those of the oracle, by what the method promises.
//!
//! Every promise is two questions about a pair: *must* it be reported, and *may* it be? A new kind
//! of contract needs an arm in `Promise::must` and one in `Promise::may`.

use std::fmt;

use carom_broadphase::refine::Refinement;
use carom_broadphase::{Contract, Pair};
use carom_geometry::{Aabb, BoundingSphere};

use super::frames::Frame;
use super::oracle;

/// What the pairs of a method are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// None if nothing is promised but that no overlap is missed.
    contract: Option<Contract>,
}

/// The first pair that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Who was wrong.
    pub method: String,
    /// In which frame; 0 is the first, before anything moved.
    pub frame: u64,
    /// What is wrong with the pair.
    pub wrong: Wrong,
    /// The pair.
    pub pair: Pair,
    /// Its boxes, as text.
    pub boxes: [String; 2],
}

/// What can be wrong with a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is not there.
    Missed,
    /// It should not be there.
    Extra,
    /// It is there twice, or the pairs are not in ascending order.
    Disorder,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.wrong {
            Wrong::Missed => "misses",
            Wrong::Extra => "reports, against its contract,",
            Wrong::Disorder => "reports twice or out of order",
        };
        let [first, second] = &self.boxes;
        let Pair { a, b } = self.pair;
        write!(f, "{} in frame {} {what} the pair {a}, {b}: {first} and {second}", self.method, self.frame)
    }
}

impl From<Contract> for Promise {
    fn from(contract: Contract) -> Self {
        Self { contract: Some(contract) }
    }
}

impl Promise {
    /// Nothing is missed, and more is not promised: fat boxes of unknown size, pairs that are
    /// forgotten late.
    pub const AT_LEAST: Self = Self { contract: None };

    /// Exactly the overlapping boxes.
    pub const EXACT: Self = Self { contract: Some(Contract::Exact) };

    /// Must an admissible pair whose boxes overlap be reported?
    fn must<const D: usize>(&self, frame: &Frame<'_, D>, pair: Pair) -> bool {
        let sure = |volume| passes(volume, frame, pair) == Passes::Yes;
        match self.contract {
            None | Some(Contract::Exact | Contract::Fattened { .. } | Contract::Everything) => true,
            Some(Contract::Spheres) => sure(Refinement::Sphere),
            Some(Contract::OrientedBoxes | Contract::OrientedSubset) => sure(Refinement::Obb),
            Some(Contract::Refined { by, also, .. }) => sure(by) && also.is_none_or(sure),
        }
    }

    /// May an admissible pair be reported?
    fn may<const D: usize>(&self, frame: &Frame<'_, D>, pair: Pair) -> bool {
        let (a, b) = (&frame.boxes[pair.a as usize], &frame.boxes[pair.b as usize]);
        let possible = |volume| passes(volume, frame, pair) != Passes::No;
        match self.contract {
            None | Some(Contract::Everything) => true,
            Some(Contract::Exact | Contract::OrientedSubset) => oracle::overlap(a, b),
            Some(Contract::Fattened { margin }) => is_near(a, b, margin),
            Some(Contract::Spheres) => possible(Refinement::Sphere),
            Some(Contract::OrientedBoxes) => possible(Refinement::Obb),
            Some(Contract::Refined { by, margin, .. }) => is_near(a, b, margin) && possible(by),
        }
    }

    /// Does the method report every admissible pair, overlapping or not?
    fn is_everything(&self) -> bool {
        self.contract == Some(Contract::Everything)
    }
}

/// Do boxes overlap when both are grown by a margin? In double precision the growth does not round
/// away; the last place is given to methods that grow in single precision.
fn is_near<const D: usize>(a: &Aabb<D>, b: &Aabb<D>, margin: f32) -> bool {
    (0..D).all(|k| {
        let end = f64::from;
        let size =
            end(a.min[k]).abs().max(end(b.min[k]).abs()).max(end(a.max[k]).abs()).max(end(b.max[k]).abs());
        let reach = 2.0 * f64::from(margin) + 2.0 * f64::from(f32::EPSILON) * size;
        // Infinite ends make the reach infinite or NaN, and NaN is not apart.
        let apart = end(a.max[k]) + reach < end(b.min[k]) || end(b.max[k]) + reach < end(a.min[k]);
        !apart
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passes {
    Yes,
    No,
    /// Both answers are right.
    Either,
}

/// What rounding may do to a test of volumes, relative to their size.
const DOUBT: f32 = 1e-4;

fn passes<const D: usize>(volume: Refinement, frame: &Frame<'_, D>, pair: Pair) -> Passes {
    let (Some(a), Some(b)) = (frame.bound(pair.a), frame.bound(pair.b)) else { return Passes::Yes };
    let by = |surely: bool, perhaps: bool| match (surely, perhaps) {
        (true, _) => Passes::Yes,
        (_, true) => Passes::Either,
        _ => Passes::No,
    };
    let doubt = DOUBT * (a.radius + b.radius);
    let smaller = a.obb.grown(-doubt);
    let smaller_meets = smaller.half.min_element() >= 0.0 && smaller.overlaps(&b.obb);
    match volume {
        Refinement::Sphere => {
            let grown = |by: f32| BoundingSphere::new(a.obb.centre, a.radius + by).overlaps(&b.sphere());
            by(a.radius > doubt && grown(-doubt), grown(doubt))
        }
        Refinement::Obb => by(smaller_meets, a.obb.grown(doubt).overlaps(&b.obb)),
        // A polytope around the oriented box may be cut by the sphere too: only where the sphere
        // cuts nothing is it sure to hold the oriented box.
        Refinement::Kdop14 | Refinement::Kdop18 | Refinement::Kdop26 => {
            let is_uncut = [a, b].iter().all(|bound| bound.radius >= bound.obb.half.length());
            by(is_uncut && smaller_meets, true)
        }
    }
}

/// The first pair of a method that is wrong; `exact` are the pairs of the oracle, ascending.
#[must_use]
pub fn difference<const D: usize>(
    frame: &Frame<'_, D>,
    exact: &[Pair],
    promise: &Promise,
    found: &[Pair],
) -> Option<(Wrong, Pair)> {
    if let Some(two) = found.windows(2).find(|two| two[0] >= two[1]) {
        return Some((Wrong::Disorder, two[1]));
    }
    let mut expected = exact.iter().copied().peekable();
    for &pair in found {
        while let Some(passed) = expected.next_if(|&e| e < pair) {
            if promise.must(frame, passed) {
                return Some((Wrong::Missed, passed));
            }
        }
        expected.next_if_eq(&pair);
        let ids = frame.boxes.len() as u32;
        if pair.b >= ids || !frame.admits(pair.a, pair.b) || !promise.may(frame, pair) {
            return Some((Wrong::Extra, pair));
        }
    }
    if let Some(missed) = expected.find(|&pair| promise.must(frame, pair)) {
        return Some((Wrong::Missed, missed));
    }
    if promise.is_everything() { first_absent(frame, found) } else { None }
}

/// The first admissible pair that is not among those found.
fn first_absent<const D: usize>(frame: &Frame<'_, D>, found: &[Pair]) -> Option<(Wrong, Pair)> {
    let n = frame.boxes.len() as u32;
    let mut found = found.iter().copied().peekable();
    (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| Pair { a, b }))
        .find(|&pair| found.next_if_eq(&pair).is_none() && frame.admits(pair.a, pair.b))
        .map(|pair| (Wrong::Missed, pair))
}

/// The difference with names and places.
#[must_use]
pub fn described<const D: usize>(
    method: &str,
    number: u64,
    frame: &Frame<'_, D>,
    (wrong, pair): (Wrong, Pair),
) -> Difference {
    let shown = |id: u32| match frame.boxes.get(id as usize) {
        Some(aabb) => format!("{:?} to {:?}", aabb.min, aabb.max),
        None => "no box".to_owned(),
    };
    Difference {
        method: method.to_owned(),
        frame: number,
        wrong,
        pair,
        boxes: [shown(pair.a), shown(pair.b)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_broadphase::{Bound, Filter};
    use carom_geometry::{Obb, Pose, Rotation};
    use carom_scene::swarm::Changes;
    use glam::Vec3;

    /// 0 and 1 overlap, 2 is 0.5 from 1, 3 is far away.
    fn boxes() -> Vec<Aabb<3>> {
        [0.0, 0.9, 2.4, 9.0].map(|x| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])).to_vec()
    }

    fn wrong(promise: &Promise, found: &[(u32, u32)]) -> Option<(Wrong, (u32, u32))> {
        let (boxes, changes) = (boxes(), Changes::default());
        let frame = Frame { boxes: &boxes, changes: &changes, filters: &[], bounds: &[] };
        let found: Vec<Pair> = found.iter().map(|&(a, b)| Pair { a, b }).collect();
        let difference = difference(&frame, &oracle::brute_force(&frame), promise, &found);
        difference.map(|(wrong, pair)| (wrong, (pair.a, pair.b)))
    }

    #[test]
    fn each_contract_allows_what_it_says() {
        assert_eq!(wrong(&Promise::EXACT, &[(0, 1)]), None);
        assert_eq!(wrong(&Promise::EXACT, &[]), Some((Wrong::Missed, (0, 1))));
        assert_eq!(wrong(&Promise::EXACT, &[(0, 1), (1, 2)]), Some((Wrong::Extra, (1, 2))));
        assert_eq!(wrong(&Promise::EXACT, &[(0, 1), (0, 1)]), Some((Wrong::Disorder, (0, 1))));
        assert_eq!(wrong(&Promise::EXACT, &[(0, 1), (2, 9)]), Some((Wrong::Extra, (2, 9))));

        let fat = Promise::from(Contract::Fattened { margin: 0.3 });
        assert_eq!(wrong(&fat, &[(0, 1)]), None);
        assert_eq!(wrong(&fat, &[(0, 1), (1, 2)]), None);
        assert_eq!(wrong(&fat, &[(1, 2)]), Some((Wrong::Missed, (0, 1))));
        assert_eq!(wrong(&fat, &[(0, 1), (0, 2)]), Some((Wrong::Extra, (0, 2))));
        let thin = Promise::from(Contract::Fattened { margin: 0.2 });
        assert_eq!(wrong(&thin, &[(0, 1), (1, 2)]), Some((Wrong::Extra, (1, 2))));

        let all = Promise::from(Contract::Everything);
        assert_eq!(wrong(&all, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]), None);
        assert_eq!(wrong(&all, &[(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]), Some((Wrong::Missed, (1, 3))));

        assert_eq!(wrong(&Promise::AT_LEAST, &[(0, 1), (0, 3)]), None);
        assert_eq!(wrong(&Promise::AT_LEAST, &[(0, 3)]), Some((Wrong::Missed, (0, 1))));
    }

    #[test]
    fn refinements_go_by_their_volumes() {
        // Two diagonal rods side by side: their boxes overlap, they do not.
        let rod = |x: f32| {
            let turn = Rotation::about_axis(Vec3::Z, std::f32::consts::FRAC_PI_4);
            Obb::of_pose(&Pose::new(Vec3::new(x, 0.0, 0.0), turn), Vec3::new(2.0, 0.1, 0.1))
        };
        let obbs = [rod(0.0), rod(1.0)];
        let boxes = obbs.map(|obb| obb.aabb());
        let bounds = obbs.map(|obb| Some(Bound::of_obb(obb)));
        let changes = Changes::default();
        let frame = Frame { boxes: &boxes, changes: &changes, filters: &[], bounds: &bounds };
        let exact = oracle::brute_force(&frame);
        let pair = Pair { a: 0, b: 1 };
        assert_eq!(exact, [pair]);
        let verdict = |contract, found: &[Pair]| {
            difference(&frame, &exact, &Promise::from(contract), found).map(|(wrong, _)| wrong)
        };
        let refined = |by| Contract::Refined { by, also: None, margin: 0.0 };
        assert_eq!(verdict(refined(Refinement::Obb), &[]), None);
        assert_eq!(verdict(refined(Refinement::Obb), &[pair]), Some(Wrong::Extra));
        assert_eq!(verdict(refined(Refinement::Sphere), &[]), Some(Wrong::Missed), "the spheres overlap");
        assert_eq!(verdict(refined(Refinement::Kdop14), &[]), None);
        assert_eq!(verdict(refined(Refinement::Kdop14), &[pair]), None);
        assert_eq!(verdict(Contract::OrientedBoxes, &[pair]), Some(Wrong::Extra));
        assert_eq!(verdict(Contract::OrientedBoxes, &[]), None);
        assert_eq!(verdict(Contract::OrientedSubset, &[pair]), None);
        assert_eq!(verdict(Contract::OrientedSubset, &[]), None);
        assert_eq!(verdict(Contract::Spheres, &[]), Some(Wrong::Missed));
    }

    #[test]
    fn filters_count() {
        let (boxes, changes) = (boxes(), Changes::default());
        let filters = [Filter::STATIC, Filter::STATIC, Filter::default(), Filter::default()];
        let frame = Frame { boxes: &boxes, changes: &changes, filters: &filters, bounds: &[] };
        let exact = oracle::brute_force(&frame);
        assert_eq!(exact, []);
        let found = difference(&frame, &exact, &Promise::EXACT, &[Pair { a: 0, b: 1 }]);
        assert_eq!(found, Some((Wrong::Extra, Pair { a: 0, b: 1 })));
    }
}
