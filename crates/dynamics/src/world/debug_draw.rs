//! Drawings of a world for whoever looks for mistakes: lines, points, triangles and words as plain
//! data, for any renderer.
//!
//! | module | holds |
//! |---|---|
//! | [`canvas`] | [`DebugDraw`], which takes lines, and [`DebugLines`](crate::DebugLines), which keeps them |
//! | [`options`] | what is drawn, how large and in which colours |
//! | `pen` | circles, arcs, frames, boxes |
//! | `shapes` | wireframes and faces of all shapes |
//! | `bodies`, `islands` | shapes in the colours of their bodies, centres, frames, velocities |
//! | `boxes` | boxes round shapes, and those of the broad phase |
//! | `contacts` | points, normals, forces |
//! | `joints` | anchors, axes, frames, limits |
//!
//! Equal histories give equal drawings, in the same order: bodies (each with its shapes), boxes,
//! the tree of the broad phase, contacts, joints, each in the order of slots. Nothing is changed,
//! nothing is kept, and a world that is not drawn pays nothing.

pub mod canvas;
pub mod options;

mod bodies;
mod boxes;
mod contacts;
mod islands;
mod joints;
mod pen;
mod shapes;

use carom_geometry::{Rotation, Shape};
use glam::DVec3;

use super::World;
use canvas::{Colour, DebugDraw};
use options::DebugDrawOptions;
use pen::{Pen, Placement};
use shapes::Style;

impl World {
    /// Draws the world as it is, as the options say.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, DebugDrawOptions, DebugLines, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{Cuboid, HalfSpace};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ShapeDef::new(Cuboid::cube(0.5)?)])?;
    /// let options = DebugDrawOptions { faces: true, labels: true, ..DebugDrawOptions::default() };
    /// let mut drawing = DebugLines::new();
    /// for _ in 0..10 {
    ///     world.step(1.0 / 60.0)?;
    ///     drawing.restart(drawing.origin());
    ///     world.debug_draw(&options, &mut drawing);
    /// }
    /// assert_eq!(drawing.points.len(), 4, "the corners that the box stands on");
    /// assert_eq!(drawing.triangles.len(), 3 * (2 + 12), "of the ground and of the box");
    /// assert_eq!(drawing.labels[1].text, "body 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn debug_draw(&self, options: &DebugDrawOptions, out: &mut dyn DebugDraw) {
        let pen = &mut Pen::new(out, options);
        bodies::draw(self, pen);
        if options.fat_boxes {
            boxes::draw_fat(self, pen);
        }
        if options.tree_boxes {
            boxes::draw_tree(self, pen);
        }
        if options.contacts || options.contact_normals || options.contact_forces {
            contacts::draw(self, pen);
        }
        if options.joints || options.joint_frames || options.joint_limits {
            joints::draw(self, pen);
        }
    }
}

impl DebugDrawOptions {
    /// Draws one shape, which need not be in a world: what a query casts, say. As a wireframe, and
    /// with triangles if [`faces`](Self::faces) are wanted.
    ///
    /// ```
    /// use carom_dynamics::{Colour, DebugDrawOptions, DebugLines};
    /// use carom_geometry::{Rotation, shape::{Shape, Sphere}};
    /// use glam::DVec3;
    /// let mut drawing = DebugLines::new();
    /// let options = DebugDrawOptions { segments: 16, ..DebugDrawOptions::nothing() };
    /// let ball = Shape::from(Sphere::new(2.0)?);
    /// options.draw_shape(&ball, DVec3::Y, Rotation::IDENTITY, Colour::rgb(255, 0, 0), &mut drawing);
    /// assert_eq!(drawing.lines.len(), 2 * 3 * 16, "three circles");
    /// # Ok::<(), carom_geometry::shape::ShapeError>(())
    /// ```
    pub fn draw_shape(
        &self,
        shape: &Shape,
        position: DVec3,
        rotation: Rotation,
        colour: Colour,
        out: &mut dyn DebugDraw,
    ) {
        let faces = self.faces.then(|| colour.opacity(self.face_opacity));
        let style = Style { lines: Some(colour), faces };
        shapes::draw(&mut Pen::new(out, self), shape, &Placement { position, rotation }, style);
    }
}
