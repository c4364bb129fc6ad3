//! Which method for a scene, and why, in words; with how far such predictions were off on scenes
//! they had not seen.

use carom_broadphase::Method;
use carom_broadphase::auto::features::Features;
use carom_broadphase::auto::fitted::FITTED;

use super::fit::{band, errors};
use super::look::Seen;
use super::regret::{Chooser, Summary};
use super::sample::{self, Sample};

/// Samples of scenes held out, as they were measured when the models were fitted.
const CHECKED: &str = include_str!("data/held-out.jsonl");
/// Beyond these the models were never compared with anything.
const MOST_BOXES: f32 = 64_000.0;
const MOST_OVERLAPS: f32 = 30.0;
/// A method that takes this much longer than the best was bad advice, if the intervals lie apart.
pub const CLEARLY: f64 = 1.25;

/// What a method is expected to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The method.
    pub method: Method,
    /// Microseconds per frame.
    pub us: f64,
    /// In nine of ten scenes held out, what was measured lay above this, by the same factor,
    pub low: f64,
    /// and below this.
    pub high: f64,
}

/// Which method, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// What the scene is like.
    pub seen: Seen,
    /// All methods that have a model, cheapest first; the first is the advice.
    pub predictions: Vec<Prediction>,
    /// Why the first, a sentence.
    pub reason: String,
    /// What speaks against trusting it.
    pub doubts: Vec<String>,
    /// How such advice did on the scenes held out.
    pub record: Summary,
}

impl Advice {
    /// The method to take; `None` if nothing ever moves, so that all are alike.
    #[must_use]
    pub fn method(&self) -> Option<Method> {
        self.predictions.first().filter(|_| self.seen.stirred > 0).map(|prediction| prediction.method)
    }

    /// The methods whose bands reach below the predicted time of the first, it among them: the
    /// models cannot tell them apart.
    #[must_use]
    pub fn alike(&self) -> Vec<Method> {
        let Some(best) = self.predictions.first() else { return Vec::new() };
        self.predictions.iter().filter(|p| p.low <= best.us).map(|p| p.method).collect()
    }
}

/// The samples of scenes held out that came with this version.
#[must_use]
pub fn held_out() -> Vec<Sample> {
    sample::parse(CHECKED).samples
}

/// Advises on what was seen.
#[must_use]
pub fn advise(seen: &Seen) -> Advice {
    let checked = held_out();
    let mut predictions: Vec<Prediction> = FITTED
        .iter()
        .map(|model| {
            let us = f64::from(model.cost(&seen.features)) / 1000.0;
            let (low, high) = band(&errors(model, &checked));
            Prediction { method: model.method, us, low: low.min(1.0) * us, high: high.max(1.0) * us }
        })
        .collect();
    predictions.sort_by(|a, b| a.us.total_cmp(&b.us));
    let record = Summary::of(&Chooser::Fitted(FITTED.to_vec()).regrets(&checked));
    let reason = match predictions.first() {
        _ if seen.stirred == 0 => {
            "Nothing moved: an update without changes returns at once, whatever the method.".to_owned()
        }
        Some(best) => reason(best.method, &seen.features),
        None => String::new(),
    };
    Advice { seen: *seen, predictions, reason, doubts: doubts(seen), record }
}

/// Why a method suits a scene.
fn reason(method: Method, features: &Features) -> String {
    let Features { boxes, moving, crowding, motion, .. } = *features;
    let share = 100.0 * moving / boxes.max(1.0);
    let load = features.sweep_load();
    match method {
        Method::Aabb => format!(
            "There are so few boxes that testing all {:.0} pairs, eight at a time, is cheaper than keeping anything in order.",
            0.5 * boxes * (boxes - 1.0)
        ),
        Method::Sap => format!(
            "What moves goes {motion:.2} edges per frame: the order of the last frame along each axis is nearly right, and mending it is \
             cheaper than finding the pairs anew."
        ),
        Method::BoxPruning => format!(
            "Along its best axis a box shares its place with about {load:.0} others only, so one sort and one sweep are enough."
        ),
        Method::MultiSap => format!(
            "Nearly everything moves, and one sweep would test a box against {load:.0} others: sweeps in columns are short, and nothing \
             is kept that motion would spoil."
        ),
        Method::BucketPruning if share < 50.0 => format!(
            "{share:.1} % of the boxes move: what rests stays in its buckets, and only the others are dealt out again."
        ),
        Method::BucketPruning => format!(
            "Nearly everything moves, and one sweep would test a box against {load:.0} others: buckets that follow the density keep \
             the sweeps short."
        ),
        Method::Bvh => format!(
            "Each box overlaps about {crowding:.1} others: a tree built anew in every frame finds them without long sweeps."
        ),
        Method::BvhRefit => {
            format!(
                "{share:.1} % of the boxes move: the tree of the last frame is kept, and only the movers are looked up."
            )
        }
        other => format!("Best for: {}.", other.about().best),
    }
}

