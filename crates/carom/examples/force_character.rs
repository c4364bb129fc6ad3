//! A character moved by forces: an upright capsule that cannot tip over walks over terrain. A ray
//! finds the ground, a force towards the wanted speed walks, an impulse jumps, and boxes in its way
//! are pushed aside. It is a dynamic body like any other; a mover that slides along walls without
//! forces is not part of the engine yet.
//!
//!     cargo run -p carom --example force_character

use carom::prelude::*;

/// Half the straight part of the capsule, its radius, metres.
const SIZE: [f32; 2] = [0.5, 0.35];
const WALKING_SPEED: f32 = 3.0;
/// How fast a wrong speed is corrected, 1/s.
const GRIP: f32 = 10.0;

fn hills() -> Result<HeightField, Box<dyn std::error::Error>> {
    let mut heights = Vec::new();
    for row in 0..41u32 {
        for column in 0..81u32 {
            let (x, z) = (column as f32 * 0.5 - 20.0, row as f32 * 0.5 - 10.0);
            // Two round hills of slopes up to 25 degrees.
            let hill = |cx: f32| (1.2 - 0.06 * ((x - cx) * (x - cx) + z * z)).max(0.0);
            heights.push(hill(-6.0) + hill(8.0));
        }
    }
    Ok(HeightField::new(81, 41, heights, [0.5, 0.5])?)
}

/// The normal of the ground under a character, if it stands on any.
fn ground_under(world: &World, body: BodyId) -> Result<Option<Vec3>, WorldError> {
    let length = f64::from(SIZE[0] + SIZE[1]) + 0.15;
    let ray = Ray::new(world.body(body)?.position(), Vec3::NEG_Y, length);
    let hit = world.cast_ray(&ray, &QueryFilter::default().exclude(body));
    Ok(hit.filter(|hit| hit.normal.y > 0.7).map(|hit| hit.normal))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(hills()?)])?;
    let cube = ShapeDef::new(Cuboid::cube(0.3)?).density(50.0);
    let obstacle = world.add_body(BodyDef::dynamic().at(0.5, 0.3, 0.0), [cube])?;
    // No friction: the force below does the walking. No rotation: it stays upright.
    let upright = LockedAxes { rotation: [true; 3], ..LockedAxes::default() };
    let capsule = ShapeDef::new(Capsule::along_y(SIZE[0], SIZE[1])?).density(150.0).friction(0.0);
    let def = BodyDef::dynamic().at(-14.0, 0.9, 0.0).locked(upright).can_sleep(false);
    let hero = world.add_body(def, [capsule])?;
    let mass = world.body(hero)?.mass();

    let (mut highest, mut airborne, mut jumps) = (0.0f64, 0, 0);
    for step in 1..=720 {
        let ground = ground_under(&world, hero)?;
        let (place, velocity) = (world.body(hero)?.position(), world.body(hero)?.velocity());
        let wish = if place.x < 14.0 { Vec3::X * WALKING_SPEED } else { Vec3::ZERO };
        if let Some(normal) = ground {
            // Along the slope, not into it.
            let along = (wish - normal * wish.dot(normal)).normalize_or_zero() * wish.length();
            let missing = along - (velocity - normal * velocity.dot(normal));
            // Without this a character without friction would slide down.
            let slope = Vec3::Y * 9.81 - normal * 9.81 * normal.y;
            world.body_mut(hero)?.apply_force(mass * (GRIP * missing + slope))?;
            // One jump before the second hill.
            if jumps == 0 && place.x > 3.0 {
                world.body_mut(hero)?.apply_impulse(Vec3::Y * 4.0 * mass)?;
                jumps += 1;
            }
        } else {
            airborne += 1;
        }
        world.step(1.0 / 60.0)?;
        highest = highest.max(place.y);
        if step % 120 == 0 {
            let state = if ground.is_some() { "on the ground" } else { "in the air" };
            println!(
                "{:4.1} s: x {:5.1} m, y {:4.2} m, {:4.2} m/s, {state}",
                f64::from(step) / 60.0,
                place.x,
                place.y,
                velocity.length()
            );
        }
    }
    let (place, speed) = (world.body(hero)?.position(), world.body(hero)?.velocity().length());
    let pushed = world.body(obstacle)?.position();
    println!(
        "it stopped at {:.1} m, was {highest:.1} m high, {airborne} steps in the air; the box is at x {:.1} m",
        place.x, pushed.x
    );
    assert!(place.x > 13.5 && speed < 0.1, "it walked over both hills and stands: {place}, {speed} m/s");
    assert!(jumps == 1 && airborne > 20 && highest > 1.8);
    assert!((pushed - DVec3::new(0.5, 0.3, 0.0)).length() > 0.3, "it pushed the box");
    Ok(())
}
