//! The recorded calls through every method: first all answers compared, then timed.

use std::hint::black_box;
use std::time::Instant;

use carom_geometry::{Polytope, Pose, Real};
use carom_narrowphase::alternatives::mpr;
use carom_narrowphase::alternatives::vclip::WitnessCache;
use carom_narrowphase::gjk;
use carom_narrowphase::sat::search::{SatScratch, deepest_axis};
use carom_narrowphase::vclip::{VClip, Witness, facing};

use crate::simulation::{self, MARGIN};

/// Rounds over all methods; the best counts.
const ROUNDS: usize = 5;

/// A call in the precision of the run, with the number of its pair.
struct Call<S: Real> {
    ids: [u32; 2],
    kinds: [usize; 2],
    pair: usize,
    pose: Pose<S>,
}

struct Replay<S: Real> {
    shapes: Vec<Polytope<S>>,
    /// Separating axes are sought in single precision.
    single: Vec<Polytope<f32>>,
    frames: Vec<Vec<Call<S>>>,
    pairs: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    VClipCache,
    VClipRecord,
    VClipVertices,
    VClipFacing,
    GjkCold,
    GjkWarm,
    Mpr,
    Sat,
}

const WAYS: [(Way, &str); 8] = [
    (Way::VClipCache, "V-Clip, cache"),
    (Way::VClipRecord, "V-Clip, witness in the pair's record"),
    (Way::VClipVertices, "V-Clip, from vertex 0"),
    (Way::VClipFacing, "V-Clip, from facing vertices"),
    (Way::GjkCold, "GJK and EPA, cold"),
    (Way::GjkWarm, "GJK and EPA, warm"),
    (Way::Mpr, "MPR, depth only"),
    (Way::Sat, "SAT, nothing kept, f32, depth only"),
];

impl<S: Real> Replay<S> {
    fn new(shapes: &[Polytope<f64>; 3], frames: &[Vec<simulation::Call>]) -> Self {
        let mut names: Vec<[u32; 2]> = frames.iter().flatten().map(|call| call.ids).collect();
        names.sort_unstable();
        names.dedup();
        let call = |call: &simulation::Call| Call {
            ids: call.ids,
            kinds: call.kinds.map(usize::from),
            pair: names.binary_search(&call.ids).unwrap(),
            pose: call.relative_pose.to::<S>(),
        };
        Self {
            shapes: shapes.iter().map(Polytope::to).collect(),
            single: shapes.iter().map(Polytope::to).collect(),
            frames: frames.iter().map(|frame| frame.iter().map(call).collect()).collect(),
            pairs: names.len(),
        }
    }

    /// Asks every call; `heed` gets each distance, infinite where a method knows only that the two
    /// are apart.
    fn ask(&self, way: Way, mut heed: impl FnMut(S)) -> Asked {
        let query = VClip::default();
        let mut cache = WitnessCache::default();
        let mut witnesses = vec![Witness::VERTICES; if way == Way::VClipRecord { self.pairs } else { 0 }];
        let mut simplices =
            vec![gjk::SimplexCache::<S>::new(); if way == Way::GjkWarm { self.pairs } else { 0 }];
        let mut axes = SatScratch::default();
        let mut steps = 0;
        let start = Instant::now();
        for frame in &self.frames {
            for call in frame {
                let [a, b] = call.kinds.map(|kind| &self.shapes[kind]);
                let pose = &call.pose;
                let mut clip = |seed: Witness| {
                    let answer = query.solve(a, b, pose, seed);
                    steps += u64::from(answer.steps);
                    let near = answer.separation().unwrap_or_else(|| answer.depth(a, b, pose));
                    heed(near.distance);
                    answer.witness
                };
                match way {
                    Way::VClipCache => {
                        let [first, second] = call.ids;
                        let seed = cache.get(first, second).unwrap_or_else(|| facing(a, b, pose));
                        let witness = clip(seed);
                        cache.set(first, second, witness);
                    }
                    Way::VClipRecord => witnesses[call.pair] = clip(witnesses[call.pair]),
                    Way::VClipVertices => drop(black_box(clip(Witness::VERTICES))),
                    Way::VClipFacing => drop(black_box(clip(facing(a, b, pose)))),
                    Way::GjkCold => heed(gjk::proximity(a, b, pose, &mut gjk::SimplexCache::new()).distance),
                    Way::GjkWarm => heed(gjk::proximity(a, b, pose, &mut simplices[call.pair]).distance),
                    Way::Mpr => {
                        let found = mpr::penetration(a, b, pose, mpr::DEFAULT_RAYS);
                        heed(found.map_or(S::INFINITY, |found| -black_box(found).depth));
                    }
                    Way::Sat => {
                        // As in the thesis nothing is kept from call to call; the first axis with a
                        // gap ends the search.
                        let [a, b] = call.kinds.map(|kind| &self.single[kind]);
                        let axis = deepest_axis(a, b, &pose.to::<f32>(), 0.0, 0.0, &mut axes);
                        let gap = axis.cache.separation;
                        heed(if gap > 0.0 { S::INFINITY } else { S::of(f64::from(gap)) });
                    }
                }
            }
            cache.advance();
        }
        let counters = cache.counters();
        Asked { seconds: start.elapsed().as_secs_f64(), steps, hits: counters.hits }
    }
}

