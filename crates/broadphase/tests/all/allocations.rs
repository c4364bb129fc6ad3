//! An update allocates nothing once its buffers have grown.

use carom_broadphase::{Choice, Space};
use carom_geometry::Aabb;

/// The boxes of a gas at a step: they creep, and now and then they all jump.
fn place(at: usize, step: usize) -> Aabb<3> {
    let number = |k: usize| ((at * (31 + 2 * k) + k * 7) as f32 * 0.618).fract() * 20.0;
    let jump = if step % 50 >= 40 { (step % 10) as f32 } else { 0.0 };
    let shift = |k: usize| ((step as f32) * 0.003 * (at % 7 + k) as f32).fract() + jump * (at % 3) as f32;
    let min: [f32; 3] = std::array::from_fn(|k| number(k) + shift(k));
    Aabb { min, max: min.map(|c| c + 1.0) }
}

#[test]
fn the_steady_state_allocates_nothing() {
    for name in [
        "none",
        "aabb",
        "sphere",
        "obb",
        "sap",
        "sapobb",
        "sap+sphere",
        "multi-sap+kdop14",
        "sap+kdop18",
        "aabb+kdop26",
        "direct-sap",
        "direct-sap?sort=scratch&pairs=positions",
        "direct-sap?sort=insertion&pairs=hash",
        "incremental-sap",
        "incremental-sap?update=delta",
        "multi-sap",
    ] {
        let choice: Choice = name.parse().unwrap();
        let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
        (0..700).for_each(|at| {
            space.insert(place(at, 0)).unwrap();
        });
        let mut boxes: Vec<Aabb<3>> = Vec::with_capacity(700);
        let mut run = |steps: std::ops::Range<usize>| {
            let mut pairs = 0;
            for step in steps {
                boxes.clear();
                boxes.extend((0..700).map(|at| place(at, step)));
                space.set_boxes(&boxes).unwrap();
                pairs += space.update().len();
            }
            pairs
        };
        assert!(run(1..160) > 1000, "{name}: boxes must meet");
        let measured = allocation_counter::measure(|| {
            run(160..260);
        });
        // A buffer may still reach a new record length now and then; anything per update would
        // count a hundred.
        assert!(measured.count_total <= 8, "{name}: {} allocations in 100 updates", measured.count_total);
    }
}
