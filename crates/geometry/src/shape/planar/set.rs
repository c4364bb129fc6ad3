//! Support function, boxes and rays of figures.

use glam::{Vec2, Vec3};

use super::super::ray::cast_solid;
use super::super::{Bounded, RayCast, Support};
use super::{Outline, OutlineRoom, Planar};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};

impl Planar {
    /// The corner of the core farthest along a direction of the plane.
    #[inline]
    #[must_use]
    pub fn core_support(&self, direction: Vec2) -> Vec2 {
        let signed = |size: f32, along: f32| if along < 0.0 { -size } else { size };
        match self {
            Self::Disc { .. } => Vec2::ZERO,
            Self::Capsule { ends: [a, b], .. } => {
                if (*b - *a).dot(direction) > 0.0 {
                    *b
                } else {
                    *a
                }
            }
            Self::Rectangle { half, .. } => {
                Vec2::new(signed(half.x, direction.x), signed(half.y, direction.y))
            }
            Self::Polygon(polygon) => {
                let (vertices, normals) = (polygon.vertices(), polygon.normals());
                vertices[Outline { vertices, normals, radius: 0.0 }.farthest(direction)]
            }
        }
    }

    /// Is a point of the plane in or on the figure?
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        let mut room = OutlineRoom::default();
        let outline = self.outline(&mut room);
        outline.nearest(point).distance <= outline.radius
    }

    /// A ray that stays in the plane and starts outside.
    fn cast_in_plane(&self, from: Vec2, along: Vec2, max: f32) -> Option<RayHit> {
        let mut room = OutlineRoom::default();
        let outline = self.outline(&mut room);
        let (t, normal) = if outline.radius > 0.0 || outline.vertices.len() < 3 {
            outline.cast_rounded(from, along)?
        } else {
            outline.cast_sharp(from, along)?
        };
        (t <= max).then(|| RayHit { t, normal: normal.extend(0.0) })
    }
}

impl Outline<'_> {
    /// The first of all sides, moved out by the radius, and of the discs about all corners: their
    /// union has the border of the figure.
    fn cast_rounded(&self, from: Vec2, along: Vec2) -> Option<(f32, Vec2)> {
        let mut best: Option<(f32, Vec2)> = None;
        let mut offer = |t: f32, normal: Vec2| {
            if t >= 0.0 && best.is_none_or(|(other, _)| t < other) {
                best = Some((t + 0.0, normal));
            }
        };
        for (at, (vertex, normal)) in self.vertices.iter().zip(self.normals).enumerate() {
            let fall = -normal.dot(along);
            if fall <= 0.0 {
                continue;
            }
            let t = (normal.dot(from - *vertex) - self.radius) / fall;
            let (tangent, on) = (Vec2::new(-normal.y, normal.x), from + along * t);
            let is_over =
                tangent.dot(on - *vertex) >= 0.0 && tangent.dot(on - self.vertices[self.after(at)]) <= 0.0;
            if is_over {
                offer(t, *normal);
            }
        }
        if self.radius > 0.0 {
            let square = along.length_squared();
            for vertex in self.vertices {
                let to = *vertex - from;
                // The distance of the line from the centre by a product: the textbook formula
                // cancels far away.
                let nearest = to.dot(along) / square;
                let off = to - along * nearest;
                let room = self.radius * self.radius - off.length_squared();
                if room >= 0.0 {
                    let t = nearest - (room / square).sqrt();
                    let normal = (from + along * t - *vertex) / self.radius;
                    offer(t, normal.normalize_or(-along));
                }
            }
        }
        best
    }

    /// The interval in which the line is behind all sides.
    fn cast_sharp(&self, from: Vec2, along: Vec2) -> Option<(f32, Vec2)> {
        let (mut enter, mut leave, mut at) = (f32::NEG_INFINITY, f32::INFINITY, None);
        for (vertex, normal) in self.vertices.iter().zip(self.normals) {
            let (above, climb) = (normal.dot(from - *vertex), normal.dot(along));
            if climb == 0.0 {
                if above > 0.0 {
                    return None;
                }
                continue;
            }
            let t = -above / climb;
            if climb < 0.0 && t > enter {
                (enter, at) = (t, Some(*normal));
            } else if climb > 0.0 && t < leave {
                leave = t;
            }
        }
        at.filter(|_| enter >= 0.0 && enter <= leave).map(|normal| (enter + 0.0, normal))
    }
}

impl Support<f32> for Planar {
    #[inline]
    fn support(&self, direction: Vec3) -> Vec3 {
        let flat = direction.truncate();
        let core = self.core_support(flat);
        let radius = self.radius();
        if radius == 0.0 {
            return core.extend(0.0);
        }
        (core + flat.normalize_or_zero() * radius).extend(0.0)
    }
}

