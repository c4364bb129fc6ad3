//! A step allocates nothing once its buffers have grown, whatever the broad phase.

use carom_broadphase::Method;
use carom_fingsics::{FingsicsBody, FingsicsSettings, FingsicsShape, FingsicsWorld, RowMatrix};
use glam::Vec3;

/// A cube of balls and capsules between six walls, so that it never comes to rest.
fn gas() -> Vec<FingsicsBody> {
    let mut bodies = Vec::new();
    let mut push = |shape, position: Vec3, rotation, velocity: Vec3, immovable| {
        let id = bodies.len().to_string();
        bodies.push(FingsicsBody {
            id,
            shape,
            immovable,
            position,
            rotation,
            velocity,
            angular_velocity: velocity * 0.3,
            acceleration: Vec3::ZERO,
            mass: 1.0,
            elasticity: 1.0,
        });
    };
    let wall = FingsicsShape::Tile { length: 14.0, width: 14.0 };
    for side in [-6.0, 6.0] {
        push(wall, Vec3::Y * side, RowMatrix::IDENTITY, Vec3::ZERO, true);
        push(wall, Vec3::X * side, RowMatrix([Vec3::Y, Vec3::X, Vec3::Z]), Vec3::ZERO, true);
        push(wall, Vec3::Z * side, RowMatrix([Vec3::X, Vec3::Z, Vec3::Y]), Vec3::ZERO, true);
    }
    for n in 0..125u8 {
        let place =
            Vec3::new(f32::from(n % 5), f32::from(n / 5 % 5), f32::from(n / 25)) * 2.0 - Vec3::splat(4.0);
        let f = f32::from(n);
        let velocity =
            Vec3::new((f * 0.29).fract(), (f * 0.53).fract(), (f * 0.71).fract()) * 12.0 - Vec3::splat(6.0);
        let shape = match n % 2 {
            0 => FingsicsShape::Ball { radius: 0.4 },
            _ => FingsicsShape::Capsule { radius: 0.25, length: 1.0 },
        };
        push(shape, place, RowMatrix::IDENTITY, velocity, false);
    }
    bodies
}

#[test]
fn the_steady_state_allocates_nothing() {
    for method in Method::ALL {
        let mut world =
            FingsicsWorld::new(&gas(), FingsicsSettings { method, ..FingsicsSettings::default() }).unwrap();
        let mut contacts = 0;
        for _ in 0..600 {
            contacts += world.step().contacts;
        }
        assert!(contacts > 1000, "{method}: the gas must collide, saw {contacts}");
        let measured = allocation_counter::measure(|| {
            for _ in 0..100 {
                world.step();
            }
        });
        // A buffer may still reach a new record length now and then; anything per step would count
        // a hundred.
        assert!(measured.count_total <= 3, "{method}: {} allocations in 100 steps", measured.count_total);
    }
}