struct Asked {
    seconds: f64,
    steps: u64,
    hits: u64,
}

/// Compares all methods, then times them. Distances may differ by `tolerance`.
pub(crate) fn all<S: Real>(shapes: &[Polytope<f64>; 3], frames: &[Vec<simulation::Call>], tolerance: f64) {
    let replay = Replay::<S>::new(shapes, frames);
    let calls = frames.iter().map(Vec::len).sum::<usize>();
    let mut expected = Vec::with_capacity(calls);
    replay.ask(Way::GjkCold, |distance| expected.push(distance.to_f64()));
    for (way, name) in WAYS {
        let (mut at, mut worst) = (0, 0.0f64);
        replay.ask(way, |distance| {
            let (distance, truth) = (distance.to_f64(), expected[at]);
            let off = match way {
                // It tells only whether the two overlap, and about how deep.
                Way::Mpr => {
                    if (distance <= 0.0) == (truth <= 0.0) {
                        0.0
                    } else {
                        truth.abs()
                    }
                }
                // Single precision: the depth, or that there is none.
                Way::Sat => {
                    let off = if distance <= 0.0 { (distance - truth).abs() } else { (-truth).max(0.0) };
                    if off <= 1e-4 { 0.0 } else { off }
                }
                _ => (distance - truth).abs(),
            };
            worst = worst.max(off);
            at += 1;
        });
        println!("{name}: differs from GJK and EPA by {worst:.1e} at most");
        assert!(at == calls && worst <= tolerance, "{name} is wrong");
    }
    let share = |test: &dyn Fn(f64) -> bool| {
        100.0 * expected.iter().filter(|&&d| test(d)).count() as f64 / calls as f64
    };
    println!(
        "{} pairs; {:.2} % of the calls penetrate, {:.1} % are within the margin",
        replay.pairs,
        share(&|d| d <= 0.0),
        share(&|d| d <= MARGIN)
    );
    let mut best = WAYS.map(|_| f64::INFINITY);
    let mut asked: [Option<Asked>; WAYS.len()] = WAYS.map(|_| None);
    for round in 0..ROUNDS {
        // Another order each time, so that none profits from what the one before left in the
        // processor's caches.
        for k in 0..WAYS.len() {
            let which = (k * 3 + round) % WAYS.len();
            let mut sum = S::ZERO;
            let found = replay.ask(WAYS[which].0, |distance| sum += distance);
            black_box(sum);
            best[which] = best[which].min(found.seconds);
            asked[which] = Some(found);
        }
    }
    println!("{:<40} {:>10} {:>10} {:>8} {:>8}", "", "total ms", "ns a call", "steps", "hits %");
    for (which, (_, name)) in WAYS.iter().enumerate() {
        let found = asked[which].as_ref().unwrap();
        let per = |n: u64| n as f64 / calls as f64;
        println!(
            "{name:<40} {:>10.1} {:>10.1} {:>8.2} {:>8.1}",
            best[which] * 1e3,
            best[which] * 1e9 / calls as f64,
            per(found.steps),
            100.0 * per(found.hits)
        );
    }
}
