//! Oriented boxes against oriented boxes, four pairs per instruction.
//!
//! A box fills one cache line of 16 numbers; four of them are transposed into lanes in registers,
//! so that any list of pairs can be tested, not only neighbours in memory. There are three stages,
//! and pairs that one of them leaves open are gathered until four are together, so that no lane
//! runs idle:
//!
//! 1. spheres around the boxes, which are stored once more on their own so that more of them fit
//!    the nearest cache: apart or open;
//! 2. the sphere around one box, and the one in it, against the other box, both ways: apart,
//!    overlapping or open;
//! 3. the 15 axes of [`Obb::overlaps`], in the same order with the same rounding.
//!
//! The answers for finite boxes equal the scalar ones bit for bit: the first two stages decide only
//! what lies on the safe side by more than [`SLACK`](overlap::SLACK), where the third one is known
//! to decide the same. Of random pairs whose AABBs overlap (half of them overlapping) a third
//! reaches the last stage, of pairs that are mostly apart a twentieth.

use carom_core::simd::f32x4;

use super::{Obb, overlap};
use crate::simd::LANES;

/// The bits of all lanes.
const ALL: u32 = (1 << LANES) - 1;

/// Added to squares of radii that decide "apart": more than what their products, and those of the
/// distance, lose where numbers underflow.
const LEAST_SQUARE: f32 = f32::MIN_POSITIVE;

/// Spheres smaller than this do not decide "overlapping": the square of a distance that small has
/// lost its digits.
const LEAST_INNER: f32 = 1e-15;

/// Bits per word of a mask.
const WORD: usize = u64::BITS as usize;

/// A box ready for the test: centre and radius of the sphere around it, then each axis with its
/// half extent.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Packed([f32x4; 4]);

impl Packed {
    fn new(obb: &Obb) -> Self {
        let half = overlap::enlarged::<f32>(obb.half);
        let radius =
            half.length() + (overlap::SLACK + 40.0) as f32 * f32::EPSILON * (half.x + half.y + half.z);
        let (c, [x, y, z]) = (obb.centre, obb.axes.columns);
        Self([
            f32x4::new([c.x, c.y, c.z, radius]),
            f32x4::new([x.x, x.y, x.z, half.x]),
            f32x4::new([y.x, y.y, y.z, half.y]),
            f32x4::new([z.x, z.y, z.z, half.z]),
        ])
    }
}

/// Vectors of four pairs.
type Three = [f32x4; 3];

/// A box in every lane.
#[derive(Clone, Copy)]
struct FourBoxes {
    centre: Three,
    radius: f32x4,
    half: Three,
    axes: [Three; 3],
}

impl FourBoxes {
    #[inline]
    fn new(boxes: [&Packed; LANES]) -> Self {
        let [cx, cy, cz, radius] = f32x4::transpose(boxes.map(|b| b.0[0]));
        let [xx, xy, xz, hx] = f32x4::transpose(boxes.map(|b| b.0[1]));
        let [yx, yy, yz, hy] = f32x4::transpose(boxes.map(|b| b.0[2]));
        let [zx, zy, zz, hz] = f32x4::transpose(boxes.map(|b| b.0[3]));
        let axes = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]];
        Self { centre: [cx, cy, cz], radius, half: [hx, hy, hz], axes }
    }

    #[inline]
    fn offset_from(&self, other: &Self) -> Three {
        std::array::from_fn(|k| self.centre[k] - other.centre[k])
    }

    /// A vector along the axes of the boxes.
    #[inline]
    fn rotated(&self, v: &Three) -> Three {
        [dot(&self.axes[0], v), dot(&self.axes[1], v), dot(&self.axes[2], v)]
    }
}

#[inline]
fn dot(a: &Three, b: &Three) -> f32x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn sum(v: &Three) -> f32x4 {
    v[0] + v[1] + v[2]
}

#[inline]
fn absolute(v: &Three) -> Three {
    [v[0].abs(), v[1].abs(), v[2].abs()]
}

/// What the face axes leave for the edge axes.
struct Frame {
    rows: [Three; 3],
    t_in_a: Three,
}

