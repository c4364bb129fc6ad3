//! Contact forces: a stack on a scale. What each box carries is the weight of those above it.
//!
//!     cargo run -p carom --example contact_forces

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let floor = world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let mut stack = Vec::new();
    for k in 0..4 {
        let cube = ShapeDef::new(Cuboid::cube(0.5)?).density(250.0 * f64::from(4 - k) as f32);
        stack.push(world.add_body(BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0), [cube])?);
    }
    for _ in 0..180 {
        world.step(1.0 / 60.0)?;
    }
    let mut below = floor;
    let mut above: f32 = stack.iter().map(|id| world.body(*id).map_or(0.0, |body| body.mass())).sum();
    for id in stack {
        // The contact with what is below.
        let with_below = |contact: &ContactRef<'_>| contact.bodies().contains(&Some(below));
        let force: f32 =
            world.contacts_of(id)?.filter(with_below).map(|contact| contact.force().length()).sum();
        println!("{below} carries {force:7.0} N, and {:7.0} N lie on it", above * 9.81);
        assert!((force / (above * 9.81) - 1.0).abs() < 0.02, "a scale shows the weight");
        above -= world.body(id)?.mass();
        below = id;
    }
    Ok(())
}
