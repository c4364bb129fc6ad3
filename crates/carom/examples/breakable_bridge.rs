//! A bridge of planks whose joints break where a heavy ball overloads them.
//!
//!     cargo run -p carom --example breakable_bridge

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let banks = world.add_body(BodyDef::fixed(), [])?;
    let plank = ShapeDef::new(Cuboid::new(Vec3::new(0.48, 0.05, 1.0))?).density(500.0);
    // It hangs through by two metres: a straight one would pull without end.
    let knot = |k: u32| {
        let x = f64::from(k);
        DVec3::new(x, 0.08 * ((x - 5.0) * (x - 5.0) - 25.0), 0.0)
    };
    let mut joined = vec![banks];
    for k in 0..10 {
        let (from, to) = (knot(k), knot(k + 1));
        let middle = (from + to) * 0.5;
        let slope = Rotation::between(Vec3::X, (to - from).as_vec3().normalize());
        let place = BodyDef::dynamic().at(middle.x, middle.y, 0.0).rotated(slope);
        joined.push(world.add_body(place, [plank.clone()])?);
    }
    joined.push(banks);
    for (k, pair) in (0..).zip(joined.windows(2)) {
        let hinge = JointDef::hinge(pair[0], pair[1], Axis::FREE).at(knot(k)).axis(Vec3::Z);
        world.add_joint(JointDef { user_data: u64::from(k), ..hinge.breaks_at(14_000.0, f32::INFINITY) })?;
    }

    let mut broken = Vec::new();
    for (name, density, height) in [("light", 100.0, -1.5), ("heavy", 3000.0, 2.0)] {
        let ball = ShapeDef::new(Sphere::new(0.4)?).density(density);
        let ball = world.add_body(BodyDef::dynamic().at(5.0, height, 0.0), [ball])?;
        println!("a {name} ball falls from {height} m, {:.0} kg", world.body(ball)?.mass());
        for step in 0..180 {
            world.step(1.0 / 60.0)?;
            for joint in world.broken_joints() {
                let force = joint.force.length() / 1000.0;
                println!(
                    "{:5.2} s: joint {} breaks at {force:.1} kN",
                    f64::from(step) / 60.0,
                    joint.user_data
                );
                broken.push(name);
            }
        }
        println!("the ball is at {:.1} m", world.body(ball)?.position().y);
    }
    assert!(broken.first() == Some(&"heavy"), "the light one is carried, the heavy one is not");
    Ok(())
}
