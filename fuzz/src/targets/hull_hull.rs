//! Any bytes as two hulls and a place: no panic, no number that is not finite, and every narrow
//! phase agrees with the oracle.

use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::real::{Real, Vector};
use carom_geometry::{Polytope, Pose, Rotation};
use carom_narrowphase::Proximity;
use carom_narrowphase::alternatives::mpr;
use carom_narrowphase::gjk::{self, SimplexCache};
use carom_narrowphase::oracle::{certify, certify_claims};
use glam::DVec3;

/// More points make the oracle slow and no new cases.
const MAX_POINTS: usize = 14;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Some((header, points)) = bytes.split_at_checked(11) else { return };
    let mode = header[0];
    let number = |b: u8| f64::from(b as i8);
    // Turns by small whole numbers are often turns that put faces and edges in line.
    let rotation = Rotation::from_xyzw([1, 2, 3, 4].map(|k| number(header[k])));
    let shift = |k: usize| f64::from(i16::from_le_bytes([header[k], header[k + 1]])) / 256.0;
    let translation = DVec3::new(shift(5), shift(7), shift(9));
    let place = Pose::new(translation, rotation.unwrap_or(Rotation::IDENTITY));
    let place = if mode & 4 != 0 { Pose::at(place.translation.round()) } else { place };
    let points: Vec<DVec3> = points
        .as_chunks::<3>()
        .0
        .iter()
        .map(|p| {
            let [x, y, z] = p.map(number);
            // A lattice, a fine one, and a flat body.
            match mode & 3 {
                0 => DVec3::new(x, y, z) / 16.0,
                1 => DVec3::new(x, y, z).map(|c| (c / 32.0).round()),
                2 => DVec3::new(x, y, z * 1e-4) / 16.0,
                _ => DVec3::new(x, y, z) / 16.0 + DVec3::splat(4.0),
            }
        })
        .collect();
    let (first, second) = points.split_at(points.len() / 2);
    let hull = |points: &[DVec3]| {
        convex_hull::<DVec3>(&points[..points.len().min(MAX_POINTS)], &HullOptions::default()).ok()
    };
    let Some((a, b)) = hull(first).zip(hull(second)) else { return };
    check(&a, &b, &place);
}

fn check(a: &Polytope<f64>, b: &Polytope<f64>, place: &Pose<f64>) {
    let size =
        a.points().iter().chain(b.points()).map(|p| p.length()).fold(place.translation.length(), f64::max);
    let tolerance = 1e-9 * size + a.tolerance() + b.tolerance();
    let mut cache = SimplexCache::new();
    let found = gjk::proximity(a, b, place, &mut cache);
    certify(a, b, place, &found, tolerance).expect("an answer in double precision is right");
    let again = gjk::proximity(a, b, place, &mut cache);
    assert!((again.distance - found.distance).abs() <= tolerance, "warm {again:?}, cold {found:?}");
    let back = gjk::proximity(b, a, &place.inverse(), &mut SimplexCache::new());
    assert!((back.distance - found.distance).abs() <= tolerance, "swapped {back:?}, {found:?}");
    let is_clear = found.distance.abs() > tolerance;
    let touching = found.distance <= 0.0;
    assert!(!is_clear || gjk::intersects(a, b, place, &mut SimplexCache::new()) == touching, "{found:?}");
    assert!(!is_clear || mpr::touches(a, b, place) == touching, "portal disagrees with {found:?}");
    match mpr::penetration(a, b, place, mpr::DEFAULT_RAYS) {
        Some(estimate) => {
            assert!(touching || !is_clear, "portal disagrees with {found:?}");
            assert!(estimate.depth >= -found.distance - tolerance, "{estimate:?} is less than {found:?}");
            assert!((estimate.normal.length() - 1.0).abs() < 1e-9 && estimate.on_a.is_finite());
        }
        None => assert!(!touching || !is_clear, "portal misses {found:?}"),
    }
    let (narrow_a, narrow_b, narrow_place) = (a.to::<f32>(), b.to::<f32>(), place.to::<f32>());
    let narrow = gjk::proximity(&narrow_a, &narrow_b, &narrow_place, &mut SimplexCache::new());
    let wide = Proximity {
        distance: narrow.distance.to_f64(),
        normal: narrow.normal.to::<f64>(),
        on_a: narrow.on_a.to::<f64>(),
        on_b: narrow.on_b.to::<f64>(),
    };
    let loose = 1e-5 * size + tolerance;
    certify_claims(a, b, place, &wide, loose).expect("an answer in single precision is right");
    assert!((wide.distance - found.distance).abs() <= loose, "{narrow:?} {found:?}");
}
