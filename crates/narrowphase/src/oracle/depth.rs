//! The shortest way out of each other.
//!
//! The depth of two convex sets is the least overlap of their shadows over all directions. For
//! polyhedra a shortest way is along the normal of a face of either or along the cross product of
//! two edges (they are the face normals of the Minkowski difference), so trying all of these is
//! exact. Round cores are tried in directions spread over the sphere, and the best of these are
//! improved by small turns: what is found is a way out, and close to the shortest.

use carom_geometry::{Pose, Vector};
use glam::DVec3;

use super::{OraclePolyhedron, OracleShape, distance, unit_or_x};

/// Directions spread over the sphere for round cores.
const SPREAD: u32 = 400;
/// How many of them are improved.
const IMPROVED: usize = 4;

/// A way out: moving the second set by `depth` along `normal` separates the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayOut {
    /// How far; below zero if the sets are apart by that much along the normal.
    pub depth: f64,
    /// Unit vector in the frame of the first set.
    pub normal: DVec3,
}

/// The gap between the shadows of the two sets on a unit vector, below zero if they overlap.
pub fn gap<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<f64>,
    normal: DVec3,
) -> f64 {
    core_gap(a, b, pose, normal) - a.radius() - b.radius()
}

fn core_gap<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<f64>,
    normal: DVec3,
) -> f64 {
    let on_a = a.core_support(normal, &mut 0);
    let on_b = pose.apply(b.core_support(-pose.rotation.rotate_back(normal), &mut 0));
    normal.dot(on_b - on_a)
}

/// The shortest way out that can be found; see the [module](self). For sets that are apart the
/// depth is minus the distance.
pub fn depth<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(a: &A, b: &B, pose: &Pose<f64>) -> WayOut {
    let Some((poly_a, poly_b)) = a.polyhedron().zip(b.polyhedron()) else {
        return among_many(a, b, pose);
    };
    let radii = a.radius() + b.radius();
    let mut best = WayOut { depth: f64::INFINITY, normal: DVec3::X };
    each_axis(&poly_a, &poly_b, pose, |axis| {
        for normal in [axis, -axis] {
            let overlap = -core_gap(a, b, pose, normal);
            if overlap < best.depth {
                best = WayOut { depth: overlap, normal };
            }
        }
    });
    if best.depth >= 0.0 {
        return WayOut { depth: best.depth + radii, ..best };
    }
    let apart = distance::between(&poly_a, &poly_b, pose);
    WayOut { depth: radii - apart.distance(), normal: (apart.b - apart.a).unit().unwrap_or(best.normal) }
}

/// Every direction that can be the shortest way out of two polyhedra, up to its sign.
fn each_axis(a: &OraclePolyhedron, b: &OraclePolyhedron, pose: &Pose<f64>, mut visit: impl FnMut(DVec3)) {
    let rotated = |v: &DVec3| pose.rotation.rotate(*v);
    let edges_b: Vec<DVec3> = b.edges.iter().filter_map(|e| rotated(e).unit()).collect();
    let edges_a: Vec<DVec3> = a.edges.iter().filter_map(|e| e.unit()).collect();
    a.normals.iter().copied().chain(b.normals.iter().map(rotated)).for_each(&mut visit);
    for e in &edges_a {
        edges_b.iter().filter_map(|f| e.cross(*f).unit()).for_each(&mut visit);
    }
    // For a difference without volume: a point has no direction, a segment none across, so any will
    // do.
    for across in edges_a.iter().chain(&edges_b).map(|e| e.frame()) {
        visit(across.0);
        visit(across.1);
    }
    DVec3::AXES.into_iter().for_each(visit);
}

fn among_many<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(a: &A, b: &B, pose: &Pose<f64>) -> WayOut {
    let overlap = |normal: DVec3| WayOut { depth: -gap(a, b, pose, normal), normal };
    let mut best = [WayOut { depth: f64::INFINITY, normal: DVec3::X }; IMPROVED];
    let mut add = |normal: DVec3| {
        let found = overlap(normal);
        let pose = best.iter().position(|b| found.depth < b.depth);
        if let Some(pose) = pose {
            best[pose..].rotate_right(1);
            best[pose] = found;
        }
    };
    let normals_a = a.polyhedron().map(|p| p.normals).unwrap_or_default();
    normals_a.into_iter().for_each(|n| [n, -n].into_iter().for_each(&mut add));
    let normals_b = b.polyhedron().map(|p| p.normals).unwrap_or_default();
    let axes_b = normals_b.into_iter().chain(DVec3::AXES).map(|n| pose.rotation.rotate(n));
    axes_b.chain(DVec3::AXES).for_each(|n| [n, -n].into_iter().for_each(&mut add));
    let middles = pose.apply(b.centre()) - a.centre();
    add(unit_or_x(middles));
    (0..SPREAD).for_each(|k| add(spread(k)));
    best.into_iter()
        .map(|start| improved(start, &overlap))
        .fold(best[0], |least, found| if found.depth < least.depth { found } else { least })
}

/// Unit vectors on a spiral from pole to pole, evenly spread (the golden angle).
fn spread(k: u32) -> DVec3 {
    let y = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(SPREAD);
    let (sine, cosine) = carom_geometry::Real::sin_cos(f64::from(k) * 2.399_963_229_728_653);
    let across = (1.0 - y * y).sqrt();
    unit_or_x(DVec3::new(across * cosine, y, across * sine))
}

/// Turns a direction by ever smaller angles as long as the overlap shrinks.
fn improved(mut best: WayOut, overlap: &impl Fn(DVec3) -> WayOut) -> WayOut {
    let mut step = 0.1;
    while step > 1e-9 {
        let (u, v) = best.normal.frame();
        let rotations = [u, -u, v, -v, u + v, -u - v, u - v, v - u];
        let found = rotations.map(|t| overlap(unit_or_x(best.normal + t * step)));
        let least = found.into_iter().fold(best, |l, f| if f.depth < l.depth { f } else { l });
        if least.depth < best.depth {
            best = least;
        } else {
            step *= 0.35;
        }
    }
    best
}
