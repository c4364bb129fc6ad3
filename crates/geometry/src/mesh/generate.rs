//! Meshes of known shape: for tests, benchmarks and scenes.
//!
//! Each function returns vertices and triangles, counter-clockwise seen from outside, for
//! [`Mesh::new`](super::Mesh::new).

use carom_core::trig::sin_cos_f64;
use glam::{DVec3, Vec3};

use crate::real::Vector;

/// Vertices and triangles.
pub type Soup = (Vec<Vec3>, Vec<[u32; 3]>);

/// Surface of a box around the origin: 12 triangles.
#[must_use]
pub fn cuboid(half: Vec3) -> Soup {
    let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
    let vertices = (0..8).map(|c| half * Vec3::new(sign(c, 0), sign(c, 1), sign(c, 2))).collect();
    let triangles = vec![
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
        [0, 1, 5],
        [0, 5, 4], //
        [2, 6, 7],
        [2, 7, 3],
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
    ];
    (vertices, triangles)
}

/// Sphere around the origin: an icosahedron whose triangles are cut into `cuts²` each, 20 · cuts²
/// in all. All corners lie on the sphere. `cuts` of 0 counts as 1.
#[must_use]
pub fn icosphere(radius: f32, cuts: u32) -> Soup {
    let cuts = cuts.max(1);
    let golden = f64::midpoint(1.0, 5.0f64.sqrt());
    let mut corners = Vec::with_capacity(12);
    for axis in 0..3 {
        for k in 0..4 {
            let mut c = [0.0; 3];
            c[axis] = if k & 1 == 0 { 1.0 } else { -1.0 };
            c[(axis + 1) % 3] = if k & 2 == 0 { golden } else { -golden };
            corners.push(DVec3::from_array(c));
        }
    }
    let near = |a: DVec3, b: DVec3| (a - b).length() < 2.1; // edges have length 2
    let mut points: Vec<DVec3> = Vec::new();
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [p, q, r] = [corners[a], corners[b], corners[c]];
                if near(p, q) && near(q, r) && near(r, p) {
                    let outward = (q - p).cross(r - p).dot(p) > 0.0;
                    let (q, r) = if outward { (q, r) } else { (r, q) };
                    let first = points.len() as u32;
                    for i in 0..=cuts {
                        for j in 0..=i {
                            let (u, v) = (f64::from(i - j), f64::from(j));
                            points.push(p * (f64::from(cuts) - u - v) + q * u + r * v);
                        }
                    }
                    let at = |i: u32, j: u32| first + i * (i + 1) / 2 + j;
                    for i in 0..cuts {
                        for j in 0..=i {
                            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                            if j < i {
                                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
                            }
                        }
                    }
                }
            }
        }
    }
    // Points on the seams of the 20 faces differ by rounding; on a fine grid they are equal.
    let vertices: Vec<Vec3> = points
        .iter()
        .map(|p| {
            let unit = Vector::unit(*p).unwrap_or(DVec3::X);
            (Vector::map(unit * 1e9, f64::round) * (f64::from(radius) / 1e9)).to::<f32>()
        })
        .collect();
    merge(&vertices, triangles)
}

/// Torus about the z axis: `around` by `across` quadrilaterals, two triangles each. Counts below 3
/// count as 3.
#[must_use]
pub fn torus(radius: f32, tube: f32, around: u32, across: u32) -> Soup {
    let (around, across) = (around.max(3), across.max(3));
    let turn = |k: u32, n: u32| sin_cos_f64(std::f64::consts::TAU * f64::from(k) / f64::from(n));
    let mut vertices = Vec::with_capacity((around * across) as usize);
    for i in 0..around {
        let (s, c) = turn(i, around);
        for j in 0..across {
            let (sine, cosine) = turn(j, across);
            let distance = f64::from(radius) + f64::from(tube) * cosine;
            vertices.push(DVec3::new(distance * c, distance * s, f64::from(tube) * sine).to::<f32>());
        }
    }
    let at = |i: u32, j: u32| i % around * across + j % across;
    let mut triangles = Vec::with_capacity(2 * vertices.len());
    for i in 0..around {
        for j in 0..across {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (vertices, triangles)
}

/// A net of `columns` by `rows` squares of side `step` over the x–z plane, centred, with the
/// heights of `height(x, z)`; the front is above.
#[must_use]
pub fn terrain(columns: u32, rows: u32, step: f32, height: impl Fn(f32, f32) -> f32) -> Soup {
    let at = |k: u32, n: u32| (k as f32 - n as f32 * 0.5) * step;
    let mut vertices = Vec::with_capacity((columns as usize + 1) * (rows as usize + 1));
    for r in 0..=rows {
        for c in 0..=columns {
            let (x, z) = (at(c, columns), at(r, rows));
            vertices.push(Vec3::new(x, height(x, z), z));
        }
    }
    let index = |c: u32, r: u32| r * (columns + 1) + c;
    let mut triangles = Vec::with_capacity(columns as usize * rows as usize * 2);
    for r in 0..rows {
        for c in 0..columns {
            triangles.push([index(c, r), index(c, r + 1), index(c + 1, r)]);
            triangles.push([index(c, r + 1), index(c + 1, r + 1), index(c + 1, r)]);
        }
    }
    (vertices, triangles)
}

/// One vertex for each place.
fn merge(vertices: &[Vec3], triangles: Vec<[u32; 3]>) -> Soup {
    let key = |v: u32| vertices[v as usize].to_array().map(|c| (c + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|v| (key(*v), *v));
    let mut renamed = vec![0; vertices.len()];
    let mut kept = Vec::new();
    for same in order.chunk_by(|a, b| key(*a) == key(*b)) {
        for vertex in same {
            renamed[*vertex as usize] = kept.len() as u32;
        }
        kept.push(vertices[same[0] as usize]);
    }
    (kept, triangles.into_iter().map(|t| t.map(|v| renamed[v as usize])).collect())
}
