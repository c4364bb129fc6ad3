//! A mesh as bytes.
//!
//! Kept are the vertices and triangles in their order with the caller's numbers, the bend that
//! counts as flat, and what the report says of things that were dropped. The tree is rebuilt from
//! the triangles in the caller's order, and gives the order that was kept, as it did before;
//! neighbours and edge kinds are found anew. So a mesh that has been read is one that could have
//! been built.

use glam::Vec3;

use super::{Finding, MAX_TRIANGLES, Mesh, MeshReport, clean, plant};
use crate::bytes::{BytesReadError, Reader, Stored, Writer};

impl Stored for Finding {
    const LEAST: usize = 12;

    fn put(&self, out: &mut Writer) {
        (self.count as u64).put(out);
        self.first.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self { count: from.field::<u64>("count")? as usize, first: from.field("first")? })
    }
}

impl Stored for Mesh {
    const LEAST: usize = 64;

    fn put(&self, out: &mut Writer) {
        self.flat_cosine.put(out);
        self.vertices.put(out);
        self.vertex_numbers.put(out);
        self.triangles.put(out);
        self.numbers.put(out);
        self.report.degenerate.put(out);
        self.report.duplicate.put(out);
        (self.report.welded_vertices as u64).put(out);
        (self.report.unused_vertices as u64).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let flat_cosine: f64 = from.field("flat_cosine")?;
        let vertices: Vec<Vec3> = from.field("vertices")?;
        let vertex_numbers: Vec<u32> = from.field("vertex_numbers")?;
        let triangles: Vec<[u32; 3]> = from.field("triangles")?;
        let numbers: Vec<u32> = from.field("numbers")?;
        let report = MeshReport {
            degenerate: from.field("degenerate")?,
            duplicate: from.field("duplicate")?,
            welded_vertices: from.field::<u64>("welded_vertices")? as usize,
            unused_vertices: from.field::<u64>("unused_vertices")? as usize,
            ..MeshReport::default()
        };
        if !(-1.0..=1.0).contains(&flat_cosine) {
            return Err(from.refused(format_args!("{flat_cosine} is no cosine of a flat angle")));
        }
        let counts = [vertices.len(), vertex_numbers.len(), triangles.len(), numbers.len()];
        let fits = counts[0] == counts[1] && counts[2] == counts[3];
        if !fits || triangles.is_empty() || triangles.len() > MAX_TRIANGLES {
            return Err(from.refused(format_args!(
                "{} vertices with {} numbers and {} triangles with {} make no mesh",
                counts[0], counts[1], counts[2], counts[3]
            )));
        }
        let is_missing = |v: &u32| *v as usize >= vertices.len();
        if let Some(bad) = triangles.iter().position(|corners| corners.iter().any(is_missing)) {
            return Err(from.refused(format_args!(
                "triangle {bad} names a vertex that is not there: {:?}",
                triangles[bad]
            )));
        }
        // In the caller's order, as when it was built.
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        order.sort_unstable_by_key(|k| numbers[*k as usize]);
        let given = clean::Clean {
            triangles: order.iter().map(|k| triangles[*k as usize]).collect(),
            numbers: order.iter().map(|k| numbers[*k as usize]).collect(),
        };
        let (tree, planted, planted_numbers) = plant(&vertices, &given);
        if planted != triangles || planted_numbers != numbers {
            return Err(from.refused("the triangles are not in the order of their tree"));
        }
        let mesh = Self::connected(vertices, vertex_numbers, (tree, triangles, numbers), flat_cosine, report);
        mesh.check().map_err(|fault| from.refused(fault))?;
        Ok(mesh)
    }
}
