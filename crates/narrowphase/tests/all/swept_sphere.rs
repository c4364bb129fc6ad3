//! The moving ball: known answers, and the exact sweep against dense sampling of time.

use carom_geometry::closest::closest_points;
use carom_geometry::primitive::Triangle;
use carom_narrowphase::alternatives::swept_sphere::{
    MovingSphere, PolygonError, PolygonPart, PolygonSides, SphereImpact, SweptPolygon, bounce, first_impact,
    first_impact_on_paper, paper, remaining, slide, sweep, sweep_triangle,
};
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};

/// The floor of the known answers: x from −10 to 0, z from −10 to 10, y = 0, seen from above.
fn floor() -> SweptPolygon<f64> {
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    SweptPolygon::new(vec![corner(-10.0, -10.0), corner(-10.0, 10.0), corner(0.0, 10.0), corner(0.0, -10.0)])
        .unwrap()
}

fn ball(centre: [f64; 3], way: [f64; 3]) -> MovingSphere<f64> {
    MovingSphere { centre: centre.into(), radius: 0.5, displacement: way.into() }
}

fn exact(centre: [f64; 3], way: [f64; 3]) -> Option<SphereImpact<f64>> {
    sweep(&ball(centre, way), &floor(), PolygonSides::Front)
}

fn close(a: DVec3, b: [f64; 3]) -> bool {
    (a - DVec3::from(b)).length() < 1e-6
}

#[test]
fn a_face_is_met_head_on_and_the_slide_is_null() {
    let hit = exact([-1.0, 2.0, 0.0], [0.0, -3.0, 0.0]).unwrap();
    assert!((hit.distance - 1.5).abs() < 1e-12 && hit.part == PolygonPart::Face && hit.normal == DVec3::Y);
    let rest = remaining(DVec3::new(0.0, -3.0, 0.0), hit.distance);
    assert!(slide(rest, &hit, 0.0).length() < 1e-12);
}

#[test]
fn a_face_is_met_at_an_angle_and_friction_shortens_the_slide() {
    let way = [3.0, -3.0, 0.0];
    let hit = exact([-5.0, 2.0, 0.0], way).unwrap();
    assert!((hit.distance - 2.121_320).abs() < 1e-6 && close(hit.point, [-3.5, 0.0, 0.0]));
    let rest = remaining(way.into(), hit.distance);
    assert!(close(rest, [1.5, -1.5, 0.0]));
    assert!(close(slide(rest, &hit, 0.0), [1.5, 0.0, 0.0]) && close(slide(rest, &hit, 0.2), [1.2, 0.0, 0.0]));
    assert_eq!(slide(rest, &hit, 1.0), DVec3::ZERO);
}

#[test]
fn an_edge_is_met_and_the_plane_of_the_slide_is_tangent_to_the_ball() {
    let way = [0.0, -3.0, 0.0];
    let hit = exact([0.3, 2.0, 0.0], way).unwrap();
    assert!(
        (hit.distance - 1.6).abs() < 1e-12
            && close(hit.point, [0.0; 3])
            && close(hit.normal, [0.6, 0.8, 0.0])
    );
    assert_eq!(hit.part, PolygonPart::Edge(2));
    let rest = remaining(way.into(), hit.distance);
    assert!(close(rest, [0.0, -1.4, 0.0]));
    assert!(close(slide(rest, &hit, 0.0), [0.672, -0.504, 0.0]));
    assert!(close(bounce(rest, &hit, 1.0), [1.344, 0.392, 0.0]));
    assert!(close(bounce(rest, &hit, 0.5), [0.672, 0.196, 0.0]));
    // The paper agrees where the ball does not move along the edge.
    let printed = paper::sweep(&ball([0.3, 2.0, 0.0], way), &floor()).unwrap();
    assert!((printed.distance - 1.6).abs() < 1e-12 && close(printed.normal, [0.6, 0.8, 0.0]));
}

#[test]
fn what_passes_beside_the_edge_does_not_collide() {
    assert_eq!(exact([0.6, 2.0, 0.0], [0.0, -3.0, 0.0]), None);
}

#[test]
fn edges_are_exact_where_the_paper_is_late_or_misses() {
    let (late, missed) = (([0.3, 2.0, 0.0], [0.0, -3.0, 3.0]), ([0.45, 2.0, 0.0], [0.0, -3.0, 6.0]));
    assert!((exact(late.0, late.1).unwrap().distance - 2.262_742).abs() < 1e-6);
    assert!((exact(missed.0, missed.1).unwrap().distance - 3.984_796).abs() < 1e-6);
    let printed = |(centre, way)| paper::sweep(&ball(centre, way), &floor());
    assert!((printed(late).unwrap().distance - 2.287_791).abs() < 1e-6);
    assert_eq!(printed(missed), None);
}

