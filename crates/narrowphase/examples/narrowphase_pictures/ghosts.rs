//! Meshes: what triangles say one by one, and what the surface says.

use carom_geometry::Pose;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Shape, Sphere};
use carom_narrowphase::analytic::triangle_cuboid;
use carom_narrowphase::composite::{MeshContactOptions, MeshContactReport, SurfaceCache, surface_contacts};
use carom_narrowphase::{Manifold, Proximity};
use glam::{DVec2, Vec3};

use crate::canvas::{self, Anchor, BOX, FOCUS, PAIR, Panel, Pen, STRUCTURE};
use crate::scene::{OTHER, View};

fn flat(p: Vec3) -> DVec2 {
    p.truncate().as_dvec2()
}

/// A strip of long triangles along x, two per metre in the plane z = 0.
fn strip(height: impl Fn(f32) -> f32) -> Mesh {
    let (mut vertices, triangles) = generate::terrain(6, 1, 1.0, |x, _| height(x));
    for v in &mut vertices {
        v.z *= 60.0;
    }
    Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap()
}

/// Where a triangle cuts the plane z = 0.
fn slice(triangle: &Triangle) -> [DVec2; 2] {
    let ends: Vec<DVec2> = triangle
        .edges()
        .iter()
        .filter(|e| (e.a.z > 0.0) != (e.b.z > 0.0))
        .map(|e| flat(e.a + (e.b - e.a) * (e.a.z / (e.a.z - e.b.z))))
        .collect();
    [ends[0], ends[1]]
}

/// The strip from the side: triangles with marks between them, and what is below it.
fn draw_strip(panel: &mut Panel, view: &View, mesh: &Mesh) {
    for t in 0..mesh.triangle_count() as u32 {
        let [p, q] = slice(&mesh.triangle(t));
        let down = DVec2::new(0.0, -0.28);
        view.polygon(panel, &[p, q, q + down, p + down], &Pen::line(BOX, 0.0).filled(0.22));
        view.line(panel, p, q, &Pen::line(BOX, 2.0));
        for end in [p, q] {
            view.line(panel, end, end + down, &Pen::line(BOX, 1.2));
        }
    }
}

/// Nearly five metres of the strip, from so far below its middle on.
fn window(below: f64) -> View {
    View::of(&[DVec2::new(-2.4, -below), DVec2::new(2.4, 3.2 - below)])
}

fn contacts(mesh: &Mesh, shape: &Shape, pose: &Pose) -> (Vec<Manifold>, MeshContactReport) {
    let mut found = Vec::new();
    let report = surface_contacts(
        mesh,
        shape,
        pose,
        &MeshContactOptions::default(),
        &mut SurfaceCache::default(),
        &mut found,
    );
    (found, report)
}

fn push(panel: &mut Panel, view: &View, at: DVec2, normal: Vec3, colour: &'static str) {
    view.arrow(panel, at, at + flat(normal) * 0.75, colour);
    view.dot(panel, at, colour);
}

/// Contact points, each once as seen from the side.
fn draw_contacts(panel: &mut Panel, view: &View, found: &[Manifold]) {
    let mut drawn: Vec<DVec2> = Vec::new();
    for manifold in found {
        for point in manifold.points() {
            let at = flat(point.on_a);
            if drawn.iter().all(|other| (*other - at).length() > 0.1) {
                push(panel, view, at, manifold.normal, PAIR);
                drawn.push(at);
            }
        }
    }
}

