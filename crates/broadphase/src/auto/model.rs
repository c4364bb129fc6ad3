//! The cost model: nanoseconds per update from features of the scene.
//!
//! The work of a method is a sum of terms, each a plain function of the features ([`terms`]), and
//! every term has its price. Prices are not written by hand: `carom advise --measure` fits them to
//! measurements and checks them on scenes they were not fitted on (`docs/advise.md`), and
//! [`fitted`](super::fitted) holds the result. Only proportions matter for a choice. A model
//! predicts what an update costs in which something moves, once the method is running.

pub use super::features::Features;
use carom_core::trig::log2;

use super::fitted::FITTED;
use crate::Method;

/// Boxes that a mover concerns, itself among them: where a quarter of the boxes moves, methods that
/// keep what rests have to look at all of them (the step at which fits err least, of 3, 4, 5, 8 and
/// 12).
const CONCERNED: f32 = 4.0;
/// Exchanges per box, in the units of [`Term::Exchanges`], at which `sap` gives up its order and
/// starts anew.
const GIVEN_UP: f32 = 0.7;
/// So many boxes to one that moves, and `sap` searches endpoints instead of walking along its axes.
const BOXES_PER_SEARCH: f32 = 64.0;

/// What work depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// 1: what every update costs.
    Once,
    /// The boxes.
    Boxes,
    /// Those that move.
    Movers,
    /// Boxes times the logarithm of their number: sorting, building trees.
    BoxLevels,
    /// Movers times the same: looking up in trees.
    MoverLevels,
    /// Tests of a sweep along the best axis.
    SweepTests,
    /// Every pair.
    AllPairs,
    /// Pairs that overlap.
    Overlaps,
    /// Those of them with a mover, about.
    MoverOverlaps,
    /// Movers and what lies about them, at most all boxes.
    Concerned,
    /// Pairs of those.
    ConcernedOverlaps,
    /// Exchanges of neighbours in sorted axes, as long as the order is followed.
    Exchanges,
    /// Boxes, if axes are walked along.
    Walked,
    /// Movers, if they are searched in the axes.
    Searched,
    /// Movers by how far they go, at most an edge.
    Strides,
    /// Boxes by how much they share even of the worst axis.
    Spread,
    /// Boxes by how much larger than the mean the largest is.
    Sizes,
}

/// All terms, in the order of prices.
pub const TERMS: [Term; 17] = [
    Term::Once,
    Term::Boxes,
    Term::Movers,
    Term::BoxLevels,
    Term::MoverLevels,
    Term::SweepTests,
    Term::AllPairs,
    Term::Overlaps,
    Term::MoverOverlaps,
    Term::Concerned,
    Term::ConcernedOverlaps,
    Term::Exchanges,
    Term::Walked,
    Term::Searched,
    Term::Strides,
    Term::Spread,
    Term::Sizes,
];

/// The terms of a scene.
#[must_use]
pub fn terms(features: &Features) -> [f32; TERMS.len()] {
    let Features { boxes, moving, best_part, worst_part, crowding, size_ratio, motion } = *features;
    let moving = moving.max(1.0);
    let levels = log2(boxes + 1.0);
    let concerned = boxes.min(CONCERNED * moving);
    let is_searched = BOXES_PER_SEARCH * moving < boxes;
    TERMS.map(|term| match term {
        Term::Once => 1.0,
        Term::Boxes => boxes,
        Term::Movers => moving,
        Term::BoxLevels => boxes * levels,
        Term::MoverLevels => moving * levels,
        Term::SweepTests => boxes * features.sweep_load(),
        Term::AllPairs => boxes * boxes,
        Term::Overlaps => boxes * crowding,
        Term::MoverOverlaps => moving * crowding,
        Term::Concerned => concerned,
        Term::ConcernedOverlaps => concerned * crowding,
        Term::Exchanges => (moving * boxes * best_part * motion).min(GIVEN_UP * boxes),
        Term::Walked => {
            if is_searched {
                0.0
            } else {
                boxes
            }
        }
        Term::Searched => {
            if is_searched {
                moving
            } else {
                0.0
            }
        }
        Term::Strides => moving * motion.min(1.0),
        Term::Spread => boxes * worst_part,
        Term::Sizes => boxes * (size_ratio - 1.0),
    })
}

/// The model of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The method.
    pub method: Method,
    /// Nanoseconds per unit of each term.
    pub prices: [f32; TERMS.len()],
}

impl Fitted {
    /// Nanoseconds of an update.
    #[must_use]
    pub fn cost(&self, features: &Features) -> f32 {
        self.price_of(&terms(features))
    }

    fn price_of(&self, terms: &[f32; TERMS.len()]) -> f32 {
        terms.iter().zip(&self.prices).map(|(amount, price)| amount * price).sum()
    }
}

/// The methods that `auto` chooses from: those that were the fastest somewhere.
pub const CANDIDATES: [Method; 7] = [
    Method::Aabb,
    Method::Sap,
    Method::MultiSap,
    Method::BoxPruning,
    Method::BucketPruning,
    Method::Bvh,
    Method::BvhRefit,
];

/// Nanoseconds of an update in which something moves; infinite for methods that have no model.
#[must_use]
pub fn cost(method: Method, features: &Features) -> f32 {
    let model = FITTED.iter().find(|model| model.method == method);
    model.map_or(f32::INFINITY, |model| model.cost(features))
}