#[test]
fn a_plane_that_cuts_the_ball_stops_it_and_one_behind_does_not() {
    let hit = exact([-1.0, 0.3, 0.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!((hit.distance, hit.normal, hit.point), (0.0, DVec3::Y, DVec3::new(-1.0, 0.0, 0.0)));
    assert_eq!(exact([-1.0, -3.0, 0.0], [0.0, -10.0, 0.0]), None);
    // The paper's answers, which are wrong.
    let printed = |centre, way| paper::sweep(&ball(centre, way), &floor()).unwrap().distance;
    assert!((printed([-1.0, 0.3, 0.0], [0.0, -1.0, 0.0]) - 0.2).abs() < 1e-12);
    assert!((printed([-1.0, -3.0, 0.0], [0.0, -10.0, 0.0]) - 3.5).abs() < 1e-12);
}

#[test]
fn gravity_apart_lets_a_ball_climb_a_step() {
    let step = SphereImpact {
        distance: 0.0,
        point: DVec3::ZERO,
        normal: DVec3::new(-0.8, 0.6, 0.0),
        part: PolygonPart::Edge(0),
    };
    let (way, gravity) = (DVec3::X, DVec3::new(0.0, -2.0, 0.0));
    assert!(close(slide(way + gravity, &step, 0.0), [-0.6, -0.8, 0.0]));
    assert!(close(slide(way, &step, 0.0), [0.36, 0.48, 0.0]));
}

#[test]
fn only_fronts_that_are_approached_stop_a_ball() {
    for way in [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.1, 0.0]] {
        assert_eq!(exact([-1.0, 0.5, 0.0], way), None, "{way:?}");
        assert_eq!(exact([-1.0, 0.2, 0.0], way), None, "{way:?}");
    }
    let from_below = ball([-1.0, -2.0, 0.0], [0.0, 3.0, 0.0]);
    assert_eq!(sweep(&from_below, &floor(), PolygonSides::Front), None);
    let hit = sweep(&from_below, &floor(), PolygonSides::Both).unwrap();
    assert_eq!((hit.distance, hit.normal), (1.5, -DVec3::Y));
    // Edge-on.
    let level = ball([2.0, 0.0, 0.0], [-3.0, 0.0, 0.0]);
    assert_eq!(sweep(&level, &floor(), PolygonSides::Front), None);
    assert_eq!(sweep(&level, &floor(), PolygonSides::Both).unwrap().distance, 1.5);
}

#[test]
fn the_end_of_the_way_counts() {
    assert!((exact([-1.0, 2.0, 0.0], [0.0, -1.5, 0.0]).unwrap().distance - 1.5).abs() < 1e-12);
    assert_eq!(exact([-1.0, 2.0, 0.0], [0.0, -1.49, 0.0]), None);
    for sides in [PolygonSides::Front, PolygonSides::Both] {
        assert_eq!(sweep(&ball([-1.0, 0.3, 0.0], [0.0; 3]), &floor(), sides), None, "no way, no collision");
    }
    assert_eq!(paper::sweep(&ball([-1.0, 0.3, 0.0], [0.0; 3]), &floor()), None);
    assert_eq!(exact([-1.0, 2.0, 0.0], [0.0, f64::NAN, 0.0]), None);
}

#[test]
fn a_corner_gives_the_normal_from_it_to_the_centre() {
    let hit = exact([0.3, 3.0, 10.3], [0.0, -5.0, 0.0]).unwrap();
    assert_eq!(hit.part, PolygonPart::Corner(2));
    let height = (0.25f64 - 0.18).sqrt();
    assert!((hit.distance - (3.0 - height)).abs() < 1e-12);
    assert!(close(hit.normal, [0.6, height / 0.5, 0.6]));
    // Overlapping the corner at the start, inwards and away.
    let inwards = exact([0.2, 0.2, 10.2], [-0.1, -1.0, 0.0]).unwrap();
    assert_eq!((inwards.distance, inwards.part), (0.0, PolygonPart::Corner(2)));
    assert!(close(inwards.normal, DVec3::ONE.normalize().to_array()));
    assert_eq!(exact([0.2, 0.2, 10.2], [2.0, -1.0, 2.0]), None);
}

#[test]
fn the_first_of_several_is_found_and_of_equals_the_first_in_the_list() {
    let lowered = SweptPolygon::new(floor().corners().iter().map(|c| *c - DVec3::Y).collect()).unwrap();
    let falling = ball([-1.0, 2.0, 0.0], [0.0, -9.0, 0.0]);
    assert_eq!(first_impact::<f64>(&falling, &[], PolygonSides::Front), None);
    let level = [lowered.clone(), floor(), floor()];
    let (index, hit) = first_impact(&falling, &level, PolygonSides::Front).unwrap();
    assert_eq!((index, hit.distance), (1, 1.5));
    assert_eq!(first_impact_on_paper(&falling, &level).unwrap().0, 1);
    assert_eq!(first_impact(&falling, &[lowered], PolygonSides::Front).unwrap().1.distance, 2.5);
}

#[test]
fn what_is_no_convex_polygon_is_refused() {
    let make = |corners: &[[f32; 3]]| SweptPolygon::new(corners.iter().map(|c| Vec3::from(*c)).collect());
    assert_eq!(make(&[[0.0; 3], [1.0; 3]]).unwrap_err(), PolygonError::TooFew { count: 2 });
    let nan = make(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, f32::NAN, 0.0]]);
    assert_eq!(nan.unwrap_err(), PolygonError::NotFinite { index: 2 });
    let line = make(&[[0.0; 3], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]]);
    assert!(matches!(line.unwrap_err(), PolygonError::Degenerate { .. }));
    let twice = make(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(twice.unwrap_err(), PolygonError::Degenerate { edge: 1 });
    let bent = make(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.0]]);
    assert!(matches!(bent.unwrap_err(), PolygonError::NotFlat { .. }));
    let notched = make(&[[0.0; 3], [4.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 4.0, 0.0]]);
    assert_eq!(notched.unwrap_err(), PolygonError::NotConvex { index: 2 });
    let star: Vec<[f32; 3]> = (0..5u8)
        .map(|k| std::f32::consts::TAU * 0.4 * f32::from(k))
        .map(|angle| [angle.cos(), angle.sin(), 0.0])
        .collect();
    assert!(matches!(make(&star).unwrap_err(), PolygonError::NotConvex { .. }));
    assert!(
        make(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).is_ok(),
        "a straight corner"
    );
}

