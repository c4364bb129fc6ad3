//! Cores lie within their shapes, as deep as they say.

use carom_geometry::Pose;
use carom_geometry::shape::{Bounded, Compound, Cone, Cuboid, Cylinder, Shape, Tile};
use carom_narrowphase::Convex;
use carom_narrowphase::toi::{
    Core, InnerBall, Motion, Toi, ToiOptions, time_of_impact_of_core, time_of_impact_of_shapes,
};
use glam::{DVec3, Vec3};

use crate::cases::Numbers;
use crate::cast_shapes::{children, convex_shapes, hills, torus};

fn targets() -> [Shape; 3] {
    [torus().into(), Compound::new(children()).unwrap().into(), hills().into()]
}

/// How far a core reaches along a unit vector.
fn reach(core: &Core<'_>, direction: Vec3) -> f32 {
    let mut hint = u32::MAX;
    core.core_support(direction, &mut hint).dot(direction) + core.radius()
}

#[test]
fn the_inner_ball_and_the_cores_are_inside() {
    let mut numbers = Numbers(3);
    for shape in convex_shapes() {
        let ball = InnerBall::of(&shape).unwrap();
        let whole = Core::whole(&shape).unwrap();
        let size = shape.aabb().half().length();
        for part in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let core = Core::new(&shape, &ball, part).unwrap();
            for _ in 0..200 {
                let direction = numbers.vector(1.0).as_vec3().normalize_or(Vec3::X);
                let room = reach(&whole, direction) - reach(&core, direction);
                // Ellipsoids are worn away less where their axes are at an angle to the border.
                let depth = if matches!(shape, Shape::Ellipsoid(_)) { 0.0 } else { part * ball.radius };
                assert!(room >= depth - 1e-5 * size, "{shape:?}, {part}: {room} along {direction}");
                let inside = reach(&whole, direction) - ball.centre.dot(direction) - ball.radius;
                assert!(inside >= -1e-5 * size, "{shape:?}: the ball {ball:?} along {direction}");
            }
        }
    }
}

/// The ball in a cone touches its base and its side; what is flat has none.
#[test]
fn inner_balls_are_as_large_as_they_can_be() {
    let cone = Shape::from(Cone::new(1.5, 4.0).unwrap());
    // A triangle of base 8 and height 3: area 12, sides 8, 5 and 5.
    let ball = InnerBall::of(&cone).unwrap();
    assert!((ball.radius - 24.0 / 18.0).abs() < 1e-6 && (ball.centre.z + 1.5 - ball.radius).abs() < 1e-6);
    for flat in [
        Shape::from(Tile::new(1.0, 2.0).unwrap()),
        Cylinder::new(0.0, 1.0).unwrap().into(),
        Cuboid::new(Vec3::new(1.0, 0.0, 1.0)).unwrap().into(),
    ] {
        assert_eq!(InnerBall::of(&flat).unwrap().radius, 0.0);
    }
    for shape in targets() {
        assert_eq!(InnerBall::of(&shape), None);
    }
}

/// The whole of a shape meets what the shape meets; cores meet it later, if at all.
#[test]
fn cores_meet_later_than_their_shapes() {
    let mut numbers = Numbers(11);
    let options = ToiOptions::default();
    let (mut met, mut later) = (0, 0);
    let shapes = convex_shapes();
    for target in targets() {
        let still = Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for shape in &shapes {
            let ball = InnerBall::of(shape).unwrap();
            for _ in 0..20 {
                let from = numbers.vector(1.0).as_vec3().normalize_or(Vec3::X) * 4.0;
                let pose = Pose::new(from, numbers.rotation().to::<f32>());
                let motion = Motion::rotating(&pose, Vec3::ZERO, -from, numbers.vector(2.0).as_vec3());
                let whole = time_of_impact_of_shapes(&target, &still, shape, &motion, &options).unwrap();
                let (wide, at_rest) = (motion.to::<f64>(), still.to::<f64>());
                let ask = |core: Core<'_>| time_of_impact_of_core(&target, &at_rest, &core, &wide, &options);
                assert_eq!(ask(Core::whole(shape).unwrap()), whole.outcome, "{shape:?}");
                let core = ask(Core::new(shape, &ball, 0.5).unwrap());
                if let (Toi::Hit { t: first, .. }, Toi::Hit { t, .. }) = (whole.outcome, core) {
                    met += 1;
                    later += u32::from(t > first);
                    // Both are off by the tolerance, at the speed of approach.
                    assert!(t >= first - 0.05, "{shape:?}: {t} before {first}");
                }
                if whole.outcome == Toi::Separated {
                    assert_eq!(core, Toi::Separated, "{shape:?}");
                }
            }
        }
    }
    assert!(met > 100 && later > met / 2, "{met}, {later}");
    let lost = Motion::rotating(&Pose::IDENTITY, DVec3::ZERO, DVec3::NAN, DVec3::ZERO);
    let cube = Shape::from(Cuboid::cube(1.0).unwrap());
    let found = time_of_impact_of_core(&cube, &lost, &Core::whole(&cube).unwrap(), &lost, &options);
    assert_eq!(found, Toi::NotConverged { t: 0.0 });
}
