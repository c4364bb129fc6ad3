//! From the caller's lists to a sound list of triangles: checks, welding, triangles that should not
//! be there.
//!
//! Equal things are found by sorting or by bucket, so the outcome does not depend on hashing; among
//! equals the first of the caller's list stays.

use std::collections::HashMap;

use glam::{DVec3, Vec3};

use super::options::{Defect, Finding, MAX_TRIANGLES, MeshError, MeshOptions, MeshReport, Weld};
use crate::bounds::Aabb;
use crate::real::Vector;

/// Triangles that passed, with their numbers in the caller's list.
pub(super) struct Clean {
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) numbers: Vec<u32>,
}

/// Checks everything, welds, and sorts out what the options do not want.
pub(super) fn clean(
    vertices: &[Vec3],
    mut triangles: Vec<[u32; 3]>,
    options: &MeshOptions,
    report: &mut MeshReport,
) -> Result<Clean, MeshError> {
    check(vertices, &triangles, options)?;
    let given = triangles.len();
    if let Some(standing) = weld(vertices, options.weld)? {
        report.welded_vertices = standing.iter().enumerate().filter(|(k, s)| *k != **s as usize).count();
        for triangle in &mut triangles {
            *triangle = triangle.map(|v| standing[v as usize]);
        }
    }
    let mut numbers: Vec<u32> = (0..given as u32).collect();
    let mut drop = Vec::new();
    for (t, triangle) in triangles.iter().enumerate() {
        if !has_area(triangle.map(|v| vertices[v as usize])) {
            report.degenerate.add(t as u32);
            match options.degenerate {
                Defect::Drop => drop.push(t as u32),
                Defect::Keep => {}
                Defect::Refuse => {
                    return Err(MeshError::Degenerate { triangle: t as u32, corners: *triangle });
                }
            }
        }
    }
    remove(&mut triangles, &mut numbers, &drop);
    let mut repeated = duplicates(&triangles, vertices.len());
    repeated.sort_unstable();
    if let (Defect::Refuse, Some(&first)) = (options.duplicate, repeated.first()) {
        let first = first as usize;
        return Err(MeshError::Duplicate { triangle: numbers[first], corners: triangles[first] });
    }
    report.duplicate = Finding::of(repeated.iter().map(|t| numbers[*t as usize]).collect());
    if options.duplicate == Defect::Drop {
        remove(&mut triangles, &mut numbers, &repeated);
    }
    if triangles.is_empty() {
        return Err(MeshError::Empty { given });
    }
    Ok(Clean { triangles, numbers })
}

fn check(vertices: &[Vec3], triangles: &[[u32; 3]], options: &MeshOptions) -> Result<(), MeshError> {
    if triangles.len() > MAX_TRIANGLES {
        return Err(MeshError::TooManyTriangles { count: triangles.len() });
    }
    if vertices.len() >= u32::MAX as usize {
        return Err(MeshError::TooManyVertices { count: vertices.len() });
    }
    if !(0.0..=std::f32::consts::PI).contains(&options.flat_angle) {
        return Err(MeshError::FlatAngle { angle: options.flat_angle });
    }
    if let Some(vertex) = vertices.iter().position(|v| !Vector::is_finite(*v)) {
        return Err(MeshError::NotFinite { vertex, value: vertices[vertex].to_array() });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|c| **c as usize >= vertices.len()) {
            return Err(MeshError::IndexOutOfRange { triangle, index, vertices: vertices.len() });
        }
    }
    Ok(())
}

/// For every vertex the one that stands for it; `None` without welding.
fn weld(vertices: &[Vec3], how: Weld) -> Result<Option<Vec<u32>>, MeshError> {
    match how {
        Weld::Never => Ok(None),
        Weld::Exact => Ok(Some(weld_exact(vertices))),
        Weld::Within(distance) => weld_within(vertices, distance).map(Some),
    }
}

