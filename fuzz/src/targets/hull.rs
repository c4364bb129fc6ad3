//! Any bytes as points: no panic, and a hull that is found is a sound polytope round all of them,
//! also as text and in the other precision.

use carom_geometry::hull::{HullError, HullOptions, convex_hull};
use carom_geometry::polytope::Polytope;
use carom_geometry::real::{Real, Vector};
use glam::{DVec3, Vec3};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Some((&mode, bytes)) = bytes.split_first() else { return };
    let Some((&tolerance, bytes)) = bytes.split_first() else { return };
    let options = HullOptions {
        tolerance: if tolerance < 128 { 0.0 } else { f64::from(tolerance - 127) / 64.0 },
        max_vertices: (mode & 64 != 0).then_some(usize::from(tolerance) % 32),
    };
    let points: Vec<DVec3> = match mode % 6 {
        // Any numbers, NaN and infinity among them.
        0 => words::<8>(bytes).map(|p| DVec3::from(p.map(f64::from_le_bytes))).collect(),
        1 => words::<4>(bytes).map(|p| DVec3::from(p.map(|b| f64::from(f32::from_le_bytes(b))))).collect(),
        // A lattice with many coplanar and equal points.
        2 => words::<1>(bytes).map(|p| DVec3::from(p.map(|[b]| f64::from(b as i8 / 16)))).collect(),
        // A fine lattice, and one jittered by about the tolerance of f32.
        3 => words::<2>(bytes).map(|p| DVec3::from(p.map(|b| f64::from(i16::from_le_bytes(b))))).collect(),
        4 => words::<2>(bytes)
            .map(|p| {
                DVec3::from(p.map(|[high, low]| f64::from(high as i8 / 32) + f64::from(low as i8) * 1e-7))
            })
            .collect(),
        // A thin body.
        _ => words::<2>(bytes)
            .map(|p| {
                let [x, y, z] = p.map(|b| f64::from(i16::from_le_bytes(b)) / 32768.0);
                DVec3::new(x, y, z * 1e-5)
            })
            .collect(),
    };
    check::<DVec3>(&points, &options);
    let narrow: Vec<Vec3> = points.iter().map(|p| p.to::<f32>()).collect();
    check::<Vec3>(&narrow, &options);
}

/// Triples of numbers of `N` bytes.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [[u8; N]; 3]> {
    let numbers = bytes.as_chunks::<N>().0;
    numbers.as_chunks::<3>().0.iter().copied()
}

fn check<V: Vector>(points: &[V], options: &HullOptions)
where
    V::Scalar: std::str::FromStr,
{
    let hull = match convex_hull(points, options) {
        Ok(hull) => hull,
        Err(HullError::NotFinite { index, axis, .. }) => {
            assert!(!points[index][axis].is_finite(), "a number that is finite is called not finite");
            return;
        }
        Err(_) => return,
    };
    hull.check().expect("a hull is sound");
    if options.max_vertices.is_none() {
        let tolerance = 1.5 * hull.tolerance().to_f64();
        for plane in hull.planes() {
            for point in points {
                let height = plane.normal.to::<f64>().dot(point.to::<f64>()) - plane.offset.to_f64();
                assert!(height <= tolerance, "{point} is {height:e} above a face, beyond {tolerance:e}");
            }
        }
    }
    let text = hull.to_text();
    let read = Polytope::<V::Scalar>::from_text(&text).expect("what was written can be read");
    assert_eq!(read.to_text(), text, "written twice is the same text");
}
