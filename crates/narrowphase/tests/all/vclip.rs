//! V-Clip on random and awkward places: its answers prove themselves.

use carom_geometry::{Polytope, Pose, Real};
use carom_narrowphase::vclip::{Perimeter, State, Status, Stepper, VClip, Witness, facing};

use crate::cases::{self, Numbers};
use crate::vclip_zoo::{any_seed, fault, zoo};

const QUERY: VClip = VClip { limit: 5000, perimeter: Perimeter::Walk };

/// Random pairs of polytopes of the zoo at random places.
fn each_pair<S: Real>(
    seed: u64,
    count: u32,
    mut check: impl FnMut(&Polytope<S>, &Polytope<S>, &Pose<S>, &mut Numbers),
) {
    let zoo: Vec<Polytope<S>> = zoo().iter().map(Polytope::to).collect();
    let mut numbers = Numbers(seed);
    for _ in 0..count {
        let [a, b] = [(); 2].map(|()| &zoo[numbers.below(zoo.len() as u64) as usize]);
        let place = numbers.place(3.0).to::<S>();
        check(a, b, &place, &mut numbers);
    }
}

fn answers_prove_themselves<S: Real>(tolerance: f64) {
    let (mut case, mut seen) = (0, [0; 2]);
    each_pair::<S>(11, cases::count(), |a, b, place, numbers| {
        case += 1;
        let perimeter = if case % 2 == 0 { Perimeter::Walk } else { Perimeter::Scan };
        let answer = VClip { perimeter, ..QUERY }.solve(a, b, place, any_seed(numbers, a, b));
        seen[usize::from(answer.is_penetrating())] += 1;
        let fault = fault(a, b, place, &answer, tolerance);
        assert_eq!(fault, None, "case {case}: {place:?} {answer:?}");
    });
    assert!(seen.iter().all(|&n| n > case / 10), "both happen: {seen:?}");
}

#[test]
fn answers_prove_themselves_from_any_seed() {
    answers_prove_themselves::<f64>(1e-12);
}

#[test]
fn answers_in_single_precision_prove_themselves() {
    answers_prove_themselves::<f32>(2e-5);
}
