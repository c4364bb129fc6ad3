//! A game loop: steps of one length under frames of any length, poses in between, a lift that is
//! sent from place to place, and a gate that is switched off.
//!
//!     cargo run -p carom --example game_loop

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let slab = ShapeDef::new(Cuboid::new(Vec3::new(1.0, 0.1, 1.0))?);
    let lift = world.add_body(BodyDef::kinematic().at(0.0, 0.1, 0.0), [slab.clone()])?;
    let gate = world.add_body(BodyDef::fixed().at(0.0, 2.5, 0.0), [slab])?;
    let barrel = ShapeDef::new(Cylinder::along_y(0.5, 0.3)?).density(200.0);
    let barrel = world.add_body(BodyDef::dynamic().at(0.0, 0.7, 0.0).user_data(1), [barrel])?;

    let mut clock = FixedStep::new(1.0 / 60.0)?.max_steps(4);
    let (mut steps, mut shown) = (0u32, Vec::new());
    // Frames of 7 to 23 ms.
    for frame in 0..240 {
        let seconds = 0.007 + 0.002 * f64::from(frame % 9);
        if frame == 40 {
            world.body_mut(gate)?.set_enabled(false);
        }
        let done = clock.advance_with(&mut world, seconds, |world| {
            steps += 1;
            let height = 0.1 + 1.5 * (f64::from(steps.min(150)) / 150.0);
            world.body_mut(lift)?.set_kinematic_target(DVec3::Y * height, Rotation::IDENTITY)?;
            Ok(())
        })?;
        assert_eq!(done.dropped, 0.0);
        let (position, _) = clock.pose(world.body(barrel)?);
        shown.push(position.y);
        if frame % 40 == 39 {
            let moved = world.moved_bodies().count();
            println!("frame {frame}: the barrel is shown at {:.3} m, {moved} bodies moved", position.y);
        }
    }
    let climbs = shown.windows(2).filter(|pair| pair[1] > pair[0]).count();
    println!("{steps} steps in 240 frames; the barrel climbed in {climbs} of them");
    let on_lift = world.body(barrel)?.position() - world.body(lift)?.position();
    assert!((on_lift - DVec3::Y * 0.6).length() < 0.03, "it was carried through the gate");
    Ok(())
}