/// The lanes that a face normal separates, as all ones.
#[inline]
fn faces(a: &FourBoxes, b: &FourBoxes) -> (f32x4, Frame) {
    let t = b.offset_from(a);
    let rows = a.axes.map(|axis| b.rotated(&axis));
    let t_in_a = a.rotated(&t);
    let size = [absolute(&rows[0]), absolute(&rows[1]), absolute(&rows[2])];
    let mut apart = f32x4::ZERO;
    for i in 0..3 {
        apart |= t_in_a[i].abs().simd_gt(dot(&b.half, &size[i]) + a.half[i]);
    }
    for j in 0..3 {
        let reach = size[0][j] * a.half[0] + size[1][j] * a.half[1] + size[2][j] * a.half[2] + b.half[j];
        apart |= dot(&b.axes[j], &t).abs().simd_gt(reach);
    }
    (apart, Frame { rows, t_in_a })
}

/// The lanes that a cross product of edges separates, as all ones.
#[inline]
fn edges(a: &Three, b: &Three, frame: &Frame) -> f32x4 {
    let least = f32x4::splat(overlap::least_gap::<f32>());
    let mut apart = f32x4::ZERO;
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (p, q) = (&frame.rows[i1], &frame.rows[i2]);
        let minors: Three = std::array::from_fn(|m| {
            let (m1, m2) = ((m + 1) % 3, (m + 2) % 3);
            (p[m1] * q[m2] - q[m1] * p[m2]).abs()
        });
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let reach = (q[j].abs() * a[i1] + p[j].abs() * a[i2]) + (b[j1] * minors[j2] + b[j2] * minors[j1]);
            let offset = (p[j] * frame.t_in_a[i2] - q[j] * frame.t_in_a[i1]).abs();
            apart |= (offset - reach).simd_gt(least);
        }
    }
    apart
}

/// Oriented boxes prepared for tests of many pairs.
///
/// ```
/// use carom_geometry::{Pose, bounds::{Obb, ObbArray}};
/// use glam::Vec3;
/// let boxes: ObbArray =
///     (0..10).map(|i| Obb::of_pose(&Pose::at(Vec3::new(1.5 * i as f32, 0.0, 0.0)), Vec3::ONE)).collect();
/// let mut mask = Vec::new();
/// boxes.overlap_pairs(&boxes, &[(0, 1), (0, 2), (4, 3)], &mut mask);
/// assert_eq!(mask, [0b101]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ObbArray {
    /// First row of each box once more: the first stage needs no more, and a fourth of the memory
    /// stays in nearer caches.
    spheres: Vec<f32x4>,
    boxes: Vec<Packed>,
}

impl<'a> FromIterator<&'a Obb> for ObbArray {
    fn from_iter<I: IntoIterator<Item = &'a Obb>>(boxes: I) -> Self {
        let mut array = Self::default();
        boxes.into_iter().for_each(|b| array.push(b));
        array
    }
}

impl FromIterator<Obb> for ObbArray {
    fn from_iter<I: IntoIterator<Item = Obb>>(boxes: I) -> Self {
        let mut array = Self::default();
        boxes.into_iter().for_each(|b| array.push(&b));
        array
    }
}

impl ObbArray {
    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// True if there is no box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// Removes all boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.spheres.clear();
        self.boxes.clear();
    }

    /// Appends a box.
    pub fn push(&mut self, obb: &Obb) {
        let packed = Packed::new(obb);
        self.spheres.push(packed.0[0]);
        self.boxes.push(packed);
    }

    /// Replaces box `index`.
    ///
    /// # Panics
    /// If there is no such box.
    pub fn set(&mut self, index: usize, obb: &Obb) {
        let packed = Packed::new(obb);
        self.spheres[index] = packed.0[0];
        self.boxes[index] = packed;
    }

    /// Overwrites `mask` with one bit per pair (box of this array, box of `other`): bit `i % 64` of
    /// word `i / 64` is set iff the boxes of pair `i` [overlap](Obb::overlaps).
    ///
    /// # Panics
    /// If a pair names a box that is not there.
    pub fn overlap_pairs(&self, other: &Self, pairs: &[(u32, u32)], mask: &mut Vec<u64>) {
        test(
            pairs.len(),
            mask,
            |i| (self.spheres[pairs[i].0 as usize], other.spheres[pairs[i].1 as usize]),
            |i| (&self.boxes[pairs[i].0 as usize], &other.boxes[pairs[i].1 as usize]),
        );
    }

    /// Overwrites `mask` with one bit per box of the array that `obb` [overlaps](Obb::overlaps). In
    /// that order: boxes within rounding of touching may be judged differently the other way round.
    pub fn overlap_mask(&self, obb: &Obb, mask: &mut Vec<u64>) {
        let first = Packed::new(obb);
        test(self.len(), mask, |i| (first.0[0], self.spheres[i]), |i| (&first, &self.boxes[i]));
    }
}

