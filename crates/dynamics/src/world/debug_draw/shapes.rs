//! Wireframes and faces of shapes of every kind.
//!
//! Every corner lies on the surface of its shape, up to rounding: what is round is drawn somewhat
//! too small, and never too large. Edges that two triangles of a surface share are drawn once.

use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::Mesh;
use carom_geometry::shape::{Capsule, Cuboid, Planar, Tile};
use carom_geometry::{Polytope, Rotation, Shape};
use glam::{Vec2, Vec3};

use super::canvas::Colour;
use super::pen::{Pen, Placement};

/// Lines of the grid of a plane without end, to each side of its middle.
const GRID: i8 = 5;

/// The outline of what is round about its z axis: radius and height of its corners from below.
struct Outline {
    corners: Vec<[f32; 2]>,
    /// Which of them are drawn as circles.
    rings: Vec<usize>,
}

impl Outline {
    fn cylinder(radius: f32, half: f32) -> Self {
        Self { corners: vec![[0.0, -half], [radius, -half], [radius, half], [0.0, half]], rings: vec![1, 2] }
    }

    fn cone(radius: f32, half: f32) -> Self {
        Self { corners: vec![[0.0, -half], [radius, -half], [0.0, half]], rings: vec![1] }
    }

    /// A ball cut in two along its equator, with a cylinder between the halves.
    fn capsule(radius: f32, half: f32, circle: &[[f32; 2]]) -> Self {
        let quarter = (circle.len() - 1) / 4;
        // From the lowest point to the equator, and mirrored.
        let lower = (0..=quarter).map(|k| {
            let [sine, cosine] = circle[k];
            [radius * cosine, -radius * sine - half]
        });
        let mut corners: Vec<[f32; 2]> = lower.collect();
        if half > 0.0 {
            corners.push([radius, half]);
        }
        for k in (0..quarter).rev() {
            let [r, z] = corners[k];
            corners.push([r, -z]);
        }
        let rings = if half > 0.0 { vec![quarter, quarter + 1] } else { vec![quarter] };
        Self { corners, rings }
    }

    fn lines(&self, pen: &mut Pen<'_>, stretch: Vec3, place: &Placement, colour: Colour) {
        for &ring in &self.rings {
            let [radius, height] = self.corners[ring];
            let centre = place.apply(Vec3::Z * height * stretch.z);
            let axes = [Vec3::X * stretch.x, Vec3::Y * stretch.y];
            pen.ring(centre, axes.map(|axis| place.rotation.rotate(axis * radius)), colour);
        }
        // Four lines from below to above.
        for [x, y] in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
            for pair in self.corners.windows(2) {
                let [from, to] =
                    [pair[0], pair[1]].map(|[r, z]| place.apply(Vec3::new(r * x, r * y, z) * stretch));
                pen.line(from, to, colour);
            }
        }
    }

    fn faces(&self, pen: &mut Pen<'_>, stretch: Vec3, place: &Placement, colour: Colour) {
        for pair in self.corners.windows(2) {
            for k in 1..pen.circle().len() {
                let [before, after] = [pen.circle()[k - 1], pen.circle()[k]];
                let at =
                    |[r, z]: [f32; 2], [x, y]: [f32; 2]| place.apply(Vec3::new(r * x, r * y, z) * stretch);
                let [a, b] = [at(pair[0], before), at(pair[0], after)];
                let [c, d] = [at(pair[1], before), at(pair[1], after)];
                if pair[0][0] > 0.0 {
                    pen.out.triangle([a, b, c], colour);
                }
                if pair[1][0] > 0.0 {
                    pen.out.triangle([b, d, c], colour);
                }
            }
        }
    }
}

/// How a shape is drawn.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Of its lines, if it has them.
    pub(super) lines: Option<Colour>,
    /// Of its triangles, if it has them.
    pub(super) faces: Option<Colour>,
}

