//! The core of a figure as corners and normals, and the distance of points from it.

use glam::Vec2;

use super::Planar;

/// Memory for the outlines of figures that do not keep theirs.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutlineRoom {
    vertices: [Vec2; 4],
    normals: [Vec2; 4],
}

/// The core of a figure and the radius rolled round it.
///
/// One corner and no normals are a point, two corners with two normals a segment (its two sides),
/// more a convex polygon, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub struct Outline<'a> {
    /// The corners.
    pub vertices: &'a [Vec2],
    /// Unit normals, outwards, of the side from each corner to the next.
    pub normals: &'a [Vec2],
    /// Radius of the disc rolled round the core.
    pub radius: f32,
}

/// A part of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A corner.
    Vertex(u16),
    /// The side from a corner to the next.
    Edge(u16),
}

/// The point of the border of a core that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// From the core to the point; below zero inside.
    pub distance: f32,
    /// Unit normal of the core there.
    pub normal: Vec2,
    /// The point of the border.
    pub point: Vec2,
    /// What it is on.
    pub part: Part,
}

impl Planar {
    /// The core with its normals. Figures that keep none write them to `room`.
    #[inline]
    #[must_use]
    pub fn outline<'a>(&'a self, room: &'a mut OutlineRoom) -> Outline<'a> {
        let (count, radius) = match self {
            Self::Polygon(polygon) => {
                let (vertices, normals) = (polygon.vertices(), polygon.normals());
                return Outline { vertices, normals, radius: polygon.radius() };
            }
            Self::Rectangle { half, radius } if half.x > 0.0 && half.y > 0.0 => {
                let Vec2 { x, y } = *half;
                room.vertices = [Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)];
                room.normals = [-Vec2::Y, Vec2::X, Vec2::Y, -Vec2::X];
                (4, *radius)
            }
            // A rectangle without area is a segment, or a point.
            Self::Rectangle { half, radius } => (segment(room, [-*half, *half]), *radius),
            Self::Capsule { ends, radius } => (segment(room, *ends), *radius),
            Self::Disc { radius } => (segment(room, [Vec2::ZERO; 2]), *radius),
        };
        let normals = if count == 1 { &room.normals[..0] } else { &room.normals[..count] };
        Outline { vertices: &room.vertices[..count], normals, radius }
    }
}

/// Writes a segment; only its first end if it has no length. Returns the number of corners.
fn segment(room: &mut OutlineRoom, [a, b]: [Vec2; 2]) -> usize {
    let along = b - a;
    let length = along.length();
    (room.vertices[0], room.vertices[1]) = (a, b);
    let right = Vec2::new(along.y / length, -along.x / length);
    if !(length > 0.0 && right.is_finite()) {
        return 1;
    }
    (room.normals[0], room.normals[1]) = (right, -right);
    2
}

impl Outline<'_> {
    /// Number of the corner after one.
    #[inline]
    #[must_use]
    pub fn after(&self, vertex: usize) -> usize {
        if vertex + 1 == self.vertices.len() { 0 } else { vertex + 1 }
    }

    /// Number of the corner farthest along a direction.
    #[inline]
    #[must_use]
    pub fn farthest(&self, direction: Vec2) -> usize {
        let (mut best, mut value) = (0, f32::NEG_INFINITY);
        for (at, vertex) in self.vertices.iter().enumerate() {
            let along = vertex.dot(direction);
            if along > value {
                (best, value) = (at, along);
            }
        }
        best
    }

    /// What of the border of the core is nearest to a point.
    #[must_use]
    pub fn nearest(&self, point: Vec2) -> Nearest {
        let at_vertex = |vertex: usize, fallback: Vec2| {
            let corner = self.vertices[vertex];
            let away = point - corner;
            let distance = away.length();
            let normal = if distance > 0.0 { away / distance } else { fallback };
            Nearest { distance, normal, point: corner, part: Part::Vertex(vertex as u16) }
        };
        // The side that the point is farthest in front of.
        let (mut edge, mut distance) = (0, f32::NEG_INFINITY);
        for (at, (vertex, normal)) in self.vertices.iter().zip(self.normals).enumerate() {
            let in_front = normal.dot(point - *vertex);
            if in_front > distance {
                (edge, distance) = (at, in_front);
            }
        }
        let Some(&normal) = self.normals.get(edge) else { return at_vertex(0, Vec2::X) };
        let (a, b) = (self.vertices[edge], self.vertices[self.after(edge)]);
        let along = Vec2::new(-normal.y, normal.x);
        let is_before = along.dot(point - a) < 0.0;
        let is_behind = along.dot(point - b) > 0.0;
        let has_area = self.vertices.len() > 2;
        if (distance <= 0.0 && has_area) || !(is_before || is_behind) {
            let on = point - normal * distance;
            return Nearest { distance, normal, point: on, part: Part::Edge(edge as u16) };
        }
        // Outside beside that side: a corner is nearest, or another side. Going round from that
        // side, the first one that the point is beside on neither end is it.
        let (mut best, mut square) = (0, f32::INFINITY);
        for (at, vertex) in self.vertices.iter().enumerate() {
            let away = (point - *vertex).length_squared();
            if away < square {
                (best, square) = (at, away);
            }
        }
        let mut found = at_vertex(best, normal);
        for (at, (vertex, normal)) in self.vertices.iter().zip(self.normals).enumerate() {
            let in_front = normal.dot(point - *vertex);
            let along = Vec2::new(-normal.y, normal.x);
            let is_over =
                along.dot(point - *vertex) >= 0.0 && along.dot(point - self.vertices[self.after(at)]) <= 0.0;
            if in_front >= 0.0 && is_over && in_front < found.distance {
                let on = point - *normal * in_front;
                found =
                    Nearest { distance: in_front, normal: *normal, point: on, part: Part::Edge(at as u16) };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_core::random::Random;

    #[test]
    fn distances_are_those_of_the_nearest_point_of_the_border() {
        let mut random = Random::new(3);
        let mut room = OutlineRoom::default();
        let corners = [[0.0, 0.0], [2.0, -0.5], [3.0, 1.0], [1.0, 2.0]].map(Vec2::from);
        let figures = [
            Planar::polygon(&corners).unwrap(),
            Planar::rectangle(1.0, 0.1).unwrap(),
            Planar::edge(Vec2::new(-1.0, 0.5), Vec2::new(2.0, 1.0)).unwrap(),
        ];
        for figure in &figures {
            let outline = figure.outline(&mut room);
            for _ in 0..500 {
                let point = Vec2::new(random.range(-4.0, 4.0), random.range(-4.0, 4.0));
                let mut least = f32::INFINITY;
                for (at, a) in outline.vertices.iter().enumerate() {
                    let b = outline.vertices[outline.after(at)];
                    let t = ((point - *a).dot(b - *a) / (b - *a).length_squared()).clamp(0.0, 1.0);
                    least = least.min((*a + (b - *a) * t - point).length());
                }
                let found = outline.nearest(point);
                assert!((found.distance.abs() - least).abs() < 1e-5, "{figure:?} {point} {found:?} {least}");
                let off = found.point + found.normal * found.distance - point;
                assert!(off.length() < 1e-5, "{figure:?} {point} {found:?}");
            }
        }
    }
}
