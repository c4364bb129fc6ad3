//! V-Clip on random and awkward places: its answers prove themselves.

use carom_narrowphase::vclip::{Perimeter, VClip};

use crate::cases::{self, Numbers};
use crate::vclip_zoo::{any_seed, fault, zoo};

#[test]
fn answers_prove_themselves_from_any_seed() {
    let (zoo, mut numbers) = (zoo(), Numbers(11));
    let mut pick = Numbers(12);
    let mut any = || &zoo[pick.below(zoo.len() as u64) as usize];
    let (mut steps, mut most, mut penetrating, mut faults) = (0u64, 0, 0, 0);
    for case in 0..cases::count() {
        let (a, b) = (any(), any());
        let place = numbers.place(3.0);
        let seed = any_seed(&mut numbers, a, b);
        let perimeter = if case % 2 == 0 { Perimeter::Walk } else { Perimeter::Scan };
        let answer = VClip { perimeter, ..VClip::default() }.solve(a, b, &place, seed);
        steps += u64::from(answer.steps);
        most = most.max(answer.steps);
        penetrating += u32::from(answer.is_penetrating());
        if let Some(fault) = fault(a, b, &place, &answer, 1e-12) {
            faults += 1;
            if faults < 20 {
                println!("case {case}: {fault} {answer:?}");
            }
        }
    }
    println!("{} steps, most {most}, {penetrating} penetrating", steps as f64 / f64::from(cases::count()));
    assert_eq!(faults, 0);
}
