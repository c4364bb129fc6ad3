//! Figures of the plane: distances and contact points of two that lie in one plane.
//!
//! The side with the widest gap decides, as for solids; where cores are apart beside their corners,
//! the nearest corners do. Contact points come from cutting the side that faces it to the length of
//! the deciding one (E. Catto's way in Box2D): two at most. Everything is computed in the plane, so
//! that normals and points have z = 0 exactly, and a world that is plane stays so to the bit.
//!
//! Figures in different planes are sheets without thickness and left to GJK and EPA
//! ([`plane_pose`] tells which they are).
//!
//! | file | holds |
//! |---|---|
//! | `manifold` | contact points |
//! | here | distances, discs beside everything, the axis of least overlap |

mod manifold;

use carom_geometry::Pose;
use carom_geometry::shape::Planar;
use carom_geometry::shape::planar::{MAX_VERTICES, Outline, OutlineRoom};
use glam::{Vec2, Vec3};

use crate::cast::{CastHit, CastOptions};
use crate::proximity::Proximity;

pub(crate) use manifold::manifold;

/// A rotation about z and a translation in the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanePose {
    pub(crate) translation: Vec2,
    cosine: f32,
    sine: f32,
}

impl PlanePose {
    #[inline]
    pub(crate) fn rotate(&self, v: Vec2) -> Vec2 {
        Vec2::new(self.cosine * v.x - self.sine * v.y, self.sine * v.x + self.cosine * v.y)
    }

    #[inline]
    pub(crate) fn rotate_back(&self, v: Vec2) -> Vec2 {
        Vec2::new(self.cosine * v.x + self.sine * v.y, self.cosine * v.y - self.sine * v.x)
    }

    #[inline]
    pub(crate) fn apply(&self, point: Vec2) -> Vec2 {
        self.rotate(point) + self.translation
    }

    #[inline]
    pub(crate) fn undo(&self, point: Vec2) -> Vec2 {
        self.rotate_back(point - self.translation)
    }

    #[inline]
    pub(crate) fn inverse(&self) -> Self {
        let translation = -self.rotate_back(self.translation);
        Self { translation, cosine: self.cosine, sine: -self.sine }
    }
}

/// The pose within the plane, if the second figure lies in the plane of the first.
#[inline]
pub(crate) fn plane_pose(pose: &Pose) -> Option<PlanePose> {
    let (xyz, w) = (pose.rotation.xyz, pose.rotation.w);
    (pose.translation.z == 0.0 && xyz.x == 0.0 && xyz.y == 0.0).then(|| PlanePose {
        translation: pose.translation.truncate(),
        cosine: 1.0 - 2.0 * xyz.z * xyz.z,
        sine: 2.0 * xyz.z * w,
    })
}

/// The outline of the second figure in the frame of the first, with room for `N` corners.
struct Moved<const N: usize> {
    vertices: [Vec2; N],
    normals: [Vec2; N],
    counts: [usize; 2],
    radius: f32,
}

/// Corners up to which little room is cleared: most polygons have fewer.
const FEW: usize = 8;

/// Calls a function with the outline of the second figure in the frame of the first.
#[inline]
fn with_moved<R>(outline: &Outline<'_>, pose: &PlanePose, ask: impl FnOnce(&Outline<'_>) -> R) -> R {
    if outline.vertices.len() <= FEW {
        ask(&Moved::<FEW>::new(outline, pose).outline())
    } else {
        ask(&Moved::<MAX_VERTICES>::new(outline, pose).outline())
    }
}

impl<const N: usize> Moved<N> {
    #[inline]
    fn new(outline: &Outline<'_>, pose: &PlanePose) -> Self {
        let mut moved = Self {
            vertices: [Vec2::ZERO; N],
            normals: [Vec2::ZERO; N],
            counts: [outline.vertices.len(), outline.normals.len()],
            radius: outline.radius,
        };
        for (to, vertex) in moved.vertices.iter_mut().zip(outline.vertices) {
            *to = pose.apply(*vertex);
        }
        for (to, normal) in moved.normals.iter_mut().zip(outline.normals) {
            *to = pose.rotate(*normal);
        }
        moved
    }

    #[inline]
    fn outline(&self) -> Outline<'_> {
        Outline {
            vertices: &self.vertices[..self.counts[0]],
            normals: &self.normals[..self.counts[1]],
            radius: self.radius,
        }
    }
}

/// The side of one core that the other core is farthest in front of.
#[derive(Clone, Copy, Debug)]
struct Facing {
    edge: usize,
    separation: f32,
}

