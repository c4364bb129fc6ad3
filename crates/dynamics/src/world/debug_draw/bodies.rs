//! Bodies with their shapes, centres of mass, frames, velocities and names.

use std::fmt::Write;

use super::canvas::Colour;
use super::islands::IslandColours;
use super::pen::{Pen, Placement};
use super::shapes::{self, Style};
use crate::state::bodies::flag;
use crate::world::World;
use crate::world::access::BodyRef;

/// Draws all bodies, in the order of their slots; their shapes in the order of the list.
pub(super) fn draw(world: &World, pen: &mut Pen<'_>) {
    let options = pen.options;
    let islands = options.islands.then(|| IslandColours::of(world, &options.colours.islands));
    let mut name = String::new();
    for body in world.bodies() {
        if options.shapes || options.faces || options.shape_boxes {
            draw_shapes(world, &body, islands.as_ref(), pen);
        }
        if !pen.shows(body.centre_of_mass()) {
            continue;
        }
        if options.centres_of_mass && body.kind().is_dynamic() {
            pen.out.point(body.centre_of_mass(), options.colours.centre);
            pen.frame(&placement(world, body.slot));
        }
        if options.body_frames {
            pen.frame(&Placement { position: body.position(), rotation: body.rotation() });
        }
        if options.velocities {
            let (velocity, turn) = (body.velocity(), body.angular_velocity());
            for (vector, colour) in
                [(velocity, options.colours.velocity), (turn, options.colours.angular_velocity)]
            {
                if vector != glam::Vec3::ZERO {
                    pen.vector(body.centre_of_mass(), vector * options.velocity_scale, colour);
                }
            }
        }
        if options.labels {
            name.clear();
            // Writing to a string does not fail.
            let _ = write!(name, "{}", body.id());
            pen.out.text(body.centre_of_mass(), &name, options.colours.label);
        }
    }
}

/// The principal axes of a body.
pub(super) fn placement(world: &World, slot: u32) -> Placement {
    let motion = &world.state.bodies.motion[slot as usize];
    Placement { position: motion.position, rotation: motion.rotation }
}

fn draw_shapes(world: &World, body: &BodyRef<'_>, islands: Option<&IslandColours>, pen: &mut Pen<'_>) {
    let options = pen.options;
    let state = &world.state;
    let place = placement(world, body.slot);
    for slot in state.shapes.chain(state.bodies.first_shapes[body.slot as usize]) {
        let row = &state.shapes.rows[slot as usize];
        if !pen.shows_box(state.space.table().aabb(row.proxy)) {
            continue;
        }
        let colour = if !row.is_enabled {
            options.colours.disabled
        } else if row.is_sensor {
            options.colours.sensor
        } else {
            body_colour(world, body, islands, pen)
        };
        let style = Style {
            lines: options.shapes.then_some(colour),
            faces: options.faces.then(|| colour.opacity(options.face_opacity)),
        };
        shapes::draw(pen, &row.shape, &place.times(&row.local_pose), style);
        if options.shape_boxes {
            let motion = &state.bodies.motion[body.slot as usize];
            pen.aabb(&row.tight_box(motion), options.colours.shape_box);
        }
    }
}

fn body_colour(world: &World, body: &BodyRef<'_>, islands: Option<&IslandColours>, pen: &Pen<'_>) -> Colour {
    let (state, colours) = (&world.state.bodies.state[body.slot as usize], &pen.options.colours);
    let is_awake = state.has(flag::AWAKE);
    if state.has(flag::KINEMATIC) {
        return colours.kinematic;
    }
    if !state.has(flag::DYNAMIC) {
        return colours.fixed;
    }
    match islands.and_then(|islands| islands.colour(body.slot)) {
        Some(colour) if is_awake => colour,
        Some(colour) => colour.dimmed(),
        None if is_awake => colours.dynamic,
        None => colours.asleep,
    }
}
