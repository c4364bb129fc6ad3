//! Forces act during one step, impulses at once: two ways to the same speed, and what a push off
//! the centre does.
//!
//!     cargo run -p carom --example forces_and_impulses

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let cube = ShapeDef::new(Cuboid::cube(0.5)?).density(10.0);
    let mut put = |z: f64| world.add_body(BodyDef::dynamic().at(0.0, 0.0, z), [cube.clone()]);
    let [pushed, kicked, clipped] = [put(0.0)?, put(3.0)?, put(6.0)?];

    // 10 kg, 20 N for a second: 2 m/s. 20 N s at once: the same.
    world.body_mut(kicked)?.apply_impulse(Vec3::new(20.0, 0.0, 0.0))?;
    // The same kick at a corner turns the cube as well.
    world.body_mut(clipped)?.apply_impulse_at(Vec3::new(20.0, 0.0, 0.0), DVec3::new(0.0, 0.5, 6.0))?;
    for _ in 0..60 {
        world.body_mut(pushed)?.apply_force(Vec3::new(20.0, 0.0, 0.0))?;
        world.step(1.0 / 60.0)?;
    }
    for (name, id) in [("pushed for a second", pushed), ("kicked", kicked), ("kicked at an edge", clipped)] {
        let body = world.body(id)?;
        println!(
            "{name:>20}: {:.2} m/s, {:5.2} rad/s, {:.2} m away, {:5.1} J",
            body.velocity().length(),
            body.angular_velocity().z,
            body.position().x,
            body.kinetic_energy()
        );
        assert!((body.velocity().x - 2.0).abs() < 1e-3);
    }
    Ok(())
}
