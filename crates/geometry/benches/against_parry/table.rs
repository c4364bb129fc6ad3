//! Timing of two sides in one run, and the table of the results.

use std::hint::black_box;
use std::time::Instant;

/// Samples per side and row.
const ROUNDS: usize = 41;
/// A sample lasts at least this long, so that the clock's grain does not matter.
const SAMPLE_SECONDS: f64 = 0.002;

/// Prints rows as they are measured and sums up at the end.
pub(crate) struct Table {
    words: Vec<String>,
    /// Take the shortest sample instead of the median: for busy machines.
    best: bool,
    slower: Vec<String>,
    rows: usize,
}

impl Table {
    pub(crate) fn new(words: Vec<String>) -> Self {
        Self::against("parry3d", words)
    }

    /// The same with another name for the other side.
    pub(crate) fn against(other: &str, words: Vec<String>) -> Self {
        let best = std::env::args().any(|a| a == "--best");
        let measure = if best { "ns per item, best" } else { "ns per item, median" };
        println!("{measure:<52} {:>10} {:>10} {:>8}", "carom", other, "ratio");
        Self { words, best, slower: Vec::new(), rows: 0 }
    }

    /// Is a row of this name asked for?
    pub(crate) fn wanted(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }

    /// A heading between rows.
    pub(crate) fn heading(&self, text: &str) {
        if self.words.is_empty() {
            println!("-- {text}");
        }
    }

    /// Measures `ours` against `theirs`; each call works through `items` items.
    pub(crate) fn row<A, B>(
        &mut self,
        name: &str,
        items: usize,
        ours: impl FnMut() -> A,
        theirs: impl FnMut() -> B,
    ) {
        self.row_with_limit(name, items, 1.0, ours, theirs);
    }

    /// The same against something other than parry3d, where a ratio up to `limit` is the goal.
    pub(crate) fn row_with_limit<A, B>(
        &mut self,
        name: &str,
        items: usize,
        limit: f64,
        mut ours: impl FnMut() -> A,
        mut theirs: impl FnMut() -> B,
    ) {
        if !self.wanted(name) {
            return;
        }
        let mut ours = || drop(black_box(ours()));
        let mut theirs = || drop(black_box(theirs()));
        let (repeat_ours, repeat_theirs) = (repeats(&mut ours), repeats(&mut theirs));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            for side in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                if side == 0 {
                    a.push(sample(&mut ours, repeat_ours));
                } else {
                    b.push(sample(&mut theirs, repeat_theirs));
                }
            }
        }
        let per_item = 1e9 / items as f64;
        let chosen = |samples| if self.best { shortest(samples) } else { median(samples) };
        let (a, b) = (chosen(a) * per_item, chosen(b) * per_item);
        let ratio = a / b;
        let mark = if ratio > limit * 1.03 { " slower" } else { "" };
        println!("{name:<52} {a:>10.2} {b:>10.2} {ratio:>8.2}{mark}");
        self.rows += 1;
        if !mark.is_empty() {
            self.slower.push(name.to_owned());
        }
    }

    pub(crate) fn finish(self) {
        println!("{} rows; beyond their goal: {}", self.rows, self.slower.len());
        for name in self.slower {
            println!("    {name}");
        }
    }
}

/// Calls that make up one sample.
fn repeats(work: &mut impl FnMut()) -> usize {
    let mut calls = 1;
    loop {
        let seconds = sample(work, calls) * calls as f64;
        if seconds >= SAMPLE_SECONDS || calls > 1 << 24 {
            return calls;
        }
        calls *= 2;
    }
}

/// Seconds per call.
fn sample(work: &mut impl FnMut(), calls: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_secs_f64() / calls as f64
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn shortest(samples: Vec<f64>) -> f64 {
    samples.into_iter().fold(f64::INFINITY, f64::min)
}

/// A reproducible source of inputs (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u64 << 24) as f32
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the cube [−size, size]³.
    pub(crate) fn vector(&mut self, size: f32) -> glam::Vec3 {
        glam::Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// A random unit quaternion (components x, y, z, w).
    pub(crate) fn quaternion(&mut self) -> [f32; 4] {
        loop {
            let q = [(); 4].map(|()| self.between(-1.0, 1.0));
            let square: f32 = q.iter().map(|c| c * c).sum();
            if square > 0.01 && square < 1.0 {
                return q.map(|c| c / square.sqrt());
            }
        }
    }
}

/// parry3d's vectors are another version of glam: the same numbers in its type.
pub(crate) fn theirs(v: glam::Vec3) -> parry3d::math::Vector {
    parry3d::math::Vector::new(v.x, v.y, v.z)
}

/// A pose of ours and the same for parry3d.
pub(crate) fn pose(random: &mut Random, reach: f32) -> (carom_geometry::Pose, parry3d::math::Pose) {
    let (t, q) = (random.vector(reach), random.quaternion());
    let rotation = carom_geometry::Rotation { xyz: glam::Vec3::new(q[0], q[1], q[2]), w: q[3] };
    let their_rotation = parry3d::math::Rotation::from_xyzw(q[0], q[1], q[2], q[3]);
    (carom_geometry::Pose::new(t, rotation), parry3d::math::Pose::from_parts(theirs(t), their_rotation))
}
