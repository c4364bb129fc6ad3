//! Many pairs of boxes at once.
//!
//! Boxes dominate real scenes. Bodies lie in dense arrays and pairs name them by index; as many
//! pairs as there are lanes go through the fifteen axes in lock step ([`BoxPair::search`]), and
//! only those within the speculative distance are written out, with their relative place and the
//! axis of contact, for [`box_box_along`](crate::sat::box_contact::box_box_along) to make contact
//! points. Every width gives the same bits as one pair at a time.
//!
//! The axis found for a pair is kept in a byte of the caller. Where it separates all pairs of a
//! block again, that is all that is computed. Batches of pairs in lock step are BepuPhysics' way
//! (R. Nordby).

use carom_core::simd::{SimdFloat, SimdVec3};
use carom_geometry::{Pose, Rotation};
use glam::Vec3;

use crate::sat::Tolerances;
use crate::sat::boxes::BoxPair;

/// Boxes by index.
#[derive(Clone, Copy, Debug)]
pub struct Boxes<'a> {
    /// Centres.
    pub positions: &'a [Vec3],
    /// Orientations.
    pub rotations: &'a [Rotation],
    /// Half extents.
    pub half_extents: &'a [Vec3],
}

/// The remembered axis of a pair that has none yet.
pub const NO_AXIS: u8 = u8::MAX;

/// SimdFloat of the widest instance.
const MOST_LANES: usize = 8;

/// A pair within the speculative distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxHit {
    /// Its number in the list of pairs.
    pub pair: u32,
    /// The axis of contact: a code of [`BoxPair::search`].
    pub code: u32,
    /// The gap along it.
    pub separation: f32,
    /// The second box in the frame of the first.
    pub pose: Pose,
}

/// A body of each lane.
#[derive(Clone, Copy)]
struct Body<L> {
    position: SimdVec3<L>,
    xyz: SimdVec3<L>,
    w: L,
    half: SimdVec3<L>,
}

impl<L: SimdFloat> Body<L> {
    #[inline]
    fn gather(boxes: &Boxes<'_>, index: impl Fn(usize) -> usize) -> Self {
        let (mut position, mut half) = ([Vec3::ZERO; MOST_LANES], [Vec3::ZERO; MOST_LANES]);
        let mut rotation = [Rotation::IDENTITY; MOST_LANES];
        for lane in 0..L::WIDTH {
            // What is out of range is left out of the hits.
            let index = index(lane);
            position[lane] = boxes.positions.get(index).copied().unwrap_or(Vec3::ZERO);
            rotation[lane] = boxes.rotations.get(index).copied().unwrap_or(Rotation::IDENTITY);
            half[lane] = boxes.half_extents.get(index).copied().unwrap_or(Vec3::ZERO);
        }
        Self {
            position: SimdVec3::from_fn(|lane| position[lane]),
            xyz: SimdVec3::from_fn(|lane| rotation[lane].xyz),
            w: L::from_fn(|lane| rotation[lane].w),
            half: SimdVec3::from_fn(|lane| half[lane]),
        }
    }
}

/// The second body in the frame of the first, computed as [`Pose::relative`] does.
#[inline]
fn relative<L: SimdFloat>(a: &Body<L>, b: &Body<L>) -> (SimdVec3<L>, SimdVec3<L>, L) {
    let v = b.position - a.position;
    let t = a.xyz.cross(v).scaled(L::splat(2.0));
    let translation = v - t.scaled(a.w) + a.xyz.cross(t);
    let back = -a.xyz;
    let xyz = b.xyz.scaled(a.w) + back.scaled(b.w) + back.cross(b.xyz);
    let w = a.w * b.w - back.dot(b.xyz);
    (translation, xyz, w)
}

/// The columns of the matrix of a quaternion, computed as [`Rotation::to_matrix`] does.
#[inline]
fn columns<L: SimdFloat>(v: SimdVec3<L>, w: L) -> [SimdVec3<L>; 3] {
    let d = v.scaled(L::splat(2.0));
    let (xx, yy, zz) = (v.x * d.x, v.y * d.y, v.z * d.z);
    let (xy, xz, yz) = (v.x * d.y, v.x * d.z, v.y * d.z);
    let (wx, wy, wz) = (w * d.x, w * d.y, w * d.z);
    let one = L::splat(1.0);
    [
        SimdVec3 { x: one - (yy + zz), y: xy + wz, z: xz - wy },
        SimdVec3 { x: xy - wz, y: one - (xx + zz), z: yz + wx },
        SimdVec3 { x: xz + wy, y: yz - wx, z: one - (xx + yy) },
    ]
}

/// Appends the pairs within the speculative distance to `hits`, in their order. `axes` holds a byte
/// per pair, [`NO_AXIS`] at first; pairs without one, or with an index that no box has, are left
/// out.
pub fn collide<L: SimdFloat>(
    boxes: &Boxes<'_>,
    pairs: &[[u32; 2]],
    axes: &mut [u8],
    tolerances: Tolerances,
    hits: &mut Vec<BoxHit>,
) {
    let bodies = boxes.positions.len().min(boxes.rotations.len()).min(boxes.half_extents.len());
    for (block, (pairs, axes)) in pairs.chunks(L::WIDTH).zip(axes.chunks_mut(L::WIDTH)).enumerate() {
        // Behind the end the last pair is repeated.
        let at = |lane: usize, side: usize| pairs[lane.min(pairs.len() - 1)][side] as usize;
        let a = Body::<L>::gather(boxes, |lane| at(lane, 0));
        let b = Body::<L>::gather(boxes, |lane| at(lane, 1));
        let (translation, xyz, w) = relative(&a, &b);
        let pair = BoxPair { half_a: a.half, half_b: b.half, translation, axes: columns(xyz, w) };
        let all = (1u32 << L::WIDTH) - 1;
        let speculative_distance = L::splat(tolerances.speculative_distance);
        if axes.iter().all(|&code| code != NO_AXIS) {
            let known = |lane: usize| u32::from(axes[lane.min(axes.len() - 1)]);
            if L::bits(speculative_distance.below(pair.gap_along(known))) == all {
                continue;
            }
        }
        let found = pair.search(tolerances.speculative_distance, tolerances.slop);
        let apart = L::bits(speculative_distance.below(found.greatest));
        for (lane, axis) in axes.iter_mut().enumerate() {
            let code = found.code.get(lane) as u32;
            *axis = code as u8;
            if apart >> lane & 1 == 1 || at(lane, 0) >= bodies || at(lane, 1) >= bodies {
                continue;
            }
            let rotation = Rotation { xyz: xyz.get(lane), w: w.get(lane) };
            hits.push(BoxHit {
                pair: (block * L::WIDTH + lane) as u32,
                code,
                separation: found.separation.get(lane),
                pose: Pose::new(translation.get(lane), rotation),
            });
        }
    }
}
