//! Newton's cradle without threads: one ball meets a row of resting ones, and only the last flies
//! on.
//!
//!     cargo run -p carom --example newtons_cradle

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let ball = ShapeDef::new(Sphere::new(0.5)?).restitution(1.0).friction(0.0);
    let first = BodyDef::dynamic().at(-4.0, 0.0, 0.0).velocity(Vec3::new(3.0, 0.0, 0.0));
    let mut row = vec![world.add_body(first, [ball.clone()])?];
    for k in 0..4 {
        row.push(world.add_body(BodyDef::dynamic().at(f64::from(k), 0.0, 0.0), [ball.clone()])?);
    }
    let speeds = |world: &World| -> Result<Vec<f32>, WorldError> {
        row.iter().map(|id| Ok(world.body(*id)?.velocity().x)).collect()
    };
    println!("before: {:.3?} m/s", speeds(&world)?);
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    let after = speeds(&world)?;
    println!("after:  {after:.3?} m/s");
    assert!((after[4] - 3.0).abs() < 1e-3 && after[..4].iter().all(|speed| speed.abs() < 1e-3));
    Ok(())
}
