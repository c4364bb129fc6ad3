//! Convex hulls: a die from the corners of an octahedron, thrown until it lies on one of its faces.
//!
//!     cargo run -p carom --example convex_hulls

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corners = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z].map(|corner| corner * 0.3);
    let die = convex_hull(&corners, &HullOptions::default())?;
    println!("{} faces, {} corners", die.face_count(), die.vertex_count());
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let throw = BodyDef::dynamic()
        .at(0.0, 1.5, 0.0)
        .velocity(Vec3::new(2.0, 0.0, 1.0))
        .angular_velocity(Vec3::new(5.0, 3.0, -7.0));
    let body = world.add_body(throw, [ShapeDef::new(die)])?;
    let mut steps = 0;
    while world.body(body)?.is_awake() && steps < 600 {
        world.step(1.0 / 60.0)?;
        steps += 1;
    }
    let height = world.body(body)?.position().y;
    // The middle of an octahedron is its corners' distance over √3 above a face.
    println!(
        "at rest after {:.1} s, {height:.3} m above the floor; by the formula {:.3} m",
        f64::from(steps) / 60.0,
        0.3 / 3f64.sqrt()
    );
    assert!((height - 0.3 / 3f64.sqrt()).abs() < 0.02);
    Ok(())
}