/// The cheapest candidate.
#[must_use]
pub fn cheapest(features: &Features) -> Method {
    cheapest_of(&FITTED, features)
}

/// The cheapest candidate by other models than the built-in ones.
#[must_use]
pub fn cheapest_of(models: &[Fitted], features: &Features) -> Method {
    let terms = terms(features);
    let mut best = (Method::BucketPruning, f32::INFINITY);
    for model in models.iter().filter(|model| CANDIDATES.contains(&model.method)) {
        let cost = model.price_of(&terms);
        if cost < best.1 {
            best = (model.method, cost);
        }
    }
    best.0
}

/// Why this method, in a few words.
#[must_use]
pub fn reason(method: Method, features: &Features) -> String {
    let mut costs: Vec<(f32, Method)> =
        CANDIDATES.into_iter().map(|candidate| (cost(candidate, features), candidate)).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shown: Vec<String> =
        costs.iter().map(|(cost, candidate)| format!("{candidate} {}", microseconds(*cost))).collect();
    let Features { boxes, moving, .. } = features;
    let why = if method == cheapest(features) { "cheapest" } else { "no other is clearly cheaper" };
    format!("{why} for {boxes} boxes of which {moving} move ({})", shown.join(", "))
}

fn microseconds(nanoseconds: f32) -> String {
    if nanoseconds < 1e6 {
        format!("{:.1} µs", nanoseconds * 1e-3)
    } else {
        format!("{:.1} ms", nanoseconds * 1e-6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(boxes: f32, moving: f32, part: f32, motion: f32) -> Features {
        let crowding = boxes * 8.0 * part * part * part;
        Features { boxes, moving, best_part: part, worst_part: part, crowding, size_ratio: 1.0, motion }
    }

    #[test]
    fn terms_are_those_of_known_features() {
        let features = Features { best_part: 0.01, worst_part: 0.5, ..even(1023.0, 100.0, 0.1, 0.5) };
        let terms = terms(&Features { crowding: 2.0, size_ratio: 3.0, ..features });
        let of = |term: Term| terms[term as usize];
        assert_eq!([of(Term::Once), of(Term::Boxes), of(Term::Movers)], [1.0, 1023.0, 100.0]);
        assert_eq!([of(Term::BoxLevels), of(Term::MoverLevels)], [10_230.0, 1000.0]);
        assert!((of(Term::SweepTests) / (1023.0 * 10.23) - 1.0).abs() < 1e-6);
        assert_eq!([of(Term::Overlaps), of(Term::MoverOverlaps)], [2046.0, 200.0]);
        assert_eq!([of(Term::Concerned), of(Term::ConcernedOverlaps)], [400.0, 800.0]);
        assert!((of(Term::Exchanges) / (100.0 * 1023.0 * 0.005) - 1.0).abs() < 1e-6);
        assert_eq!([of(Term::Walked), of(Term::Searched), of(Term::Strides)], [1023.0, 0.0, 50.0]);
        assert_eq!([of(Term::Spread), of(Term::Sizes)], [511.5, 2046.0]);
    }

    #[test]
    fn every_term_has_the_place_of_its_name() {
        for (at, term) in TERMS.into_iter().enumerate() {
            assert_eq!(term as usize, at, "{term:?}");
        }
    }

    #[test]
    fn every_candidate_has_a_model_with_prices_that_are_not_negative() {
        for method in CANDIDATES {
            assert!(FITTED.iter().any(|model| model.method == method), "{method}");
        }
        for model in FITTED {
            assert!(model.prices.iter().all(|price| *price >= 0.0 && price.is_finite()), "{model:?}");
            assert!(model.prices.iter().any(|price| *price > 0.0), "{model:?}");
        }
    }

    #[test]
    fn choices_follow_the_measurements_at_the_ends() {
        // Four boxes; many of which few move; many that all jump: what the samples say, by factors
        // of two and more.
        assert_eq!(cheapest(&even(4.0, 4.0, 0.3, 1.0)), Method::Aabb);
        let few = cheapest(&even(50_000.0, 50.0, 0.01, 0.5));
        assert!([Method::BucketPruning, Method::BvhRefit].contains(&few), "{few}");
        let all = even(50_000.0, 50_000.0, 0.01, 1.0);
        assert!(![Method::Aabb, Method::BoxPruning].contains(&cheapest(&all)));
        // Small steps of few hundred boxes: the order is kept.
        assert_eq!(cheapest(&even(800.0, 800.0, 0.04, 0.002)), Method::Sap);
    }

    #[test]
    fn costs_are_numbers_whatever_the_features() {
        for features in [Features::default(), even(1.0, 0.0, 1.0, 0.0), even(5e8, 5e8, 1.0, 1e9)] {
            for method in CANDIDATES {
                assert!(cost(method, &features) >= 0.0, "{method} {features:?}");
            }
            assert!(CANDIDATES.contains(&cheapest(&features)));
        }
        assert_eq!(cost(Method::Octree, &Features::default()), f32::INFINITY);
    }

    #[test]
    fn reasons_name_the_cheapest_first() {
        let features = even(100.0, 100.0, 0.1, 1.0);
        let best = cheapest(&features);
        let said = reason(best, &features);
        assert!(
            said.starts_with("cheapest for 100 boxes of which 100 move (")
                && said.contains(&format!("({best} "))
        );
        assert!(reason(Method::Octree, &features).starts_with("no other is clearly cheaper"));
    }
}