/// A convex polygon in a random plane: points on a circle that is squeezed to an ellipse.
fn random_polygon(numbers: &mut Numbers) -> SweptPolygon<f64> {
    let rotation = numbers.rotation();
    let (middle, wide) = (numbers.vector(1.0), numbers.between(0.3, 2.0));
    let count = 3 + numbers.below(5);
    let corners = (0..count).map(|k| {
        let angle = (k as f64 + numbers.between(0.0, 0.9)) * std::f64::consts::TAU / count as f64;
        middle + rotation.rotate(DVec3::new(angle.cos() * wide, angle.sin(), 0.0))
    });
    SweptPolygon::new(corners.collect()).unwrap()
}

/// Distance of a point from the polygon, by triangles.
fn distance_from(polygon: &SweptPolygon<f64>, point: DVec3) -> f64 {
    let corners = polygon.corners();
    let fan = corners[1..].windows(2).map(|pair| Triangle::new(corners[0], pair[0], pair[1]));
    fan.map(|t| closest_points(&t, &point).distance()).fold(f64::INFINITY, f64::min)
}

/// The first contact by trying many times and halving: the distance at which the ball begins to
/// touch.
fn sampled(moving: &MovingSphere<f64>, polygon: &SweptPolygon<f64>) -> Option<f64> {
    let (length, steps) = (moving.displacement.length(), 400);
    let at = |t: f64| distance_from(polygon, moving.centre + moving.displacement * t) - moving.radius;
    let first = (0..=steps).map(|k| f64::from(k) / f64::from(steps)).find(|&t| at(t) <= 0.0)?;
    let (mut low, mut high) = ((first - 1.0 / f64::from(steps)).max(0.0), first);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if at(middle) <= 0.0 { high = middle } else { low = middle }
    }
    Some(high * length)
}

