//! Contact points: a face clipped by the sides of another, and the four points that are kept.

use carom_geometry::clip::polygon::ClipPolygon;
use carom_geometry::primitive::Plane;
use carom_geometry::shape::Cuboid;
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::sat::{SatCache, Tolerances, box_box};
use carom_narrowphase::{FeatureId, Manifold, ManifoldPoint, SupportFeature, SupportFeatureMap, manifold};
use carom_planar::polygon::convex_hull;
use glam::{DVec2, Vec3};

use crate::canvas::{self, BOX, FOCUS, PAIR, Panel, Pen, QUIET, STRUCTURE};
use crate::scene::{OTHER, View};

/// Seen from above.
fn seen(p: &Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), -f64::from(p.z))
}

pub(crate) fn sheet() -> String {
    let (a, b) =
        (Cuboid::new(Vec3::new(2.0, 0.5, 1.4)).unwrap(), Cuboid::new(Vec3::new(1.7, 0.5, 1.5)).unwrap());
    let tilt = Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), 0.006);
    let relative_pose = Pose::new(Vec3::new(0.45, 0.985, -0.1), tilt * Rotation::about_axis(Vec3::Y, 0.6));
    let tolerances = Tolerances { speculative_distance: 0.05, slop: 0.005 };
    let found = box_box(&a, &b, &relative_pose, tolerances, &mut SatCache::default(), &Manifold::default());

    // The top of the first box and the bottom of the second.
    let (mut top, mut bottom) = (SupportFeature::default(), SupportFeature::default());
    a.support_feature(found.normal, &mut top);
    b.support_feature(-relative_pose.rotation.rotate_back(found.normal), &mut bottom);
    bottom.pose(&relative_pose);
    let mut clipped = ClipPolygon::<f32>::new(bottom.corners().iter().copied()).unwrap();
    for (number, normal) in [Vec3::X, -Vec3::X, Vec3::Z, -Vec3::Z].into_iter().enumerate() {
        clipped.clip(&Plane { normal, offset: normal.abs().dot(a.half) }, number as u8).unwrap();
    }
    let candidates: Vec<ManifoldPoint> = clipped
        .points()
        .iter()
        .enumerate()
        .map(|(k, p)| ManifoldPoint {
            on_a: Vec3::new(p.x, a.half.y, p.z),
            on_b: relative_pose.undo(*p),
            separation: p.y - a.half.y,
            feature: FeatureId(k as u32),
        })
        .collect();
    let chosen = manifold::reduce(&candidates, found.normal, &[]);
    let kept: Vec<&ManifoldPoint> = chosen.indices().iter().map(|k| &candidates[usize::from(*k)]).collect();
    assert_eq!(kept.len(), found.points().len());
    for point in found.points() {
        assert!(
            kept.iter().any(|k| (k.on_a - point.on_a).length() < 1e-4),
            "{point:?} is not among {kept:?}"
        );
    }

    let outline = |feature: &SupportFeature| -> Vec<DVec2> { feature.corners().iter().map(seen).collect() };
    let view = View::of(&[outline(&top), outline(&bottom)].concat());
    let cut: Vec<DVec2> = clipped.points().iter().map(seen).collect();
    let mut first = Panel::new(format!(
        "Two faces that touch, seen from above\nThe face of B is clipped by the sides of the face of A: {} corners are left.",
        cut.len()
    ));
    let mut second = Panel::new(
        "Four of them are kept\nThe deepest (black ring), and with it those that span the largest area. Numbers: depth in mm.",
    );
    view.shape(&mut first, &outline(&top), BOX, "");
    view.polygon(&mut first, &outline(&bottom), &Pen::line(OTHER, 1.4).filled(0.22));
    view.polygon(&mut first, &cut, &Pen::line(STRUCTURE, 2.4).filled(0.18));
    for p in &cut {
        view.dot(&mut first, *p, STRUCTURE);
    }
    let right = outline(&bottom).into_iter().reduce(|p, q| if q.x > p.x { q } else { p }).unwrap();
    view.word(&mut first, DVec2::new(-1.75, 1.15), [0.0, 0.0], FOCUS, "A");
    view.word(&mut first, right, [-0.9, 0.0], FOCUS, "B");

    view.polygon(&mut second, &outline(&top), &Pen::line(QUIET, 0.8));
    view.polygon(&mut second, &outline(&bottom), &Pen::line(QUIET, 0.8));
    view.polygon(&mut second, &cut, &Pen::line(STRUCTURE, 1.0));
    let four: Vec<[f64; 2]> = kept.iter().map(|p| seen(&p.on_a).to_array()).collect();
    let four: Vec<DVec2> =
        convex_hull(&four).unwrap().vertices().iter().map(|p| DVec2::from_array(*p)).collect();
    let middle = four.iter().sum::<DVec2>() / 4.0;
    view.polygon(&mut second, &four, &Pen::line(PAIR, 1.6).filled(0.12));
    let deepest = found.deepest();
    for (k, point) in candidates.iter().enumerate() {
        let at = seen(&point.on_a);
        let is_kept = chosen.indices().contains(&(k as u8));
        view.dot(&mut second, at, if is_kept { PAIR } else { QUIET });
        if (point.separation - deepest).abs() < 1e-6 {
            second.circle(view.at(at), 0.45, &Pen::line(FOCUS, 1.6));
        }
        let out = (at - middle).normalize() * 1.25;
        let depth = format!("{:.1}", -1000.0 * point.separation);
        view.word(&mut second, at, [out.x as f32, out.y as f32 * 0.85], FOCUS, &depth);
    }
    canvas::sheet("Contact points: clipped and reduced", 2, &[first, second])
}
