//! Round shapes by the batch: several pairs of one kind per instruction.
//!
//! The caller sorts its pairs by kind and keeps positions, rotations and sizes in dense arrays; a
//! batch gathers [`SimdFloat`] of pairs from them, computes all lanes at once and appends what is
//! within a speculative distance to a list of the caller's. Nothing is allocated once the list has
//! grown to its size. Pairs are independent of each other, so the order of the hits is that of the
//! pairs whatever the width, and each lane computes what one lane alone computes, to the bit: the
//! width is a matter of speed only.
//!
//! Positions are subtracted before anything else and points are given relative to the two bodies
//! ("arms", what an impulse acts on), so nothing is lost far from the origin.
//!
//! SimdFloat take one straight way without branches. What does not fit it (parallel axes, a centre
//! on an axis, needles) is marked, and the marked pairs are measured one by one by
//! [`analytic`](crate::analytic) forms: rare ones, except capsules that lie parallel.
//!
//! | module | pairs |
//! |---|---|
//! | [`round`] | spheres and capsules |
//! | [`solid`] | boxes and triangles with spheres |

pub mod round;
pub mod solid;

pub use round::{capsule_capsule, capsule_sphere, sphere_sphere};
pub use solid::{cuboid_sphere, cuboid_spheres, triangles_sphere};

use carom_core::simd::{SimdFloat, SimdVec3};
use carom_geometry::shape::Capsule;
use carom_geometry::{Pose, Rotation};
use glam::Vec3;

use crate::proximity::Proximity;

/// Spheres as columns: one entry per sphere (or per body, with any radius where a body is none).
#[derive(Clone, Copy, Debug)]
pub struct Spheres<'a> {
    /// Centres.
    pub positions: &'a [Vec3],
    /// Radii.
    pub radii: &'a [f32],
}

/// Capsules as columns.
#[derive(Clone, Copy, Debug)]
pub struct Capsules<'a> {
    /// Where the local origins are.
    pub positions: &'a [Vec3],
    /// How they are turned.
    pub rotations: &'a [Rotation],
    /// The capsules in their local frames.
    pub capsules: &'a [Capsule],
}

/// Boxes as columns.
#[derive(Clone, Copy, Debug)]
pub struct Cuboids<'a> {
    /// Centres.
    pub positions: &'a [Vec3],
    /// How they are turned.
    pub rotations: &'a [Rotation],
    /// Half extents.
    pub half: &'a [Vec3],
}

/// A pair within the speculative distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchHit {
    /// Which of the pairs.
    pub pair: u32,
    /// Distance, below zero if they overlap.
    pub separation: f32,
    /// Unit vector from the first to the second, in the frame of the world.
    pub normal: Vec3,
    /// From the position of the first to the contact point on it, in the directions of the world.
    pub arm_a: Vec3,
    /// The same on the second.
    pub arm_b: Vec3,
}

impl BatchHit {
    const NONE: Self =
        Self { pair: 0, separation: 0.0, normal: Vec3::ZERO, arm_a: Vec3::ZERO, arm_b: Vec3::ZERO };

    /// A hit from an answer in the frame of the first, whose rotation is given, and the way from
    /// the first to the second.
    fn new(pair: u32, found: &Proximity, rotation: Rotation, way: Vec3) -> Self {
        Self {
            pair,
            separation: found.distance,
            normal: rotation.rotate(found.normal),
            arm_a: rotation.rotate(found.on_a),
            arm_b: rotation.rotate(found.on_b) - way,
        }
    }
}

/// A bit for every lane.
#[inline]
const fn all_of<L: SimdFloat>() -> u32 {
    (1 << L::WIDTH) - 1
}

/// What the lanes of a kernel found.
struct BatchLanes<L: SimdFloat> {
    /// SimdFloat within the speculative distance.
    hits: L::Mask,
    /// Those whose numbers are not to be trusted.
    unsure: L::Mask,
    separation: L,
    normal: SimdVec3<L>,
    arm_a: SimdVec3<L>,
    arm_b: SimdVec3<L>,
}

/// Widest lanes there are.
const WIDEST: usize = 8;

