//! Bodies of a session by their numbers: a scene's own bodies in its order, then those that appear, in the order they do.
//!
//! A number belongs to one body for the whole run, so that recordings and comparisons mean the same body by it.

use carom_dynamics::BodyId;
use carom_recording::export::turn_of;
use carom_recording::scene_dat;
use carom_recording::track::Rotation;
use carom_scene::Scene;
use carom_scene::model::{Axis, Orientation, ShapeKind};
use glam::{DVec3, Vec3};

use super::{Session, Stepper};

/// How a body is turned, as its solver keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// A unit quaternion x, y, z, w: the engine.
    Quaternion([f32; 4]),
    /// A matrix by rows, which is not quite a rotation: the original's rules.
    Rows([f32; 9]),
}

impl Turn {
    /// As a matrix by rows.
    #[must_use]
    pub fn rows(self) -> [f32; 9] {
        match self {
            Self::Rows(rows) => rows,
            Self::Quaternion([x, y, z, w]) => {
                let (xx, yy, zz) = (x * x, y * y, z * z);
                let (xy, xz, yz) = (x * y, x * z, y * z);
                let (wx, wy, wz) = (w * x, w * y, w * z);
                [
                    1.0 - 2.0 * (yy + zz),
                    2.0 * (xy - wz),
                    2.0 * (xz + wy),
                    2.0 * (xy + wz),
                    1.0 - 2.0 * (xx + zz),
                    2.0 * (yz - wx),
                    2.0 * (xz - wy),
                    2.0 * (yz + wx),
                    1.0 - 2.0 * (xx + yy),
                ]
            }
        }
    }
}

/// A body at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Its number.
    pub number: u32,
    /// Where its frame is.
    pub position: DVec3,
    /// How its frame is turned.
    pub turn: Turn,
    /// Velocity of its centre of mass.
    pub velocity: Vec3,
    /// Angular velocity.
    pub spin: Vec3,
}

impl Session {
    /// Are bodies shown in ascending order of their numbers? One that appears may take the place of one that has gone.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        self.engine().is_none_or(|built| built.timeline.appeared(0).is_none())
    }

    /// Shows every body; see [`is_in_order`](Self::is_in_order).
    pub fn for_each_body(&self, mut show: impl FnMut(BodyState)) {
        match &self.stepper {
            Stepper::Fingsics(world) => {
                let poses = world.positions().iter().zip(world.rotations());
                for (number, (position, rows)) in poses.enumerate() {
                    let number = number as u32;
                    let [a, b, c] = rows.0.map(|row| row.to_array());
                    let turn = Turn::Rows([a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]);
                    let (velocity, spin) = (world.velocity(number), world.angular_velocity(number));
                    show(BodyState { number, position: position.as_dvec3(), turn, velocity, spin });
                }
            }
            Stepper::Engine(built, _) => {
                let bodies = built.world.body_ids().filter(|id| Some(*id) != built.ground);
                for body in bodies.filter_map(|id| built.world.body(id).ok()) {
                    show(BodyState {
                        number: body.user_data() as u32,
                        position: body.position(),
                        turn: Turn::Quaternion(body.rotation().to_xyzw()),
                        velocity: body.velocity(),
                        spin: body.spin(),
                    });
                }
            }
        }
    }

    /// Puts the poses of the scene's bodies, as the original records them, into their places of a list in the scene's order. A body
    /// that has gone keeps the pose it had there; bodies that appear later have no place in that format.
    pub fn original_poses(&self, poses: &mut Vec<scene_dat::Pose>) {
        let unseen =
            scene_dat::Pose { position: [0.0; 3], rotation: Turn::Quaternion([0.0, 0.0, 0.0, 1.0]).rows() };
        poses.resize(self.scene.bodies.len(), unseen);
        self.for_each_body(|body| {
            if let Some(pose) = poses.get_mut(body.number as usize) {
                let (position, rotation) = (body.position.as_vec3().to_array(), body.turn.rows());
                let seen = scene_dat::Pose { position, rotation };
                *pose = match self.stepper {
                    // The rules lay every capsule along z when they begin.
                    Stepper::Fingsics(_) => seen,
                    Stepper::Engine(..) => {
                        seen.laid_along_z(scene_dat::axis_of(&self.scene.bodies[body.number as usize]))
                    }
                };
            }
        });
    }

    /// The scene with bodies as their poses mean them. The original's rules turn a body so that its capsule lies along z; a
    /// recording of them has these turns, and its scene the capsules that go with them.
    #[must_use]
    pub fn recorded_scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        let Stepper::Fingsics(world) = &self.stepper else { return scene };
        for (number, body) in scene.bodies.iter_mut().enumerate() {
            if let Some(ShapeKind::Capsule { axis, .. }) =
                body.shapes.first_mut().map(|shape| &mut shape.kind)
                && *axis != Axis::Z
            {
                *axis = Axis::Z;
                let [a, b, c] = world.rotations()[number].0.map(|row| row.to_array());
                let rows = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
                body.orientation = Orientation::Quaternion(turn_of(Rotation::Rows(rows)).to_xyzw());
            }
        }
        scene
    }

    /// Name of a body of the scene, or of one that appeared.
    #[must_use]
    pub fn body_name(&self, number: u32) -> Option<&str> {
        match &self.stepper {
            Stepper::Fingsics(_) => self.scene.bodies.get(number as usize).map(|body| body.id.as_str()),
            Stepper::Engine(built, _) => {
                let own = self.scene.bodies.get(number as usize).map(|body| body.id.as_str());
                own.or_else(|| {
                    built.timeline.appeared((number as usize).checked_sub(self.scene.bodies.len())?)
                })
            }
        }
    }

    /// Number of a body of the engine; `None` for one that stands for the world.
    #[must_use]
    pub fn number_of(&self, id: BodyId) -> Option<u32> {
        let built = self.engine()?;
        if Some(id) == built.ground {
            return None;
        }
        built.world.body(id).ok().map(|body| body.user_data() as u32)
    }
}
