//! The models of `auto` are what the committed measurements say.

use carom_broadphase::auto::fitted::FITTED;
use carom_broadphase::auto::model::CANDIDATES;
use carom_lab::advise::aabb_trace::AabbTrace;
use carom_lab::advise::advice::held_out;
use carom_lab::advise::fit::fit;
use carom_lab::advise::look::look;
use carom_lab::advise::measure::Effort;
use carom_lab::advise::regret::{Chooser, Summary};
use carom_lab::advise::sample::{Sample, parse};
use carom_lab::advise::survey::{HELD_OUT, Survey};

fn samples() -> Vec<Sample> {
    let kept = parse(include_str!("../../src/advise/data/samples.jsonl"));
    assert_eq!(kept.spoilt, 0);
    kept.samples
}

#[test]
fn the_models_built_in_are_those_of_the_samples() {
    let models = fit(&samples());
    assert_eq!(models.len(), FITTED.len());
    for (found, built_in) in models.iter().zip(&FITTED) {
        assert_eq!(found.method, built_in.method);
        for (price, expected) in found.prices.iter().zip(&built_in.prices) {
            let off = (price - expected).abs();
            assert!(off <= 2e-3 * expected.abs(), "{}: {price} for {expected}", found.method);
        }
    }
}

#[test]
fn every_situation_and_scene_of_the_full_survey_was_measured() {
    let (samples, checks) = (samples(), held_out());
    for situation in Survey::full().situations() {
        assert!(samples.iter().any(|sample| sample.situation == Some(situation)), "{situation}");
    }
    for name in HELD_OUT {
        assert!(checks.iter().any(|sample| sample.scene == *name), "{name}");
    }
}

#[test]
fn the_features_of_the_samples_are_still_those_that_auto_sees() {
    let samples = samples();
    for sample in samples.iter().filter(|sample| sample.features.boxes < 1500.0).step_by(11) {
        let situation = sample.situation.unwrap();
        let steps = Effort::for_boxes(situation.n).steps();
        let seen = look(&AabbTrace::record(&mut situation.cloud(), steps)).unwrap();
        assert_eq!(seen.features, sample.features, "{situation}: measure anew, carom advise --measure");
    }
}

#[test]
fn the_fitted_model_chooses_no_worse_than_the_one_by_hand() {
    // On measured times that do not change: this fails if somebody makes the models or the features
    // worse.
    for (name, samples) in [("situations", samples()), ("held out", held_out())] {
        let fitted = Summary::of(&Chooser::Fitted(FITTED.to_vec()).regrets(&samples));
        let by_hand = Summary::of(&Chooser::ByHand.regrets(&samples));
        assert!(fitted.mean <= by_hand.mean, "{name}: {fitted:?} {by_hand:?}");
        assert!(fitted.worst.is_finite(), "{name}: {fitted:?}");
    }
}

#[test]
fn who_auto_chooses_from_won_somewhere() {
    let samples: Vec<Sample> = samples().into_iter().chain(held_out()).collect();
    for method in CANDIDATES {
        let wins =
            samples.iter().filter(|s| s.ranked().first().is_some_and(|best| best.method == method)).count();
        assert!(wins > 0, "{method}");
    }
}