/// Runs a kernel over all items, `WIDTH` at a time, and collects the hits in order.
///
/// The kernel answers `None` if no lane is near. `exact` measures one item, and says nothing if it
/// is not within the speculative distance.
#[inline]
fn run<L: SimdFloat, T: Copy>(
    items: &[T],
    hits: &mut Vec<BatchHit>,
    kernel: impl Fn(&[T]) -> Option<BatchLanes<L>>,
    exact: impl Fn(u32, T) -> Option<BatchHit>,
) {
    let mut chunk = |base: usize, lanes: &[T], valid: u32| {
        // The length in sight of the compiler, which then leaves out the checks of lane numbers.
        let lanes = &lanes[..L::WIDTH];
        let Some(answer) = kernel(lanes) else { return };
        let unsure = L::bits(answer.unsure) & valid;
        let mut bits = L::bits(answer.hits) & valid | unsure;
        // All lanes at once: numbers taken out of a vector one by one pass through memory every
        // time. Touching spheres take 8 instead of 14 ns
        // (`carom bench-narrow sphere --ask manifold --narrow batch`).
        let mut rows = [BatchHit::NONE; WIDEST];
        for (lane, row) in rows.iter_mut().enumerate().take(L::WIDTH) {
            *row = BatchHit {
                pair: (base + lane) as u32,
                separation: answer.separation.get(lane),
                normal: answer.normal.get(lane),
                arm_a: answer.arm_a.get(lane),
                arm_b: answer.arm_b.get(lane),
            };
        }
        if unsure == 0 && bits == all_of::<L>() {
            hits.extend_from_slice(&rows[..L::WIDTH]);
            return;
        }
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if unsure >> lane & 1 == 1 {
                hits.extend(exact((base + lane) as u32, lanes[lane]));
            } else {
                hits.push(rows[lane % WIDEST]);
            }
        }
    };
    let whole = items.chunks_exact(L::WIDTH);
    let rest = whole.remainder();
    for (index, lanes) in whole.enumerate() {
        chunk(index * L::WIDTH, lanes, u32::MAX);
    }
    if let Some(&last) = rest.last() {
        let mut padded = [last; WIDEST];
        padded[..rest.len()].copy_from_slice(rest);
        chunk(items.len() - rest.len(), &padded[..L::WIDTH], (1 << rest.len()) - 1);
    }
}

/// Rotations in lanes.
#[derive(Clone, Copy)]
struct RotationLanes<L> {
    xyz: SimdVec3<L>,
    w: L,
}

impl<L: SimdFloat> RotationLanes<L> {
    #[inline]
    fn gather(at: impl Fn(usize) -> Rotation) -> Self {
        Self { xyz: SimdVec3::from_fn(|k| at(k).xyz), w: L::from_fn(|k| at(k).w) }
    }

    /// As [`Rotation::rotate`].
    #[inline]
    fn rotate(self, v: SimdVec3<L>) -> SimdVec3<L> {
        let t = self.xyz.cross(v).scaled(L::splat(2.0));
        v + t.scaled(self.w) + self.xyz.cross(t)
    }

    /// As [`Rotation::rotate_back`].
    #[inline]
    fn rotate_back(self, v: SimdVec3<L>) -> SimdVec3<L> {
        let t = self.xyz.cross(v).scaled(L::splat(2.0));
        v - t.scaled(self.w) + self.xyz.cross(t)
    }
}

/// Where the difference of two points does not give a direction: the same bound as closed forms
/// have.
#[inline]
fn too_near<L: SimdFloat>(square: L, size: L) -> L::Mask {
    square.at_most(L::splat(NEAR) * size * size)
}

/// √ε: squares below this part of the size squared count as near.
const NEAR: f32 = 3.452_669_8e-4;

/// The largest of the absolute coordinates.
#[inline]
fn largest<L: SimdFloat>(v: SimdVec3<L>) -> L {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}

/// The pose of the second in the frame of the first.
#[inline]
fn relative(turn_a: Rotation, way: Vec3, turn_b: Rotation) -> Pose {
    Pose::new(turn_a.rotate_back(way), turn_a.inverse() * turn_b)
}
