//! Friction: a box on a slope of 20 degrees slides if the coefficient is below the slope's tangent,
//! 0.364.
//!
//!     cargo run -p carom --example friction_incline

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let angle = 20.0f32.to_radians();
    let tilt = Rotation::about_axis(Vec3::Z, -angle);
    for friction in [0.1, 0.2, 0.3, 0.35, 0.38, 0.5] {
        let mut world = World::new(WorldDef::default());
        let surface = ShapeDef::new(HalfSpace).friction(friction);
        world.add_body(BodyDef::fixed().rotated(tilt), [surface])?;
        // The box lies on the slope: half its height along the slope's normal.
        let start = tilt.rotate(Vec3::new(0.0, 0.1, 0.0)).as_dvec3();
        let place = BodyDef::dynamic().at(start.x, start.y, start.z).rotated(tilt);
        let thing = world
            .add_body(place, [ShapeDef::new(Cuboid::new(Vec3::new(0.3, 0.1, 0.3))?).friction(friction)])?;
        for _ in 0..60 {
            world.step(1.0 / 60.0)?;
        }
        let slid = (world.body(thing)?.position() - start).length();
        let (sine, cosine) = (f64::from(angle.sin()), f64::from(angle.cos()));
        let expected = (0.5 * 9.81 * (sine - f64::from(friction) * cosine)).max(0.0);
        println!("friction {friction:4.2}: slid {slid:.3} m in a second, by the formula {expected:.3} m");
        assert!((slid - expected).abs() < 0.05);
    }
    Ok(())
}
