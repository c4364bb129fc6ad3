//! `carom info` of a mesh file: what a physics engine wants to know about it.

use std::path::Path;

use carom_geometry::bounds::obb::fit;
use carom_geometry::bounds::{Aabb, BoundingSphere, Obb};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::mass::of_closed_surface;
use carom_geometry::mesh::{Finding, Mesh, files};
use carom_geometry::shape::Bounded as _;
use glam::Vec3;

use super::info::{Facts, fact};
use crate::failure::Failure;

/// Reads the file and describes it.
pub(super) fn describe(path: &Path) -> Result<Facts, Failure> {
    let mesh = files::load(path, &files::file_options(), files::DEFAULT_MAX_BYTES)
        .map_err(|error| Failure::new(error.to_string()))?;
    let mut facts = Facts::new();
    fact(&mut facts, "source", path.display().to_string());
    fact(&mut facts, "format", "triangle mesh");
    fact(&mut facts, "triangles", mesh.triangle_count());
    fact(&mut facts, "vertices", mesh.vertices().len());
    fact(&mut facts, "closed", mesh.is_closed());
    fact(&mut facts, "oriented", mesh.is_oriented());
    findings(&mesh, &mut facts);
    volumes(&mesh, &mut facts);
    match of_closed_surface(mesh.vertices(), mesh.indices().iter().copied(), 1000.0) {
        Ok(body) => {
            fact(&mut facts, "mass", format!("{} kg at 1000 kg/m³", body.mass));
            fact(&mut facts, "centre", shown(body.centre));
            fact(&mut facts, "moments", format!("{} kg·m²", shown(body.principal().values)));
        }
        Err(error) => fact(&mut facts, "mass", format!("none: {error}")),
    }
    let tree = mesh.counters();
    fact(
        &mut facts,
        "memory",
        format!("{} bytes, tree {} nodes, {} deep", tree.bytes, tree.nodes, tree.depth),
    );
    Ok(facts)
}

/// What is wrong with the triangles, if anything.
fn findings(mesh: &Mesh, facts: &mut Facts) {
    let report = mesh.report();
    let rows: [(&str, &Finding); 5] = [
        ("without area", &report.degenerate),
        ("repeated", &report.duplicate),
        ("border sides", &report.border),
        ("non-manifold", &report.non_manifold),
        ("flipped", &report.flipped),
    ];
    for (name, finding) in rows {
        if finding.count > 0 {
            fact(facts, name, format!("{}, first at triangles {:?}", finding.count, finding.first));
        }
    }
    for (name, count) in [("welded", report.welded_vertices), ("unused", report.unused_vertices)] {
        if count > 0 {
            fact(facts, name, format!("{count} vertices"));
        }
    }
}

fn volumes(mesh: &Mesh, facts: &mut Facts) {
    let bounds: Aabb<3> = mesh.aabb();
    fact(
        facts,
        "box",
        format!("{} to {}, {} m³", shown(bounds.low()), shown(bounds.high()), bounds.volume()),
    );
    if let Some(sphere) = BoundingSphere::<f32>::smallest(mesh.vertices()) {
        fact(facts, "sphere", format!("radius {} at {}", sphere.radius, shown(sphere.centre)));
    }
    match convex_hull(mesh.vertices(), &HullOptions::default()) {
        Ok(hull) => {
            fact(facts, "hull", format!("{} vertices, {} faces", hull.vertex_count(), hull.face_count()));
            let edges: Vec<Vec3> = hull.edges().map(|edge| hull.segment(edge).direction()).collect();
            // The search costs a pass over all vertices per edge direction.
            let obb: Option<Obb> = if edges.len() <= 2_000 {
                fit::near_minimal(hull.points(), &edges)
            } else {
                fit::around_points(hull.points())
            };
            if let Some(obb) = obb {
                let half = shown(obb.half);
                fact(facts, "oriented box", format!("half extents {half}, {} m³", obb.volume()));
            }
        }
        Err(error) => fact(facts, "hull", format!("none: {error}")),
    }
}

fn shown(v: Vec3) -> String {
    format!("[{}, {}, {}]", v.x, v.y, v.z)
}