/// Looks for the side of `a` that `b` is farthest in front of; `None` if `a` is a point.
#[inline]
fn facing(a: &Outline<'_>, b: &Outline<'_>) -> Option<Facing> {
    let mut best: Option<Facing> = None;
    for (edge, (vertex, normal)) in a.vertices.iter().zip(a.normals).enumerate() {
        let mut least = f32::INFINITY;
        for other in b.vertices {
            let along = normal.dot(*other - *vertex);
            if along < least {
                least = along;
            }
        }
        if best.is_none_or(|best| least > best.separation) {
            best = Some(Facing { edge, separation: least });
        }
    }
    best
}

/// Nearest points of two sides, or of a side and a corner.
#[derive(Clone, Copy, Debug)]
struct Between {
    on_a: Vec2,
    on_b: Vec2,
    square: f32,
}

/// The nearest points of the borders of two cores that are apart.
fn nearest_points(a: &Outline<'_>, b: &Outline<'_>) -> Between {
    let mut best = Between { on_a: Vec2::ZERO, on_b: Vec2::ZERO, square: f32::INFINITY };
    for p in a.vertices {
        for q in b.vertices {
            let square = (*q - *p).length_squared();
            if square < best.square {
                best = Between { on_a: *p, on_b: *q, square };
            }
        }
    }
    // The foot of a corner on a side beats the corners only if it is strictly between the ends.
    let foot = |side: &Outline<'_>, at: usize, point: Vec2| {
        let (start, normal) = (side.vertices[at], side.normals[at]);
        let along = Vec2::new(-normal.y, normal.x);
        let is_over =
            along.dot(point - start) > 0.0 && along.dot(point - side.vertices[side.after(at)]) < 0.0;
        let above = normal.dot(point - start);
        (is_over && above >= 0.0).then(|| (point - normal * above, above * above))
    };
    for q in b.vertices {
        for edge in 0..a.normals.len() {
            if let Some((on_a, square)) = foot(a, edge, *q).filter(|found| found.1 < best.square) {
                best = Between { on_a, on_b: *q, square };
            }
        }
    }
    for p in a.vertices {
        for edge in 0..b.normals.len() {
            if let Some((on_b, square)) = foot(b, edge, *p).filter(|found| found.1 < best.square) {
                best = Between { on_a: *p, on_b, square };
            }
        }
    }
    best
}

/// Do two segments cross?
fn cross(a: &Outline<'_>, b: &Outline<'_>) -> bool {
    let is_split = |a: &Outline<'_>, b: &Outline<'_>| {
        let side = |point: Vec2| a.normals[0].dot(point - a.vertices[0]);
        side(b.vertices[0]) * side(b.vertices[1]) < 0.0
    };
    is_split(a, b) && is_split(b, a)
}

/// How two cores lie to each other.
#[derive(Clone, Copy, Debug)]
struct Cores {
    distance: f32,
    normal: Vec2,
    on_a: Vec2,
    on_b: Vec2,
}

/// The signed distance of two cores, that of points and segments included.
fn cores(a: &Outline<'_>, b: &Outline<'_>) -> Cores {
    let sides = [facing(a, b), facing(b, a)];
    let widest = sides.iter().flatten().fold(f32::NEG_INFINITY, |most, f| most.max(f.separation));
    let are_thin = a.vertices.len() < 3 && b.vertices.len() < 3;
    let overlap =
        widest < 0.0 && (!are_thin || a.vertices.len() == 2 && b.vertices.len() == 2 && cross(a, b));
    if !overlap {
        let near = nearest_points(a, b);
        let distance = near.square.sqrt();
        let normal = if distance > 0.0 { (near.on_b - near.on_a) / distance } else { touching(a, b, sides) };
        return Cores { distance, normal, on_a: near.on_a, on_b: near.on_b };
    }
    match sides {
        [Some(of_a), of_b] if of_b.is_none_or(|of_b| of_a.separation >= of_b.separation) => {
            let normal = a.normals[of_a.edge];
            let on_b = b.vertices[b.farthest(-normal)];
            let distance = of_a.separation;
            Cores { distance, normal, on_a: on_b - normal * distance, on_b }
        }
        [_, Some(of_b)] => {
            let out = b.normals[of_b.edge];
            let on_a = a.vertices[a.farthest(-out)];
            let distance = of_b.separation;
            Cores { distance, normal: -out, on_a, on_b: on_a - out * distance }
        }
        // Two points overlap nowhere.
        _ => Cores { distance: 0.0, normal: Vec2::X, on_a: a.vertices[0], on_b: b.vertices[0] },
    }
}

