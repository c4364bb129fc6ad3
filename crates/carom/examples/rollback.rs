//! Snapshots: back to an earlier time, and on again, to the same bits. Change one input on the way,
//! as a game on a network does, and only then does it come out differently.
//!
//!     cargo run -p carom --example rollback

use carom::prelude::*;

fn second(world: &mut World, push: Option<BodyId>) -> Result<u64, Box<dyn std::error::Error>> {
    for step in 0..60 {
        if let (10, Some(body)) = (step, push) {
            world.body_mut(body)?.apply_impulse(Vec3::new(200.0, 0.0, 0.0))?;
        }
        world.step(1.0 / 60.0)?;
    }
    Ok(world.state_hash())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let ball = ShapeDef::new(Sphere::new(0.3)?).restitution(0.3);
    let mut last = None;
    for k in 0..40 {
        let place = BodyDef::dynamic().at(
            f64::from(k % 4) * 0.5,
            0.4 + 0.5 * f64::from(k / 4),
            0.1 * f64::from(k % 3),
        );
        last = Some(world.add_body(place, [ball.clone()])?);
    }
    second(&mut world, None)?;

    // A game takes one per frame: into memory that is there already.
    let mut then = Snapshot::default();
    world.snapshot_into(&mut then);
    let first = second(&mut world, None)?;
    println!("a second on:              {first:016x}");
    world.restore(&then);
    let again = second(&mut world, None)?;
    println!("back, and on again:       {again:016x}");
    world.restore(&then);
    let pushed = second(&mut world, last)?;
    println!("back, and on with a push: {pushed:016x}");
    assert!(again == first && pushed != first);
    Ok(())
}