impl Bounded<f32> for Planar {
    #[inline]
    fn aabb_at(&self, pose: &Pose) -> Aabb<3> {
        let [x, y, _] = pose.rotation.to_matrix().columns;
        let radius = self.radius();
        // Of a disc in a tilted plane: its extent along an axis is the length of the axis in it.
        let round = || {
            let square = x * x + y * y;
            Vec3::new(square.x.sqrt(), square.y.sqrt(), square.z.sqrt()) * radius
        };
        let grown = if radius == 0.0 { Vec3::ZERO } else { round() };
        match self {
            Self::Disc { .. } => Aabb::around(pose.translation, grown),
            Self::Rectangle { half, .. } => {
                Aabb::around(pose.translation, x.abs() * half.x + y.abs() * half.y + grown)
            }
            Self::Capsule { ends, .. } => {
                let [a, b] = ends.map(|end| x * end.x + y * end.y);
                let middle = pose.translation + (a + b) * 0.5;
                Aabb::around(middle, (b - a).abs() * 0.5 + grown)
            }
            Self::Polygon(polygon) => {
                let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
                for vertex in polygon.vertices() {
                    let at = x * vertex.x + y * vertex.y;
                    (low, high) = (low.min(at), high.max(at));
                }
                let (low, high) = (low + pose.translation - grown, high + pose.translation + grown);
                Aabb { min: low.to_array(), max: high.to_array() }
            }
        }
    }
}

/// A ray that stays in the plane meets the figure as in plane geometry; any other meets the sheet
/// where it crosses the plane.
impl RayCast<f32> for Planar {
    fn cast_ray(&self, ray: &Ray, max: f32) -> Option<RayHit> {
        let contains = |point: Vec3| point.z == 0.0 && self.contains(point.truncate());
        cast_solid(ray, max, contains, |ray, _, max| {
            let (from, along) = (ray.origin.truncate(), ray.direction.truncate());
            if ray.direction.z == 0.0 {
                return if ray.origin.z == 0.0 { self.cast_in_plane(from, along, max) } else { None };
            }
            let t = -ray.origin.z / ray.direction.z;
            let normal = if ray.direction.z < 0.0 { Vec3::Z } else { -Vec3::Z };
            let is_hit = t >= 0.0 && t <= max && self.contains(from + along * t);
            is_hit.then_some(RayHit { t: t + 0.0, normal })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(x: f32, y: f32, dx: f32, dy: f32) -> Ray {
        Ray::new(Vec3::new(x, y, 0.0), Vec3::new(dx, dy, 0.0))
    }

    #[test]
    fn rays_in_the_plane_meet_the_border() {
        let rectangle = Planar::rectangle(1.0, 2.0).unwrap();
        let hit = rectangle.cast_ray(&along(-5.0, 0.0, 1.0, 0.0), 100.0).unwrap();
        assert_eq!((hit.t, hit.normal), (4.0, -Vec3::X));
        assert!(rectangle.cast_ray(&along(-5.0, 0.0, 1.0, 0.0), 3.9).is_none());
        assert_eq!(rectangle.cast_ray(&along(0.5, 0.5, 1.0, 0.0), 1.0).unwrap().t, 0.0);
        let rounded = Planar::rounded_rectangle(1.0, 2.0, 0.5).unwrap();
        let hit = rounded.cast_ray(&along(1.0, 9.0, 0.0, -2.0), 100.0).unwrap();
        assert_eq!((hit.t, hit.normal), (3.25, Vec3::Y));
        let corner = rounded.cast_ray(&along(6.0, 7.0, -1.0, -1.0), 100.0).unwrap();
        assert!((corner.t - (5.0 - 0.5 * 0.5f32.sqrt())).abs() < 1e-5, "{corner:?}");
        let edge = Planar::edge(Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)).unwrap();
        for side in [-1.0f32, 1.0] {
            let hit = edge.cast_ray(&along(0.25, 3.0 * side, 0.0, -side), 9.0).unwrap();
            assert_eq!((hit.t, hit.normal), (3.0, Vec3::Y * side));
        }
        assert!(edge.cast_ray(&along(1.5, 1.0, 0.0, -1.0), 9.0).is_none());
        let disc = Planar::disc(0.5).unwrap();
        assert_eq!(disc.cast_ray(&along(-2.0, 0.0, 0.5, 0.0), 9.0).unwrap().t, 3.0);
    }

    #[test]
    fn rays_across_the_plane_meet_a_sheet() {
        let disc = Planar::disc(1.0).unwrap();
        let down = Ray::new(Vec3::new(0.5, 0.0, 4.0), -Vec3::Z);
        let hit = disc.cast_ray(&down, 9.0).unwrap();
        assert_eq!((hit.t, hit.normal), (4.0, Vec3::Z));
        assert!(disc.cast_ray(&Ray::new(Vec3::new(1.5, 0.0, 4.0), -Vec3::Z), 9.0).is_none());
        let beside = Ray::new(Vec3::new(-5.0, 0.0, 0.1), Vec3::X);
        assert!(disc.cast_ray(&beside, 100.0).is_none(), "parallel to the sheet");
    }
}