/// A normal of two cores that just touch.
fn touching(a: &Outline<'_>, b: &Outline<'_>, sides: [Option<Facing>; 2]) -> Vec2 {
    match sides {
        [Some(of_a), Some(of_b)] if of_b.separation > of_a.separation => -b.normals[of_b.edge],
        [Some(of_a), _] => a.normals[of_a.edge],
        [None, Some(of_b)] => -b.normals[of_b.edge],
        [None, None] => Vec2::X,
    }
}

/// The signed distance of two figures in one plane; `None` if they lie in different planes.
pub(crate) fn proximity(a: &Planar, b: &Planar, pose: &Pose) -> Option<Proximity> {
    let pose = plane_pose(pose)?;
    let (mut room_a, mut room_b) = (OutlineRoom::default(), OutlineRoom::default());
    let a = a.outline(&mut room_a);
    with_moved(&b.outline(&mut room_b), &pose, |b| {
        let found = cores(&a, b);
        let normal = found.normal.extend(0.0);
        Some(Proximity {
            distance: found.distance - a.radius - b.radius,
            normal,
            on_a: found.on_a.extend(0.0) + normal * a.radius,
            on_b: found.on_b.extend(0.0) - normal * b.radius,
        })
    })
}

/// The signed distance of a figure and a ball: in the plane if the centre of the ball lies in it,
/// else that of the sheet.
pub(crate) fn beside_ball(a: &Planar, radius: f32, pose: &Pose) -> Proximity {
    let centre = pose.translation;
    let mut room = OutlineRoom::default();
    let outline = a.outline(&mut room);
    let near = outline.nearest(centre.truncate());
    let in_plane = near.distance - outline.radius;
    if centre.z == 0.0 || !centre.is_finite() {
        let normal = near.normal.extend(0.0);
        let on_a = near.point.extend(0.0) + normal * outline.radius;
        return Proximity { distance: in_plane - radius, normal, on_a, on_b: centre - normal * radius };
    }
    let on_a = if in_plane <= 0.0 {
        centre.truncate().extend(0.0)
    } else {
        (near.point + near.normal * outline.radius).extend(0.0)
    };
    let away = centre - on_a;
    let distance = away.length();
    let normal = away / distance;
    Proximity { distance: distance - radius, normal, on_a, on_b: centre - normal * radius }
}

/// Steps of a cast at most: figures of sides need a few, discs some more.
const MOST_ADVANCES: usize = 64;
/// How near a cast goes to the stop distance, in sizes of the numbers at hand.
const NEAR_ENOUGH: f32 = 8.0 * f32::EPSILON;

/// The first touch of two figures of one plane, the second of which moves by a displacement in it.
/// It advances by what the distance along its normal allows: two convex figures cannot meet sooner.
/// `None` if they lie in different planes; the inner `None` if they do not meet.
pub(crate) fn cast(
    a: &Planar,
    b: &Planar,
    pose: &Pose,
    displacement: Vec3,
    options: &CastOptions,
) -> Option<Option<CastHit>> {
    if displacement.z != 0.0 || !displacement.is_finite() || !pose.is_finite() {
        return None;
    }
    let hit = |fraction: f32, near: &Proximity, converged: bool| CastHit {
        fraction,
        normal: near.normal,
        point: near.on_a,
        distance: near.distance,
        at_start: fraction == 0.0,
        converged,
    };
    let mut near = proximity(a, b, pose)?;
    if near.distance <= options.stop_distance {
        let leaves = options.ignore_leaving && displacement.dot(near.normal) >= 0.0;
        return Some((!leaves).then(|| hit(0.0, &near, true)));
    }
    let size = pose.translation.abs().max_element() + displacement.abs().max_element();
    let mut fraction = 0.0f32;
    for _ in 0..MOST_ADVANCES {
        let left = near.distance - options.stop_distance;
        // The normal of figures that all but touch is noise: that of before counts.
        if left <= NEAR_ENOUGH * size {
            return Some(Some(CastHit { at_start: false, ..hit(fraction, &near, true) }));
        }
        let closing = -displacement.dot(near.normal);
        let next = fraction + left / closing;
        if !(closing > 0.0 && next <= options.max_fraction) {
            return Some(None);
        }
        fraction = next;
        let place = Pose { translation: pose.translation + displacement * fraction, ..*pose };
        let normal = near.normal;
        near = proximity(a, b, &place)?;
        if near.distance - options.stop_distance <= NEAR_ENOUGH * size {
            near.normal = normal;
        }
    }
    Some(Some(hit(fraction, &near, false)))
}

#[cfg(test)]
mod tests;