/// What lies outside of what was measured.
fn doubts(seen: &Seen) -> Vec<String> {
    let Features { boxes, crowding, .. } = seen.features;
    let mut doubts = Vec::new();
    if boxes > MOST_BOXES {
        doubts.push(format!(
            "{boxes} boxes are more than were measured (60 000): the prediction goes beyond what it was fitted on"
        ));
    }
    if crowding > MOST_OVERLAPS && boxes > 2.0 * MOST_OVERLAPS {
        doubts.push(format!("a box overlaps {crowding:.0} others: such crowds were not measured"));
    }
    if seen.stirred > 0 && 2 * seen.stirred < seen.steps {
        let rest = seen.steps - seen.stirred;
        doubts.push(format!(
            "in {rest} of {} frames nothing moved: the figures are those of the others",
            seen.steps
        ));
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::super::aabb_trace::{AabbTrace, AnyAabbTrace};
    use super::super::look::look;
    use super::super::situation::Situation;
    use super::super::source::{Moved, open};
    use super::*;

    fn advice_for(situation: Situation) -> Advice {
        advise(&look(&AabbTrace::record(&mut situation.cloud(), 16)).unwrap())
    }

    #[test]
    fn four_boxes_are_all_tested() {
        let advice = advice_for(Situation { n: 4, motion: 1.0, ..Situation::USUAL });
        assert_eq!(advice.method(), Some(Method::Aabb), "{advice:?}");
        assert!(advice.reason.contains("all 6 pairs"), "{}", advice.reason);
    }

    #[test]
    fn fifty_thousand_boxes_at_rest_need_no_advice() {
        let trace = open("at-rest:50000", Moved::Freely, 8).unwrap();
        let advice = advise(&trace.look().unwrap());
        assert_eq!(advice.method(), None);
        assert!(advice.reason.starts_with("Nothing moved"), "{}", advice.reason);
    }

    #[test]
    fn many_boxes_of_which_few_move_are_kept() {
        let advice = advice_for(Situation { n: 50_000, share: 0.001, ..Situation::USUAL });
        let kept = [Method::BucketPruning, Method::BvhRefit, Method::Sap];
        assert!(advice.method().is_some_and(|method| kept.contains(&method)), "{:?}", advice.predictions);
    }

    #[test]
    fn sizes_that_differ_by_hundreds_are_advised_as_measured() {
        // In the samples, the grids take 1.5 times as long as the best here, and testing every pair
        // ten times.
        let advice = advice_for(Situation { n: 4000, ratio: 300.0, ..Situation::USUAL });
        let method = advice.method().unwrap();
        assert!(![Method::Aabb, Method::Grid, Method::HierGrid].contains(&method), "{method}");
    }

    #[test]
    fn bands_hold_the_prediction_and_the_record_is_that_of_the_check() {
        let advice = advice_for(Situation::USUAL);
        assert_eq!(advice.predictions.len(), FITTED.len());
        for p in &advice.predictions {
            assert!(p.low <= p.us && p.us <= p.high && p.low > 0.0, "{p:?}");
        }
        assert!(advice.predictions.is_sorted_by(|a, b| a.us <= b.us));
        assert_eq!(advice.record.count, held_out().len());
        assert!(advice.record.mean >= 1.0 && advice.alike().contains(&advice.method().unwrap()));
    }

    #[test]
    fn beyond_the_survey_there_are_doubts() {
        let usual = advice_for(Situation::USUAL);
        assert_eq!(usual.doubts, [""; 0]);
        let features = Features { boxes: 1e6, crowding: 500.0, ..usual.seen.features };
        let far = advise(&Seen { features, steps: 100, stirred: 10 });
        assert_eq!(far.doubts.len(), 3, "{:?}", far.doubts);
    }

    #[test]
    fn nothing_and_one_box_are_no_trouble() {
        for source in ["brownian:1", "brownian:1?d=2"] {
            let advice = advise(&open(source, Moved::Freely, 10).unwrap().look().unwrap());
            assert!(advice.predictions.iter().all(|p| p.us.is_finite()), "{advice:?}");
        }
        let empty =
            AnyAabbTrace::Space(AabbTrace::record(&mut Situation { n: 0, ..Situation::USUAL }.cloud(), 3));
        assert_eq!(advise(&empty.look().unwrap()).method(), None);
    }
}
