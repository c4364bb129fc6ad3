//! What queries of meshes and height fields must find, by looking at every triangle in `f64`.

use carom_geometry::bounds::Aabb;
use carom_geometry::primitive::Ray;
use glam::Vec3;
use proptest::prelude::*;

/// Directions of all kinds and lengths, among them such along the axes.
pub(crate) fn direction() -> impl Strategy<Value = Vec3> {
    let coordinate = prop_oneof![4 => -1.0f32..1.0, 1 => Just(0.0), 1 => Just(-0.0)];
    (prop::array::uniform3(coordinate), prop_oneof![Just(1.0f32), Just(1e-6), Just(1e6)])
        .prop_map(|(d, scale)| Vec3::from(d) * scale)
        .prop_filter("null", |d| *d != Vec3::ZERO)
}

/// Möller and Trumbore's test, without care for edges: the time, and how far inside in barycentric
/// terms.
fn hit_of(ray: &Ray, corners: [Vec3; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let (o, d) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let (ab, ac) = (b - a, c - a);
    let p = d.cross(ac);
    let det = ab.dot(p);
    // Edge-on triangles are judged by their neighbours.
    if det.abs() < 1e-9 * ab.length() * ac.length() * d.length() {
        return None;
    }
    let u = (o - a).dot(p) / det;
    let q = (o - a).cross(ab);
    let v = d.dot(q) / det;
    Some((ac.dot(q) / det, u.min(v).min(1.0 - u - v)))
}

/// Is `found` the time at which a ray meets the nearest of the triangles, as far as rounding lets
/// one say?
pub(crate) fn check_nearest(
    ray: &Ray,
    max: f32,
    triangles: impl Iterator<Item = [Vec3; 3]>,
    found: Option<f32>,
) -> Result<(), TestCaseError> {
    let slow: Vec<_> = triangles.filter_map(|corners| hit_of(ray, corners)).collect();
    let far = f64::from(max);
    let slack = 1e-5 * far;
    let nearest = |least: f64, low: f64, high: f64| {
        let counted = slow.iter().filter(|(t, inside)| *inside > least && *t >= low && *t <= high);
        counted.map(|(t, _)| *t).fold(f64::INFINITY, f64::min)
    };
    // The nearest among those that are hit without doubt, and among those that may be hit.
    let sure = nearest(1e-5, 0.0, far - slack);
    let possible = nearest(-1e-5, -slack, far + slack);
    match found.map(f64::from) {
        None => prop_assert!(sure == f64::INFINITY, "missed {sure}"),
        Some(t) => {
            let right = t <= far && t <= sure + slack && t >= possible - slack;
            prop_assert!(right, "{t} instead of {sure} or {possible}");
        }
    }
    Ok(())
}

/// First time at which a moving box touches a box grown by `slack`.
fn touch(start: &Aabb<3>, d: Vec3, target: &Aabb<3>, slack: f64) -> Option<f64> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let gap_low = f64::from(target.min[k]) - slack - f64::from(start.max[k]);
        let gap_high = f64::from(target.max[k]) + slack - f64::from(start.min[k]);
        let v = f64::from(d[k]);
        if v == 0.0 {
            if gap_low > 0.0 || gap_high < 0.0 {
                return None;
            }
        } else {
            let (a, b) = (gap_low / v, gap_high / v);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    (enter <= leave).then_some(enter)
}

/// Are `found` the triangles whose boxes, given in the order of their numbers, a moving box meets,
/// each once and with its time? A gap of `slack` may be overlooked.
pub(crate) fn check_sweep(
    start: &Aabb<3>,
    d: Vec3,
    boxes: impl Iterator<Item = (u32, Aabb<3>)>,
    mut found: Vec<(u32, f32)>,
    slack: f64,
) -> Result<(), TestCaseError> {
    found.sort_by_key(|f| f.0);
    let mut reports = found.into_iter().peekable();
    for (t, target) in boxes {
        let reported = reports.next_if(|f| f.0 == t).map(|f| f64::from(f.1));
        let earliest = touch(start, d, &target, slack);
        match (touch(start, d, &target, 0.0), reported) {
            (Some(right), Some(time)) => {
                prop_assert!(time <= right && time > earliest.unwrap() - 1e-6, "{time} {right}");
            }
            (Some(right), None) => prop_assert!(false, "missed {t}, touched at {right}"),
            (None, Some(_)) => prop_assert!(earliest.is_some(), "{t} is far away"),
            (None, None) => {}
        }
    }
    prop_assert_eq!(reports.next(), None, "told twice, or not there");
    Ok(())
}

/// Does a sweep that is given the limit 0.4 from the first call on tell all that comes before it,
/// and nothing later but that first call? `sweep` is run with the limit to return.
pub(crate) fn check_limit(sweep: impl Fn(f32) -> Vec<(u32, f32)>) -> Result<(), TestCaseError> {
    let limit = 0.4;
    let within = |list: &[(u32, f32)]| list.iter().filter(|f| f.1 <= limit).count();
    let (all, early) = (sweep(1.0), sweep(limit));
    prop_assert_eq!(within(&early), within(&all), "those within the limit are all told");
    prop_assert!(early.len() <= within(&early) + 1, "at most the first call can be late");
    Ok(())
}
