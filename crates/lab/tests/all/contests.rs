//! Contests repeat: pairs and work of a frame do not depend on who else takes part, nor on the
//! clock.

use std::time::Duration;

use carom_lab::pairs::contest::{ContenderMetrics, Ending, Terms, contest};
use carom_lab::pairs::{AnyFrames, Entrants, open};

const TERMS: Terms =
    Terms { frames: 6, warmup: 2, threads: 1, verify: true, budget: Duration::from_secs(600) };

fn run(source: &str, list: &str, terms: &Terms) -> Vec<ContenderMetrics> {
    let Entrants(entrants) = list.parse().unwrap();
    let mut seen = 0;
    let report = match open(source).unwrap() {
        AnyFrames::Plane(mut frames) => contest(&mut *frames, &entrants, terms, || seen += 1).unwrap(),
        AnyFrames::Space(mut frames) => contest(&mut *frames, &entrants, terms, || seen += 1).unwrap(),
    };
    assert_eq!(report.difference, None, "{source}");
    assert_eq!(report.frames, seen);
    report.figures
}

#[test]
fn pairs_and_work_do_not_depend_on_company_or_threads() {
    for source in ["churn:2500", "clusters:1500?d=2", "box:200"] {
        let together = run(source, "aabb,sap,grid,bvh", &TERMS);
        for (at, name) in ["aabb", "sap", "grid", "bvh"].into_iter().enumerate() {
            let alone = run(source, name, &Terms { threads: 2, ..TERMS });
            let [alone] = alone.as_slice() else { panic!("one took part") };
            assert_eq!(
                (alone.pairs, alone.work),
                (together[at].pairs, together[at].work),
                "{source}: {name}"
            );
            assert_eq!((alone.ending, alone.times.len()), (Ending::Done, 6));
        }
    }
}

#[test]
fn what_is_over_its_budget_keeps_its_figures() {
    let terms = Terms { frames: 100_000, budget: Duration::from_millis(30), verify: false, ..TERMS };
    let figures = run("brownian:2000", "aabb", &terms);
    let Ending::OverBudget { frames } = figures[0].ending else { panic!("{:?}", figures[0].ending) };
    assert_eq!(figures[0].times.len() as u64, frames);
    assert!(figures[0].set_up.is_some() && figures[0].pairs > 0 && figures[0].bytes.is_some());
}
