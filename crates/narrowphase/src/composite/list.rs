//! The triangles near a body, kept until it leaves their neighbourhood.
//!
//! The tree of a surface is walked for a box larger than that of the body. While the body stays
//! inside, its triangles are among those found, with their normals, in packs of eight for
//! [`crate::sat::triangles`]. What is found does not depend on how long the list was kept:
//! triangles beyond the speculative distance are ruled out one by one each time.

use carom_core::simd::{SimdFloat, SimdVec3, f32x8};
use carom_geometry::Vector;
use carom_geometry::bounds::Aabb;
use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::primitive::Triangle;
use glam::{DVec3, Vec3};

use super::triangles::Triangles;
use crate::sat::triangles::Pack;

/// A triangle of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) number: u32,
    pub(super) triangle: Triangle,
    /// Unit normal of the front.
    pub(super) normal: Vec3,
    /// Twice the area.
    pub(super) area: f32,
}

/// Share of its size that a body can move before the tree is walked again. More would mean more
/// triangles to rule out in every step.
const ROOM: f32 = 0.1;

/// The list.
#[derive(Debug)]
pub(super) struct List {
    region: Aabb<3>,
    entries: Vec<Entry>,
    packs: Vec<Pack<f32x8>>,
    without_area: usize,
    /// The region is known, and its triangles are not: it has been read from bytes.
    is_bare: bool,
}

carom_core::clone_fields!(List { region, entries, packs, without_area, is_bare });

impl Default for List {
    fn default() -> Self {
        Self { region: Aabb::EMPTY, entries: Vec::new(), packs: Vec::new(), without_area: 0, is_bare: false }
    }
}

/// The region alone: its triangles are listed again, in the same order, when they are asked for.
impl Stored for List {
    const LEAST: usize = 24;

    fn put(&self, out: &mut Writer) {
        self.region.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self { region: from.field("region")?, is_bare: true, ..Self::default() })
    }
}

impl List {
    /// Forgets everything but its memory.
    pub(super) fn clear(&mut self) {
        self.region = Aabb::EMPTY;
        self.is_bare = false;
        self.entries.clear();
        self.packs.clear();
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn packs(&self) -> &[Pack<f32x8>] {
        &self.packs
    }

    /// Triangles of the region that have no area and are not in the list: their neighbours are all
    /// there is of them.
    pub(super) fn without_area(&self) -> usize {
        self.without_area
    }

    /// Sees to it that all triangles whose box meets `bounds` are in the list; true if the tree was
    /// walked for it.
    pub(super) fn cover<T: Triangles>(&mut self, surface: &T, bounds: &Aabb<3>) -> bool {
        if self.region.contains(bounds) {
            if self.is_bare {
                self.fill(surface);
            }
            return false;
        }
        self.region = bounds.grown(ROOM * bounds.half().max_element());
        self.fill(surface);
        true
    }

    /// Lists the triangles of the region.
    fn fill<T: Triangles>(&mut self, surface: &T) {
        self.is_bare = false;
        self.entries.clear();
        self.without_area = 0;
        let (entries, without_area) = (&mut self.entries, &mut self.without_area);
        surface.for_each_in_box(&self.region, |number, triangle| {
            // Needles have normals in double precision only.
            let across: DVec3 = triangle.to::<f64>().area_vector();
            match across.unit() {
                Some(normal) => entries.push(Entry {
                    number,
                    triangle: *triangle,
                    normal: normal.to::<f32>(),
                    area: across.length() as f32,
                }),
                None => *without_area += 1,
            }
        });
        self.pack();
    }

    fn pack(&mut self) {
        self.packs.clear();
        for chunk in self.entries.chunks(f32x8::WIDTH) {
            // SimdFloat behind the end repeat the last triangle; callers stop before them.
            let at = |lane: usize| &chunk[lane.min(chunk.len() - 1)];
            self.packs.push(Pack {
                corners: [0, 1, 2].map(|k| SimdVec3::from_fn(|lane| at(lane).triangle.corners()[k])),
                normal: SimdVec3::from_fn(|lane| at(lane).normal),
            });
        }
    }
}