fn weld_exact(vertices: &[Vec3]) -> Vec<u32> {
    // Adding zero turns −0 into +0, after which equal numbers have equal bits.
    let key = |v: u32| vertices[v as usize].to_array().map(|c| (c + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|v| (key(*v), *v));
    let mut standing: Vec<u32> = (0..vertices.len() as u32).collect();
    for group in order.chunk_by(|a, b| key(*a) == key(*b)) {
        for vertex in group {
            standing[*vertex as usize] = group[0];
        }
    }
    standing
}

/// Greedy in the order of the list, over a grid of cells as wide as the distance: two kept vertices
/// of one cell are more than the distance apart, so that a cell holds few and the work is linear.
fn weld_within(vertices: &[Vec3], distance: f32) -> Result<Vec<u32>, MeshError> {
    /// Beyond this number of cells along an axis, cells could not be told apart in `f64`.
    const MAX_CELLS: f64 = (1u64 << 50) as f64;
    let bounds: Aabb<3, f64> = Aabb::of_points(vertices.iter().map(|v| v.to::<f64>()));
    let size = if vertices.is_empty() { 0.0 } else { (bounds.high() - bounds.low()).max_element() };
    let width = f64::from(distance);
    if !(distance > 0.0 && distance.is_finite() && size / width < MAX_CELLS) {
        return Err(MeshError::WeldTolerance { tolerance: distance, size });
    }
    let cell = |p: DVec3| ((p - bounds.low()) / width).to_array().map(|c| c as i64);
    // Only looked up, never walked through: the order of its entries cannot reach the result.
    let mut kept: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut standing = Vec::with_capacity(vertices.len());
    for (index, vertex) in vertices.iter().enumerate() {
        let point: DVec3 = vertex.to::<f64>();
        let home = cell(point);
        let near = |other: &&u32| (vertices[**other as usize].to::<f64>() - point).length() <= width;
        let first = (0..27i64)
            .filter_map(|k| kept.get(&[home[0] + k % 3 - 1, home[1] + k / 3 % 3 - 1, home[2] + k / 9 - 1]))
            .filter_map(|list| list.iter().find(near))
            .min();
        standing.push(match first {
            Some(earlier) => *earlier,
            None => {
                kept.entry(home).or_default().push(index as u32);
                index as u32
            }
        });
    }
    Ok(standing)
}

/// True if the corners span an area. In `f64` the products of `f32` differences are exact, unless
/// the coordinates differ by a factor beyond 2²⁸, so that only triangles without area fail.
pub(super) fn has_area(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(Vector::to::<f64>);
    (b - a).cross(c - a) != DVec3::ZERO
}

/// Places of the triangles that repeat an earlier one, turned in any way but not mirrored.
fn duplicates(triangles: &[[u32; 3]], vertices: usize) -> Vec<u32> {
    // The least of its three turns stands for a triangle; equal ones meet in the bucket of its
    // first corner.
    let form = |[a, b, c]: [u32; 3]| [a, b, c].min([b, c, a]).min([c, a, b]);
    let mut found = Vec::new();
    let entries = triangles.iter().enumerate().map(|(index, t)| {
        let [first, second, third] = form(*t);
        (first, (u64::from(second) << 32 | u64::from(third), index as u32))
    });
    for bucket in Buckets::new(vertices, entries).sorted() {
        for same in bucket.chunk_by(|a, b| a.0 == b.0) {
            found.extend(same[1..].iter().map(|entry| entry.1));
        }
    }
    found
}

/// Takes the places out of both lists; they must ascend.
fn remove(triangles: &mut Vec<[u32; 3]>, numbers: &mut Vec<u32>, places: &[u32]) {
    fn without<T>(list: &mut Vec<T>, places: &[u32]) {
        let (mut index, mut next) = (0u32, places.iter().peekable());
        list.retain(|_| {
            let drop = next.next_if_eq(&&index).is_some();
            index += 1;
            !drop
        });
    }
    if !places.is_empty() {
        without(triangles, places);
        without(numbers, places);
    }
}

/// Entries gathered by vertex in two passes (counting sort): linear, without hashing, in a fixed
/// order.
pub(super) struct Buckets<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy + Default + Ord> Buckets<T> {
    /// Gathers `(vertex, entry)`; there must be fewer than 2³² entries.
    pub(super) fn new(vertices: usize, entries: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for (vertex, _) in entries.clone() {
            starts[vertex as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut next = starts.clone();
        let mut gathered = vec![T::default(); starts[vertices] as usize];
        for (vertex, entry) in entries {
            let place = &mut next[vertex as usize];
            gathered[*place as usize] = entry;
            *place += 1;
        }
        Self { starts, entries: gathered }
    }

    /// The buckets one by one, each in ascending order.
    pub(super) fn sorted(&mut self) -> impl Iterator<Item = &[T]> {
        for range in self.starts.windows(2) {
            self.entries[range[0] as usize..range[1] as usize].sort_unstable();
        }
        self.starts.windows(2).map(|range| &self.entries[range[0] as usize..range[1] as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(vertices: &[Vec3], triangles: &[[u32; 3]], options: &MeshOptions) -> (Clean, MeshReport) {
        let mut report = MeshReport::default();
        (clean(vertices, triangles.to_vec(), options, &mut report).unwrap(), report)
    }

    const SQUARE: [Vec3; 4] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];

    #[test]
    fn turned_triangles_are_duplicates_and_mirrored_ones_are_not() {
        let triangles = [[0, 1, 2], [1, 2, 0], [2, 1, 0], [1, 3, 2], [2, 0, 1]];
        let (clean, report) = cleaned(&SQUARE, &triangles, &MeshOptions::default());
        assert_eq!(clean.numbers, [0, 2, 3]);
        assert_eq!(report.duplicate, Finding { count: 2, first: vec![1, 4] });
        let keep = MeshOptions { duplicate: Defect::Keep, ..MeshOptions::default() };
        assert_eq!(cleaned(&SQUARE, &triangles, &keep).0.triangles.len(), 5);
        let refuse = MeshOptions { duplicate: Defect::Refuse, ..MeshOptions::default() };
        assert_eq!(
            clean_error(&SQUARE, &triangles, &refuse),
            MeshError::Duplicate { triangle: 1, corners: [1, 2, 0] }
        );
    }

    fn clean_error(vertices: &[Vec3], triangles: &[[u32; 3]], options: &MeshOptions) -> MeshError {
        match clean(vertices, triangles.to_vec(), options, &mut MeshReport::default()) {
            Err(error) => error,
            Ok(_) => panic!("accepted"),
        }
    }

    #[test]
    fn triangles_without_area_are_dropped_kept_or_refused() {
        let mut vertices = SQUARE.to_vec();
        vertices.push(Vec3::new(2.0, 2.0, 0.0));
        let triangles = [[0, 1, 1], [0, 3, 4], [0, 1, 2]];
        let (clean, report) = cleaned(&vertices, &triangles, &MeshOptions::default());
        assert_eq!((clean.numbers.as_slice(), report.degenerate.count), ([2].as_slice(), 2));
        let keep = MeshOptions { degenerate: Defect::Keep, ..MeshOptions::default() };
        let (clean, report) = cleaned(&vertices, &triangles, &keep);
        assert_eq!((clean.numbers.len(), report.degenerate.first.as_slice()), (3, [0, 1].as_slice()));
        let refuse = MeshOptions { degenerate: Defect::Refuse, ..MeshOptions::default() };
        assert_eq!(
            clean_error(&vertices, &triangles, &refuse),
            MeshError::Degenerate { triangle: 0, corners: [0, 1, 1] }
        );
        assert_eq!(
            clean_error(&vertices, &triangles[..2], &MeshOptions::default()),
            MeshError::Empty { given: 2 }
        );
    }

    #[test]
    fn errors_name_the_place_and_the_value() {
        let options = MeshOptions::default();
        assert_eq!(
            clean_error(&SQUARE, &[[0, 1, 2], [0, 4, 2]], &options),
            MeshError::IndexOutOfRange { triangle: 1, index: 4, vertices: 4 }
        );
        let mut vertices = SQUARE;
        vertices[2].y = f32::INFINITY;
        let message = clean_error(&vertices, &[[0, 1, 2]], &options).to_string();
        assert_eq!(message, "vertex 2 is [0.0, inf, 0.0]: coordinates must be finite numbers");
        assert_eq!(clean_error(&SQUARE, &[], &options), MeshError::Empty { given: 0 });
        for angle in [f32::NAN, -0.1, 4.0] {
            let options = MeshOptions { flat_angle: angle, ..options };
            assert!(matches!(clean_error(&SQUARE, &[[0, 1, 2]], &options), MeshError::FlatAngle { .. }));
        }
    }

    #[test]
    fn equal_vertices_weld_and_minus_zero_is_zero() {
        let vertices = [Vec3::X, Vec3::ZERO, Vec3::X, Vec3::new(-0.0, 0.0, -0.0), Vec3::Y];
        assert_eq!(weld_exact(&vertices), [0, 1, 0, 1, 4]);
    }

    #[test]
    fn welding_within_a_distance_keeps_the_first() {
        let at = |x: f32| Vec3::new(x, 0.0, 0.0);
        let vertices = [at(0.0), at(1.0), at(0.09), at(0.11), at(-0.1), at(1.2), at(0.2)];
        // 0.2 lies within 0.1 of 0.11, which was kept.
        assert_eq!(weld_within(&vertices, 0.1).unwrap(), [0, 1, 0, 3, 0, 5, 3]);
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-40] {
            assert!(matches!(weld_within(&vertices, bad), Err(MeshError::WeldTolerance { .. })), "{bad}");
        }
    }
}
