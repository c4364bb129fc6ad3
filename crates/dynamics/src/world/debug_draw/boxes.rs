//! Boxes of the broad phase.

use super::pen::Pen;
use crate::world::World;

/// Draws the boxes that the broad phase knows, in the order of shapes.
pub(super) fn draw_fat(world: &World, pen: &mut Pen<'_>) {
    let table = world.state.space.table();
    for shape in world.shapes() {
        let aabb = table.aabb(world.state.shapes.rows[shape.slot as usize].proxy);
        if pen.shows_box(aabb) {
            pen.aabb(aabb, pen.options.colours.fat_box);
        }
    }
}

/// Draws the volumes of the broad phase, large ones first, as they were after its last update.
pub(super) fn draw_tree(world: &World, pen: &mut Pen<'_>) {
    if let Some(hierarchy) = world.state.space.hierarchy() {
        let colour = pen.options.colours.tree_box;
        hierarchy.descend(
            &mut |volume| {
                let is_shown = pen.shows_box(volume);
                if is_shown {
                    pen.aabb(volume, colour);
                }
                is_shown
            },
            &mut |_| {},
        );
    }
}
