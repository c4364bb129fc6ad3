//! Contact points, normals and forces.

use glam::{DVec3, Vec3};

use super::pen::Pen;
use crate::world::World;

/// Draws all contacts, in their order.
pub(super) fn draw(world: &World, pen: &mut Pen<'_>) {
    let (options, dt) = (pen.options, world.state.last_dt);
    let per_impulse = if dt > 0.0 { options.force_scale / dt } else { 0.0 };
    for contact in world.contacts() {
        let normal = contact.normal();
        let (mut middle, mut count) = (DVec3::ZERO, 0.0);
        for point in contact.points() {
            middle += point.position;
            count += 1.0;
            if !pen.shows(point.position) {
                continue;
            }
            let is_pressed = point.normal_impulse > 0.0;
            if options.contacts {
                let colours = &options.colours;
                pen.out.point(point.position, if is_pressed { colours.contact } else { colours.speculative });
            }
            if options.contact_normals {
                pen.vector(point.position, normal * options.normal_length, options.colours.normal);
            }
            if options.contact_forces && is_pressed {
                let force = normal * (point.normal_impulse * per_impulse);
                pen.vector(point.position, force, options.colours.contact);
            }
        }
        let friction = contact.friction_impulse();
        if options.contact_forces && friction != Vec3::ZERO && count > 0.0 && pen.shows(middle / count) {
            pen.vector(middle / count, friction * per_impulse, options.colours.friction);
        }
    }
}