/// One bit per lane whose spheres overlap; NaN overlaps.
#[inline]
fn spheres(pairs: [(f32x4, f32x4); LANES]) -> u32 {
    let [ax, ay, az, ar] = f32x4::transpose(pairs.map(|pair| pair.0));
    let [bx, by, bz, br] = f32x4::transpose(pairs.map(|pair| pair.1));
    let (x, y, z, r) = (bx - ax, by - ay, bz - az, ar + br);
    !(x * x + y * y + z * z).simd_gt(r * r + f32x4::splat(LEAST_SQUARE)).to_bitmask() & ALL
}

/// One bit per pair, of which there are up to 64, whose spheres overlap.
#[inline]
fn near_bits(count: usize, sphere_pair: impl Fn(usize) -> (f32x4, f32x4)) -> u64 {
    let mut bits = 0;
    for first in (0..count).step_by(LANES) {
        let mut group: [usize; LANES] = std::array::from_fn(|lane| first + lane);
        if first + LANES > count {
            // Beyond the end the last pair is repeated.
            group = group.map(|i| i.min(count - 1));
        }
        bits |= u64::from(spheres(group.map(&sphere_pair))) << first;
    }
    bits & (u64::MAX >> (WORD - count))
}

/// Square of the distance of a point, given in the frame of a box, from the box.
#[inline]
fn distance_squared(point: &Three, half: &Three) -> f32x4 {
    let outside: Three = std::array::from_fn(|k| {
        let d = point[k].abs() - half[k];
        d & d.simd_gt(f32x4::ZERO)
    });
    dot(&outside, &outside)
}

/// Radius of the sphere in a box.
#[inline]
fn inner_radius(half: &Three) -> f32x4 {
    let smaller = half[0].simd_lt(half[1]).select(half[0], half[1]);
    smaller.simd_lt(half[2]).select(smaller, half[2])
}

/// The centre of each box, with its spheres, against the other box: bits of the lanes that are
/// open, and that overlap.
#[inline]
fn centres(a: [&Packed; LANES], b: [&Packed; LANES]) -> (u32, u32) {
    let (a, b) = (FourBoxes::new(a), FourBoxes::new(b));
    let t = b.offset_from(&a);
    let from_a = distance_squared(&a.rotated(&t), &a.half);
    let from_b = distance_squared(&b.rotated(&t), &b.half);
    // The half extents are enlarged; the margin undoes that and covers the rounding of the
    // distances.
    let margin = f32x4::splat(100.0 * f32::EPSILON) * (sum(&a.half) + sum(&b.half));
    let (outer_a, outer_b) = (a.radius + (margin + margin), b.radius + (margin + margin));
    let (inner_a, inner_b) = (inner_radius(&a.half) - margin, inner_radius(&b.half) - margin);
    let (least_square, least_inner) = (f32x4::splat(LEAST_SQUARE), f32x4::splat(LEAST_INNER));
    let apart =
        from_a.simd_gt(outer_b * outer_b + least_square) | from_b.simd_gt(outer_a * outer_a + least_square);
    let overlap = (inner_b.simd_gt(least_inner) & from_a.simd_le(inner_b * inner_b))
        | (inner_a.simd_gt(least_inner) & from_b.simd_le(inner_a * inner_a));
    (!(apart | overlap).to_bitmask(), overlap.to_bitmask())
}