/// Draws a shape.
pub(super) fn draw(pen: &mut Pen<'_>, shape: &Shape, place: &Placement, style: Style) {
    match shape {
        Shape::Sphere(ball) => {
            round(pen, &Outline::capsule(ball.radius, 0.0, pen.circle()), Vec3::ONE, place, style);
        }
        Shape::Ellipsoid(ellipsoid) => {
            round(pen, &Outline::capsule(1.0, 0.0, pen.circle()), ellipsoid.radii, place, style);
        }
        Shape::Capsule(capsule) => draw_capsule(pen, capsule, place, style),
        Shape::Cylinder(c) => {
            round(pen, &Outline::cylinder(c.radius, c.half_length), Vec3::ONE, place, style);
        }
        Shape::Cone(c) => round(pen, &Outline::cone(c.radius, c.half_length), Vec3::ONE, place, style),
        Shape::Cuboid(cuboid) => draw_cuboid(pen, cuboid, place, style),
        Shape::Tile(tile) => draw_tile(pen, tile, place, style),
        Shape::HalfSpace(_) => draw_half_space(pen, place, style),
        Shape::Triangle(triangle) => polygon(pen, &triangle.corners(), place, style),
        Shape::Planar(figure) => draw_figure(pen, figure, place, style),
        Shape::Polytope(polytope) => draw_polytope(pen, polytope, place, style),
        Shape::Mesh(mesh) => draw_mesh(pen, mesh, place, style),
        Shape::HeightField(field) => draw_height_field(pen, field, place, style),
        // Recursion is bounded by the depth of compounds.
        Shape::Compound(compound) => {
            for child in compound.children() {
                draw(pen, &child.shape, &place.times(&child.pose), style);
            }
        }
    }
}

fn round(pen: &mut Pen<'_>, outline: &Outline, stretch: Vec3, place: &Placement, style: Style) {
    if let Some(colour) = style.lines {
        outline.lines(pen, stretch, place, colour);
    }
    if let Some(colour) = style.faces {
        outline.faces(pen, stretch, place, colour);
    }
}

fn draw_capsule(pen: &mut Pen<'_>, capsule: &Capsule, place: &Placement, style: Style) {
    let (a, b) = (capsule.segment.a, capsule.segment.b);
    let along = Rotation::between(Vec3::Z, (b - a).try_normalize().unwrap_or(Vec3::Z));
    let place = Placement { position: place.apply((a + b) * 0.5), rotation: place.rotation * along };
    let outline = Outline::capsule(capsule.radius, (b - a).length() * 0.5, pen.circle());
    round(pen, &outline, Vec3::ONE, &place, style);
}

fn draw_cuboid(pen: &mut Pen<'_>, cuboid: &Cuboid, place: &Placement, style: Style) {
    let half = cuboid.half;
    if let Some(colour) = style.lines {
        pen.cuboid(-half, half, |corner| place.apply(corner), colour);
    }
    if let Some(colour) = style.faces {
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let (mut out, mut u, mut v) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
                out[axis] = side * half[axis];
                u[(axis + 1) % 3] = half[(axis + 1) % 3];
                v[(axis + 2) % 3] = side * half[(axis + 2) % 3];
                let corners = [out - u - v, out + u - v, out + u + v, out - u + v];
                fan(pen, &corners, place, colour);
            }
        }
    }
}

fn draw_tile(pen: &mut Pen<'_>, tile: &Tile, place: &Placement, style: Style) {
    let corner = |x: f32, z: f32| Vec3::new(x * tile.half_x, 0.0, z * tile.half_z);
    let corners = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
    polygon(pen, &corners, place, style);
}

/// The farthest points of a figure of the plane in the directions of a circle.
fn draw_figure(pen: &mut Pen<'_>, figure: &Planar, place: &Placement, style: Style) {
    let mut corners: Vec<Vec3> = Vec::new();
    for direction in pen.circle()[1..].iter().map(|point| Vec2::from_array(*point)) {
        let corner = (figure.core_support(direction) + direction * figure.radius()).extend(0.0);
        if corners.last() != Some(&corner) {
            corners.push(corner);
        }
    }
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    polygon(pen, &corners, place, style);
}

