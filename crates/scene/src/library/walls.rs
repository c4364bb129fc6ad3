//! Containers for generated scenes: six tiles, or thick slabs for engines that know no thin walls.

use crate::model::{Body, BodyKind, Look, Material, Orientation, Shape, ShapeKind};

/// Looks of walls: pale grey.
const WALL_COLOUR: [u8; 3] = [225, 225, 230];

/// Orientation that turns a tile's normal from +y towards the inside, for the low and the high wall
/// of each axis. Degrees, because the Fingsics files speak them and right angles are exact.
const FACING_IN: [[[f32; 3]; 2]; 3] = [
    [[0.0, 0.0, -90.0], [0.0, 0.0, 90.0]],
    [[0.0; 3], [180.0, 0.0, 0.0]],
    [[90.0, 0.0, 0.0], [-90.0, 0.0, 0.0]],
];

/// Six tiles round the box `±half`, facing in. They are not drawn, so that one sees what is
/// inside.
pub(super) fn tiles(half: [f32; 3], material: Material) -> Vec<Body> {
    let [x, y, z] = half.map(|half| 2.0 * half);
    // A tile's length lies along its local x and its width along its local z, before it is turned.
    let sizes = [[y, z], [x, z], [x, y]];
    let mut walls = Vec::with_capacity(6);
    for (axis, facings) in FACING_IN.iter().enumerate() {
        for (sign, facing) in [-1.0, 1.0].into_iter().zip(facings) {
            let mut position = [0.0; 3];
            position[axis] = sign * half[axis];
            let [length, width] = sizes[axis];
            walls.push(Body {
                position,
                orientation: Orientation::EulerDegrees(*facing),
                look: Look { visible: false, colour: WALL_COLOUR, ..Look::default() },
                ..fixed(ShapeKind::Tile { length, width }, material)
            });
        }
    }
    walls
}

/// Boxes of the given thickness round the inner box `centre ± half`; without a lid when `open`.
pub(super) fn slabs(
    centre: [f32; 3],
    half: [f32; 3],
    thickness: f32,
    open: bool,
    material: Material,
) -> Vec<Body> {
    let mut walls = Vec::with_capacity(6);
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            if open && axis == 1 && sign > 0.0 {
                continue;
            }
            let mut size = half.map(|x| (x + thickness) * 2.0);
            size[axis] = thickness;
            let mut position = centre;
            position[axis] += sign * (half[axis] + thickness * 0.5);
            // The floor is drawn; the others would hide what they hold.
            let visible = axis == 1 && sign < 0.0;
            walls.push(Body {
                position,
                look: Look { visible, colour: WALL_COLOUR, ..Look::default() },
                ..fixed(ShapeKind::Box { size }, material)
            });
        }
    }
    walls
}

/// A static body at the origin.
pub(super) fn fixed(kind: ShapeKind, material: Material) -> Body {
    Body {
        kind: BodyKind::Static,
        shapes: vec![Shape::new(kind).with_material(material)],
        look: Look { colour: WALL_COLOUR, ..Look::default() },
        ..Body::default()
    }
}

/// Gives every body its index as id.
pub(super) fn numbered(mut bodies: Vec<Body>) -> Vec<Body> {
    for (index, body) in bodies.iter_mut().enumerate() {
        body.id = index.to_string();
    }
    bodies
}

/// Colours of generated bodies, in turn.
pub(super) const PALETTE: [[u8; 3]; 8] = [
    [214, 73, 51],
    [240, 163, 62],
    [244, 211, 94],
    [124, 179, 96],
    [56, 142, 142],
    [72, 118, 190],
    [124, 92, 172],
    [200, 102, 148],
];

/// The colour of body `index`.
pub(super) fn colour(index: usize) -> Look {
    Look { colour: PALETTE[index % PALETTE.len()], ..Look::default() }
}
