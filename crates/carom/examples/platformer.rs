//! A level of a platform game in two dimensions: a player that runs and jumps by velocities, a
//! ledge that is open from below, a platform that moves, a chain of hills. The input is a script.
use carom::glam::{DVec2, Vec2, Vec3};
use carom::planar::{BodyDef, BodyId, QueryFilter, ShapeDef, World, WorldDef, WorldError};

const DT: f32 = 1.0 / 60.0;
const RUN: f32 = 4.0;
const JUMP: f32 = 6.5;
const HALF_HEIGHT: f64 = 0.5;

/// What the player wants in a step.
struct Input {
    run: f32,
    jump: bool,
}

/// What holds the player up, if anything does: whatever a short ray below the feet meets.
fn ground_below(world: &World, player: BodyId) -> Result<Option<BodyId>, WorldError> {
    let feet = world.body(player)?.position() - DVec2::Y * HALF_HEIGHT;
    let filter = QueryFilter::default().exclude(player);
    Ok(world.cast_ray(feet + DVec2::Y * 0.05, feet - DVec2::Y * 0.1, &filter).map(|hit| hit.body))
}

/// Runs and jumps relative to what the player stands on.
fn steer(world: &mut World, player: BodyId, input: &Input) -> Result<(), WorldError> {
    let ground = ground_below(world, player)?;
    let floor = ground.map_or(Ok(Vec2::ZERO), |body| world.body(body).map(|body| body.velocity()))?;
    let mut velocity = world.body(player)?.velocity();
    velocity.x = floor.x + input.run;
    if input.jump && ground.is_some() {
        velocity.y = floor.y + JUMP;
    }
    world.body_mut(player)?.set_velocity(velocity)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let hills = [[-8.0, 3.0], [-6.0, 0.0], [4.0, 0.0], [6.0, 0.8], [8.0, 0.0], [14.0, 0.0]].map(Vec2::from);
    world.add_body(BodyDef::fixed(), ShapeDef::chain(&hills)?)?;
    let ledge = world.add_body(BodyDef::fixed().at(0.0, 1.5), [ShapeDef::rectangle(1.5, 0.1)?])?;
    let lift = world.add_body(BodyDef::kinematic().at(10.0, 0.2), [ShapeDef::rectangle(1.0, 0.1)?])?;
    let top = world.body(ledge)?.shapes().next().ok_or("the ledge has a shape")?;
    world.set_contact_modifier(move |contact| contact.one_way(top, Vec3::Y));

    // Without friction a player sticks to no wall; standing still is what the input says.
    let soles = ShapeDef::capsule(Vec2::new(0.0, -0.25), Vec2::new(0.0, 0.25), 0.25)?.friction(0.0);
    let start = BodyDef::dynamic().at(-3.0, HALF_HEIGHT).fixed_rotation().can_sleep(false);
    let player = world.add_body(start, [soles])?;

    let script = [
        (0.70, Input { run: RUN, jump: false }, "ran towards the ledge"),
        (0.05, Input { run: 0.0, jump: true }, "jumped below it"),
        (1.20, Input { run: 0.0, jump: false }, "came up through it and stands on it"),
        (2.45, Input { run: RUN, jump: false }, "ran down and over the hill"),
        (0.05, Input { run: 2.0, jump: true }, "jumped towards the lift"),
        (0.80, Input { run: 1.5, jump: false }, "flew"),
        (2.00, Input { run: 0.0, jump: false }, "rode"),
    ];
    let mut time = 0.0f64;
    for (seconds, input, what) in &script {
        let end = time + seconds;
        while time < end {
            // Two metres up and down in eight seconds, and half a metre to each side.
            let (sine, cosine) = (time * std::f64::consts::TAU / 8.0).sin_cos();
            let place = DVec2::new(10.0 + 0.5 * sine, 1.2 - cosine);
            world.body_mut(lift)?.set_kinematic_target(place, 0.0)?;
            steer(&mut world, player, input)?;
            world.step(DT)?;
            time += f64::from(DT);
        }
        let place = world.body(player)?.position();
        let stands = if ground_below(&world, player)?.is_some() { "on something" } else { "in the air" };
        println!("{time:4.1} s: {what}; at ({:5.2}, {:5.2}), {stands}", place.x, place.y);
    }
    assert!(world.is_planar());
    Ok(())
}