fn box_on_floor() -> [Panel; 2] {
    let floor = strip(|_| 0.0);
    let cube = Cuboid::new(Vec3::new(1.1, 0.85, 0.4)).unwrap();
    let pose = Pose::at(Vec3::new(-0.04, 0.85 - 0.13, 0.0));
    let corners = [[-1.1, -0.85], [1.1, -0.85], [1.1, 0.85], [-1.1, 0.85]]
        .map(|[x, y]: [f32; 2]| flat(pose.apply(Vec3::new(x, y, 0.0))));
    let alone: Vec<(u32, Proximity)> = (0..floor.triangle_count() as u32)
        .map(|t| (t, triangle_cuboid(&floor.triangle(t), &cube, &pose)))
        .filter(|(_, found)| found.distance <= 0.0)
        .collect();
    let sideways = alone.iter().filter(|(_, found)| found.normal.y < 0.5).count();
    assert!(sideways > 0, "a triangle pushes the box sideways");
    let (found, report) = contacts(&floor, &Shape::from(cube), &pose);
    assert!(found.len() == 1 && (found[0].normal - Vec3::Y).length() < 1e-4, "{found:?}");
    let view = window(0.55);
    let mut first = Panel::new(format!(
        "A box slides; each triangle measured alone\n{sideways} of {} triangles pushes it sideways, since its end is nearer than its face: the box stumbles.",
        alone.len()
    ));
    let mut second = Panel::new(format!(
        "The same with the surface as a whole\nFlat edges do not push: {} contacts with them dropped, {} turned to the normal of the face.",
        report.ghosts, report.rotated
    ));
    for panel in [&mut first, &mut second] {
        draw_strip(panel, &view, &floor);
        view.shape(panel, &corners, OTHER, "");
        panel.text([12.0, 13.3], Anchor::Middle, FOCUS, "slides");
        panel.arrow([9.6, 12.6], [14.4, 12.6], FOCUS);
    }
    for (t, near) in &alone {
        let [p, q] = slice(&floor.triangle(*t));
        let (left, right) = (p.min(q).x.max(corners[0].x), p.max(q).x.min(corners[1].x));
        let at = DVec2::new(0.5 * (left + right), 0.0);
        if near.normal.y < 0.5 {
            view.arrow(&mut first, at - flat(near.normal) * 0.75, at, PAIR);
            view.line(&mut first, at - flat(near.normal) * 0.75, at, &Pen::line(PAIR, 3.0));
            view.dot(&mut first, at, PAIR);
            view.word(&mut first, at - flat(near.normal) * 0.45, [0.3, 0.8], PAIR, "ghost");
        } else {
            push(&mut first, &view, at, near.normal, STRUCTURE);
        }
    }
    draw_contacts(&mut second, &view, &found);
    [first, second]
}

/// A ball on a strip that bends in the middle.
fn ball(caption: &str, slope: f32, centre: Vec3, manifolds: usize) -> Panel {
    let bent = strip(|x| slope * x.abs());
    let shape = Sphere { radius: 0.9 };
    let (found, _) = contacts(&bent, &Shape::from(shape), &Pose::at(centre));
    assert_eq!(found.len(), manifolds, "{found:?}");
    let mut panel = Panel::new(caption);
    let view = window(if slope < 0.0 { 1.1 } else { 0.55 });
    draw_strip(&mut panel, &view, &bent);
    if slope < 0.0 {
        // Between the normals of the faces beside the edge.
        let normal = |side: f32| flat(Vec3::new(-side * slope, 1.0, 0.0).normalize()) * 1.7;
        view.polygon(
            &mut panel,
            &[DVec2::ZERO, normal(1.0), normal(-1.0)],
            &Pen::dashes(STRUCTURE, 1.0).filled(0.18),
        );
        view.word(&mut panel, normal(-1.0), [-2.6, 0.2], STRUCTURE, "allowed");
    }
    view.circle(&mut panel, flat(centre), f64::from(shape.radius), &Pen::line(OTHER, 1.4).filled(0.22));
    draw_contacts(&mut panel, &view, &found);
    panel
}

pub(crate) fn sheet() -> String {
    let [first, second] = box_on_floor();
    let leaning = Vec3::new(0.18, 0.86, 0.0);
    let third = ball(
        "A ball on a ridge\nThe surface is convex there and the normal lies between those of the faces: the edge counts.",
        -0.5,
        leaning,
        1,
    );
    let fourth = ball(
        "A ball in a valley\nThe edge lies below and is concave: both faces hold the ball, the edge does not.",
        0.5,
        Vec3::new(0.0, 0.97, 0.0),
        2,
    );
    canvas::sheet("Contacts of a surface", 2, &[first, second, third, fourth])
}