/// Two-sided sweeps against sampling: the same contact, no penetration on the way there, right
/// normals. In single precision too, and front-sided where the ball comes from the front.
#[test]
fn the_sweep_agrees_with_dense_sampling() {
    let mut numbers = Numbers(3);
    let (mut seen, mut parts) = (0, [0; 3]);
    for case in 0..cases::count() / 5 {
        let polygon = random_polygon(&mut numbers);
        let centre = numbers.vector(3.0);
        let displacement = (numbers.vector(1.5) - centre) * numbers.between(0.3, 2.0);
        let moving = MovingSphere { centre, radius: numbers.between(0.05, 0.8), displacement };
        if distance_from(&polygon, moving.centre) <= moving.radius + 1e-9 {
            continue;
        }
        let approaches = polygon.plane().normal.dot(moving.displacement);
        let found = sweep(&moving, &polygon, PolygonSides::Both);
        let expected = sampled(&moving, &polygon);
        let length = moving.displacement.length();
        let Some(hit) = found else {
            // Sampling finds no grazing either, but may find the contacts of what moves away from
            // the plane.
            let height = polygon.plane().signed_distance(moving.centre);
            assert!(expected.is_none() || approaches * height >= 0.0, "case {case}: {expected:?}");
            continue;
        };
        seen += 1;
        parts[match hit.part {
            PolygonPart::Face => 0,
            PolygonPart::Edge(_) => 1,
            PolygonPart::Corner(_) => 2,
        }] += 1;
        let there = moving.centre + moving.displacement * (hit.distance / length);
        assert!((distance_from(&polygon, there) - moving.radius).abs() < 1e-9, "case {case}: {hit:?}");
        assert!(close(there - hit.normal * moving.radius, hit.point.to_array()));
        assert!(distance_from(&polygon, hit.point) < 1e-9);
        if let Some(expected) = expected {
            assert!((hit.distance - expected).abs() < 1e-6 * length, "case {case}: {hit:?} {expected}");
        } else {
            // Touched for less than a sample: never deep.
            assert!(hit.normal.dot(moving.displacement) < 0.0);
        }
        let height = polygon.plane().signed_distance(moving.centre);
        let front = sweep(&moving, &polygon, PolygonSides::Front);
        assert_eq!(front, if height >= 0.0 && approaches < 0.0 { Some(hit) } else { None }, "case {case}");
        let narrow = SweptPolygon::new(polygon.corners().iter().map(|c| c.as_vec3()).collect()).unwrap();
        let single = MovingSphere {
            centre: moving.centre.as_vec3(),
            radius: moving.radius as f32,
            displacement: moving.displacement.as_vec3(),
        };
        if let Some(single) = sweep(&single, &narrow, PolygonSides::Both) {
            // Grazing contacts are ill conditioned: an error across moves them by its root.
            let error = (f64::from(single.distance) - hit.distance).abs();
            let slope = -hit.normal.dot(moving.displacement) / length;
            assert!(error * slope < 1e-5, "case {case}: {hit:?} {single:?}");
        }
        // How it goes on.
        let rest = remaining(moving.displacement, hit.distance);
        assert!((rest.length() - (length - hit.distance)).abs() < 1e-12 * length);
        let along = slide(rest, &hit, 0.0);
        assert!(along.dot(hit.normal).abs() < 1e-12 * length && along.length() <= rest.length() + 1e-12);
        let back = bounce(rest, &hit, 1.0);
        assert!((back.dot(hit.normal) + rest.dot(hit.normal)).abs() < 1e-12 * length);
        assert!((back.length() - rest.length()).abs() < 1e-12 * length);
    }
    assert!(seen > 100 && parts.iter().all(|&n| n > 10), "{seen} {parts:?}");
}

#[test]
fn a_triangle_is_a_polygon_of_three_corners() {
    let mut numbers = Numbers(4);
    let mut seen = 0;
    for _ in 0..cases::count() / 10 {
        let triangle = Triangle::new(numbers.vector(2.0), numbers.vector(2.0), numbers.vector(2.0));
        let Ok(polygon) = SweptPolygon::of_triangle(&triangle) else { continue };
        let moving =
            MovingSphere { centre: numbers.vector(3.0), radius: 0.3, displacement: numbers.vector(4.0) };
        let (a, b) = (
            sweep_triangle(&moving, &triangle, PolygonSides::Front),
            sweep(&moving, &polygon, PolygonSides::Front),
        );
        match (a, b) {
            (Some(a), Some(b)) => {
                assert!((a.distance - b.distance).abs() < 1e-9 && (a.normal - b.normal).length() < 1e-6);
            }
            (a, b) => assert!(a.is_none() && b.is_none(), "{a:?} {b:?}"),
        }
        seen += u32::from(a.is_some());
    }
    assert!(seen > 20);
    let flat = Triangle::new(DVec3::ZERO, DVec3::X, DVec3::X * 2.0);
    assert_eq!(sweep_triangle(&ball([0.5, 1.0, 0.0], [0.0, -2.0, 0.0]), &flat, PolygonSides::Both), None);
}
