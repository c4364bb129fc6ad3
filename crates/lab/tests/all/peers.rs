//! The broad phases of other engines miss nothing on our frames: the bridge to them carries every
//! box and every pair.

use std::time::Duration;

use carom_lab::pairs::contest::{Ending, Terms, contest};
use carom_lab::pairs::{AnyFrames, Entrants, open};
use carom_scene::swarm::SWARMS;

const TERMS: Terms =
    Terms { frames: 12, warmup: 1, threads: 1, verify: true, budget: Duration::from_secs(600) };

fn run(source: &str) {
    let Entrants(entrants) = "peers,aabb".parse().unwrap();
    let report = match open(source).unwrap() {
        AnyFrames::Plane(mut frames) => contest(&mut *frames, &entrants, &TERMS, || ()).unwrap(),
        AnyFrames::Space(mut frames) => contest(&mut *frames, &entrants, &TERMS, || ()).unwrap(),
    };
    assert_eq!(report.difference, None, "{source}");
    assert_eq!(report.frames, 14);
    let own = report.figures.last().unwrap();
    for figures in &report.figures {
        assert_eq!((figures.ending, figures.times.len()), (Ending::Done, 12), "{source}: {}", figures.name);
        assert!(figures.pairs >= own.pairs, "{source}: {}", figures.name);
    }
}

#[test]
fn peers_miss_nothing_in_any_swarm() {
    for swarm in SWARMS {
        for d in [2, 3] {
            run(&format!("{}:700?d={d}", swarm.name));
        }
    }
}

#[test]
fn peers_miss_nothing_in_scenes_with_static_bodies() {
    for scene in ["box:300", "pile:4", "joints:3", "random2d:200", "bowling-alley"] {
        run(scene);
    }
}

#[test]
fn other_narrow_phases_answer_about_hulls_as_the_reference_does() {
    use carom_lab::narrow::{Question, Regime, Start, measure, peers, task};
    let mut contestants = peers::all();
    let mut seen = Vec::new();
    for places in task::tasks("hull30–hull30", 8) {
        for question in [Question::Distance, Question::Touch, Question::Depth] {
            let row = measure(&places.asking(question, Start::Cold), &mut contestants, 1);
            for figures in row.figures {
                // GJK of FCL stops 1e-6 away, depths of MPR and of one contact point are bounds.
                let limit = match (question, places.regime) {
                    (Question::Distance | Question::Touch, _) => 1e-3,
                    (_, Regime::Deep) => 0.2,
                    _ => 2e-2,
                };
                assert!(figures.worst <= limit, "{} {}: {figures:?}", question.name(), places.regime.name());
                seen.push(figures.name);
            }
        }
    }
    for name in ["parry", "fcl", "fcl-indep", "libccd-gjk", "libccd-mpr"] {
        assert!(seen.contains(&name), "{name} was not asked");
    }
}
