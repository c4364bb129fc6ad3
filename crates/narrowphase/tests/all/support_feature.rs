//! Supporting support features of every shape.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Support, Tile};
use carom_geometry::{Polytope, Pose};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::{Convex, SupportFeature, SupportFeatureMap};
use glam::Vec3;

use crate::cases::{Numbers, count};

/// Corners belong to the shape, the polygon is convex and turns the right way, and it reaches as
/// far as the shape does up to `slack` (round ends stand as octagons).
fn check<F: SupportFeatureMap + Convex<f32>, W: OracleShape>(
    shape: &F,
    witness: &W,
    slack: f32,
    directions: &[Vec3],
) {
    let mut support_feature = SupportFeature::default();
    for &direction in directions {
        shape.support_feature(direction, &mut support_feature);
        let corners = support_feature.corners();
        assert!(!corners.is_empty() && corners.len() <= 32);
        assert!((support_feature.normal.length() - 1.0).abs() < 1e-5, "{support_feature:?}");
        for &corner in corners {
            assert!(witness.excess(corner.as_dvec3()) < 1e-5, "{corner} {direction}");
        }
        let reach = shape.core_support(direction, &mut 0).dot(direction);
        let farthest = corners.iter().fold(f32::NEG_INFINITY, |f, c| f.max(c.dot(direction)));
        assert!(
            farthest >= reach - slack * direction.length() && farthest <= reach + 1e-5 * direction.length()
        );
        for k in 0..corners.len() {
            let [a, b, c] = [0, 1, 2].map(|d| corners[(k + d) % corners.len()]);
            if corners.len() >= 3 {
                assert!((b - a).cross(c - b).dot(support_feature.normal) > 0.0, "{support_feature:?}");
                assert!((b - a).dot(support_feature.normal).abs() < 1e-5);
            }
        }
        let view = support_feature.view();
        for k in 0..corners.len() {
            assert!(!view.names[..k].contains(&view.names[k]));
            assert!(corners.len() < 3 || !view.sides[..k].contains(&view.sides[k]));
        }
        // A pose moves the support feature as a whole.
        let relative_pose =
            Pose::new(Vec3::new(1.0, 2.0, 3.0), carom_geometry::Rotation::about_axis(Vec3::Z, 1.0));
        let mut posed = support_feature.clone();
        posed.pose(&relative_pose);
        for (&moved, &corner) in posed.corners().iter().zip(corners) {
            assert!((moved - relative_pose.apply(corner)).length() < 1e-5);
        }
    }
}

#[test]
fn support_features_support_their_shapes() {
    let mut numbers = Numbers(41);
    let mut directions: Vec<Vec3> = (0..count() / 20).map(|_| numbers.vector(1.0).as_vec3()).collect();
    for axis in Vec3::AXES {
        directions.extend([axis, -axis, axis * 1e-3 + Vec3::ONE]);
    }
    let d = &directions;
    let cuboid = Cuboid::<f32> { half: Vec3::new(0.5, 1.0, 1.5) };
    check(&cuboid, &cuboid.to::<f64>(), 1e-5, d);
    for half in [Vec3::new(0.0, 1.0, 1.0), Vec3::new(0.0, 0.0, 1.0), Vec3::ZERO] {
        let flat = Cuboid::<f32> { half };
        check(&flat, &flat.to::<f64>(), 1e-5, d);
    }
    let tile = Tile::<f32> { half_x: 0.5, half_z: 1.0 };
    check(&tile, &tile.to::<f64>(), 1e-5, d);
    let triangle = Triangle::<f32>::new(Vec3::X, Vec3::Y, Vec3::new(0.5, 0.0, 2.0));
    check(&triangle, &triangle.to::<f64>(), 1e-5, d);
    let needle = Triangle::<f32>::new(Vec3::X, Vec3::X * 2.0, Vec3::X * 4.0);
    check(&needle, &needle.to::<f64>(), 1e-5, d);
    let point = Triangle::<f32>::new(Vec3::X, Vec3::X, Vec3::X);
    check(&point, &point.to::<f64>(), 1e-5, d);
    let sphere = Sphere::<f32> { radius: 0.5 };
    check(&sphere, &sphere.to::<f64>(), 1e-5, d);
    let capsule = Capsule::along_z(1.0f32, 0.5).unwrap();
    check(&capsule, &Capsule::along_z(1.0f64, 0.5).unwrap(), 1e-5, d);
    let ellipsoid = Ellipsoid::<f32> { radii: Vec3::new(0.5, 1.0, 1.5) };
    check(&ellipsoid, &ellipsoid.to::<f64>(), 1e-5, d);
    // An octagon in a circle of radius r leaves out r (1 − cos 22.5°).
    let cylinder = Cylinder::<f32> { half_length: 1.0, radius: 0.5 };
    check(&cylinder, &cylinder.to::<f64>(), 0.5 * 0.0762, d);
    let cone = Cone::<f32> { half_length: 1.0, radius: 0.5 };
    check(&cone, &cone.to::<f64>(), 0.5 * 0.0762, d);
    let hull = Polytope::<f32>::random_on_sphere(40, 1.0, 3).unwrap();
    check(&hull, &Polytope::<f64>::random_on_sphere(40, 1.0, 3).unwrap(), 1e-5, d);
}

#[test]
fn large_faces_are_thinned() {
    let prism = Polytope::<f32>::prism(100, 1.0, 0.5).unwrap();
    let cap = prism
        .planes()
        .iter()
        .position(|p| {
            prism
                .around_face(carom_geometry::polytope::FaceId(
                    prism.planes().iter().position(|q| q == p).unwrap() as u32,
                ))
                .count()
                == 100
        })
        .unwrap();
    let mut support_feature = SupportFeature::default();
    prism.support_feature(prism.planes()[cap].normal, &mut support_feature);
    assert_eq!(support_feature.corners().len(), 32);
    let reach = prism.support(Vec3::X).x;
    assert!(
        support_feature.corners().iter().any(|c| c.x > 0.95 * reach)
            && support_feature.corners().iter().any(|c| c.x < -0.95 * reach)
    );
}