/// A grid, and the direction out of it.
fn draw_half_space(pen: &mut Pen<'_>, place: &Placement, style: Style) {
    let reach = pen.options.plane_reach;
    if let Some(colour) = style.lines {
        for k in -GRID..=GRID {
            let off = reach * f32::from(k) / f32::from(GRID);
            for ends in [
                [Vec3::new(off, 0.0, -reach), Vec3::new(off, 0.0, reach)],
                [Vec3::new(-reach, 0.0, off), Vec3::new(reach, 0.0, off)],
            ] {
                pen.line(place.apply(ends[0]), place.apply(ends[1]), colour);
            }
        }
        pen.vector(place.position, place.rotation.rotate(Vec3::Y * pen.options.axis_length), colour);
    }
    if let Some(colour) = style.faces {
        let corner = |x: f32, z: f32| Vec3::new(x * reach, 0.0, z * reach);
        let corners = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
        fan(pen, &corners, place, colour);
    }
}

fn draw_polytope(pen: &mut Pen<'_>, polytope: &Polytope, place: &Placement, style: Style) {
    if let Some(colour) = style.lines {
        for edge in polytope.edges() {
            let segment = polytope.segment(edge);
            pen.line(place.apply(segment.a), place.apply(segment.b), colour);
        }
    }
    if let Some(colour) = style.faces {
        for triangle in polytope.triangles() {
            fan(pen, &triangle.corners(), place, colour);
        }
    }
}

fn draw_mesh(pen: &mut Pen<'_>, mesh: &Mesh, place: &Placement, style: Style) {
    for number in 0..mesh.triangle_count() as u32 {
        let corners = mesh.triangle(number).corners();
        if let Some(colour) = style.lines {
            for edge in 0..3 {
                let is_drawn_by_other = mesh.neighbour(number, edge).is_some_and(|other| other < number);
                if !is_drawn_by_other {
                    let ends = [corners[edge], corners[(edge + 1) % 3]].map(|corner| place.apply(corner));
                    pen.out.line(ends, colour);
                }
            }
        }
        if let Some(colour) = style.faces {
            fan(pen, &corners, place, colour);
        }
    }
}

fn draw_height_field(pen: &mut Pen<'_>, field: &HeightField, place: &Placement, style: Style) {
    let [across, down] = field.cells();
    let is_solid = |column: u32, row: u32| column < across && row < down && !field.is_hole(column, row);
    for number in 0..field.triangle_count() as u32 {
        let [column, row] = field.cell_of(number);
        if !is_solid(column, row) {
            continue;
        }
        let corners = field.triangle(number).corners();
        if let Some(colour) = style.faces {
            fan(pen, &corners, place, colour);
        }
        let Some(colour) = style.lines else { continue };
        let low = corners.into_iter().fold(Vec3::INFINITY, Vec3::min);
        for edge in 0..3 {
            let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
            // Edges on the far sides belong to the next cell, if there is one; the diagonal to the
            // first triangle.
            let is_drawn_by_other = if a.x == b.x {
                a.x > low.x && is_solid(column + 1, row)
            } else if a.z == b.z {
                a.z > low.z && is_solid(column, row + 1)
            } else {
                number % 2 == 1
            };
            if !is_drawn_by_other {
                pen.line(place.apply(a), place.apply(b), colour);
            }
        }
    }
}

/// The border of a plane polygon, and its inside.
fn polygon(pen: &mut Pen<'_>, corners: &[Vec3], place: &Placement, style: Style) {
    if let Some(colour) = style.lines {
        for k in 0..corners.len() {
            let to = corners[(k + 1) % corners.len()];
            pen.line(place.apply(corners[k]), place.apply(to), colour);
        }
    }
    if let Some(colour) = style.faces {
        fan(pen, corners, place, colour);
    }
}

/// The inside of a convex plane polygon.
fn fan(pen: &mut Pen<'_>, corners: &[Vec3], place: &Placement, colour: Colour) {
    for k in 2..corners.len() {
        pen.out.triangle([corners[0], corners[k - 1], corners[k]].map(|corner| place.apply(corner)), colour);
    }
}