/// One bit per lane whose boxes overlap.
#[inline]
fn boxes(a: [&Packed; LANES], b: [&Packed; LANES]) -> u32 {
    let (a, b) = (FourBoxes::new(a), FourBoxes::new(b));
    let (apart, frame) = faces(&a, &b);
    if apart.all() {
        return 0;
    }
    !(apart | edges(&a.half, &b.half, &frame)).to_bitmask()
}

/// Pairs per round: a multiple of the word and of the group, small enough to stay in the first
/// cache.
const ROUND: usize = 256;

/// Numbers of the pairs of a round that a stage has left open.
struct Open {
    /// Twice as many as there can be: cutting an index down to a power of two is the cheapest
    /// bounds check.
    pairs: [u32; 2 * ROUND],
    count: usize,
}

impl Open {
    #[inline]
    fn new() -> Self {
        Self { pairs: [0; 2 * ROUND], count: 0 }
    }

    /// Adds those of a group whose bit is set. Without branches: which ones is not to be guessed.
    #[inline]
    fn add(&mut self, group: [u32; LANES], bits: u32) {
        for (lane, pair) in group.into_iter().enumerate() {
            self.pairs[self.count % (2 * ROUND)] = pair;
            self.count += (bits >> lane & 1) as usize;
        }
    }

    /// Adds those whose bit is set, bit 0 being pair `first`. Words of pairs that are all apart, as
    /// most are in a scene, cost nothing here: 2.0 instead of 4.1 ns per pair.
    #[inline]
    fn add_word(&mut self, first: u32, mut word: u64) {
        while word != 0 {
            self.pairs[self.count % (2 * ROUND)] = first + word.trailing_zeros();
            self.count += 1;
            word &= word - 1;
        }
    }

    /// The groups; the last one is filled up with its last pair.
    #[inline]
    fn groups(&mut self) -> impl Iterator<Item = [u32; LANES]> {
        let count = self.count.min(ROUND);
        if count > 0 {
            let last = self.pairs[count - 1];
            self.pairs[count..count + LANES].fill(last);
        }
        self.pairs[..count.next_multiple_of(LANES)].as_chunks().0.iter().copied()
    }
}

/// Answers of a round, a byte each.
struct Answers([u8; ROUND]);

impl Answers {
    #[inline]
    fn note(&mut self, group: [u32; LANES], bits: u32) {
        for (lane, i) in group.into_iter().enumerate() {
            self.0[i as usize % ROUND] = (bits >> lane & 1) as u8;
        }
    }

    /// Overwrites words with a bit for each byte.
    fn pack(&self, words: &mut [u64]) {
        for (word, bytes) in words.iter_mut().zip(self.0.as_chunks::<WORD>().0) {
            *word = 0;
            for (k, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
                // The product moves the lowest bit of byte i to bit 56 + i, and nothing else
                // reaches the top byte.
                let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                *word |= bits << (8 * k);
            }
        }
    }
}

/// Tests `count` pairs given by their number.
#[inline]
fn test<'a>(
    count: usize,
    mask: &mut Vec<u64>,
    sphere_pair: impl Fn(usize) -> (f32x4, f32x4),
    pair: impl Fn(usize) -> (&'a Packed, &'a Packed),
) {
    mask.clear();
    mask.resize(count.div_ceil(WORD), 0);
    let (mut near, mut open) = (Open::new(), Open::new());
    for (start, words) in (0..count).step_by(ROUND).zip(mask.chunks_mut(ROUND / WORD)) {
        let size = (count - start).min(ROUND);
        let four = |group: [u32; LANES]| {
            let pairs = group.map(|i| pair(start + i as usize));
            (pairs.map(|p| p.0), pairs.map(|p| p.1))
        };
        let mut answers = Answers([0; ROUND]);
        (near.count, open.count) = (0, 0);
        for first in (0..size).step_by(WORD) {
            let count = (size - first).min(WORD);
            near.add_word(first as u32, near_bits(count, |i| sphere_pair(start + first + i)));
        }
        for group in near.groups() {
            let (a, b) = four(group);
            let (undecided, overlap) = centres(a, b);
            answers.note(group, overlap);
            open.add(group, undecided);
        }
        for group in open.groups() {
            let (a, b) = four(group);
            answers.note(group, boxes(a, b));
        }
        answers.pack(words);
    }
}
