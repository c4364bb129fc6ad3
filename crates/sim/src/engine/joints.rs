//! Joints of the engine from joints of a scene.
//!
//! A scene's coordinates (angles, displacements, speeds of motors) are those of its first body as
//! the second one sees it, since the second one may be left out and is the world then. The engine's
//! are those of the second body as the first one sees it: the bodies change places on the way. What
//! says "of the start" is measured here, with the bodies as the scene places them.

use std::collections::BTreeMap;
use std::f32::consts::PI;

use carom_dynamics::{
    Axis, BodyDef, BodyId, JointDef, JointId, JointKind, Motor, Spring, SpringLaw, World, WorldError,
};
use carom_scene::Scene;
use carom_scene::model::{self, Anchors, AxisFreedom, Freedom, Limits};
use glam::{DVec3, Vec3};

use super::build::EngineError;
use crate::shapes::rotation;

/// Why a joint cannot be.
#[derive(Debug, thiserror::Error)]
pub enum JointBuildError {
    /// It names a body that is not there.
    #[error("there is no body '{0}' when it is made")]
    Body(String),
    /// The world has no such joint.
    #[error("a boundary is no joint of the soft-step solver")]
    Boundary,
    /// The world refuses it.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// Joints of a scene in a world.
pub(crate) struct SceneJoints {
    /// In the order of the scene.
    pub(crate) joints: Vec<JointId>,
    /// The body that stands for the world, if a joint needs it.
    pub(crate) ground: Option<BodyId>,
}

/// Joins the bodies of a scene, which have these ids.
pub(crate) fn join(world: &mut World, scene: &Scene, bodies: &[BodyId]) -> Result<SceneJoints, EngineError> {
    let mut all = SceneJoints { joints: Vec::with_capacity(scene.joints.len()), ground: None };
    if scene.joints.is_empty() {
        return Ok(all);
    }
    let origin = DVec3::from(scene.world.origin);
    let places = scene.bodies.iter().zip(bodies).map(|(body, id)| (body.id.as_str(), (*id, body)));
    let places: BTreeMap<&str, (BodyId, &model::Body)> = places.collect();
    for joint in &scene.joints {
        let made = (|| {
            let find = |id: &str| places.get(id).copied().ok_or_else(|| JointBuildError::Body(id.to_owned()));
            let (first, on) = find(&joint.a)?;
            let (second, frame) = match &joint.b {
                Some(id) => find(id).map(|(id, body)| (id, Some(body)))?,
                None => (ground(&mut all.ground, world)?, None),
            };
            let anchors = match joint.anchors {
                Anchors::World(point) => [Vec3::from(point).as_dvec3(); 2],
                Anchors::Local(a, b) => {
                    [frame.map_or(Vec3::from(b).as_dvec3(), |body| point_on(body, b)), point_on(on, a)]
                }
            };
            let def = definition(joint, [second, first], anchors.map(|anchor| origin + anchor))?;
            Ok(world.add_joint(def)?)
        })();
        all.joints.push(made.map_err(|reason| EngineError::Joint { joint: joint.id.clone(), reason })?);
    }
    Ok(all)
}

/// A static body without shapes, the same for all joints of a world.
fn ground(known: &mut Option<BodyId>, world: &mut World) -> Result<BodyId, WorldError> {
    if let Some(id) = known {
        return Ok(*id);
    }
    let id = world.add_body(BodyDef::fixed(), [])?;
    *known = Some(id);
    Ok(id)
}

/// A point of a body in the coordinates of the scene.
fn point_on(body: &model::Body, point: [f32; 3]) -> DVec3 {
    let turned = rotation(body.orientation).rotate(Vec3::from(point));
    Vec3::from(body.position).as_dvec3() + turned.as_dvec3()
}

/// The joint between two bodies of the engine whose anchors are these points of the world.
fn definition(
    joint: &model::Joint,
    [a, b]: [BodyId; 2],
    mut anchors: [DVec3; 2],
) -> Result<JointDef, JointBuildError> {
    let gap = (anchors[1] - anchors[0]).as_vec3();
    let length = gap.length();
    // Displacement at the start along a direction.
    let along = |axis: [f32; 3]| gap.dot(Vec3::from(axis).normalize_or_zero());
    let distance = |range: [f32; 2], spring| JointKind::Distance { range, spring };
    let (kind, [x, y]) = match &joint.kind {
        model::JointKind::Boundary { .. } => return Err(JointBuildError::Boundary),
        model::JointKind::Rod { length: given } => {
            (distance([given.unwrap_or(length); 2], None), [Vec3::X, Vec3::ZERO])
        }
        model::JointKind::Rope { length: given } => {
            (distance([0.0, given.unwrap_or(length)], None), [Vec3::X, Vec3::ZERO])
        }
        model::JointKind::Spring { rest_length, law } => {
            let spring = spring(*law).rest(rest_length.unwrap_or(length));
            (distance([0.0, f32::INFINITY], Some(spring)), [Vec3::X, Vec3::ZERO])
        }
        model::JointKind::Distance { min, max, rest_length, spring: law } => {
            let range = [min.unwrap_or(0.0), max.unwrap_or(f32::INFINITY)];
            let spring = law.map(|law| spring(law).rest(rest_length.unwrap_or(length)));
            (distance(range, spring), [Vec3::X, Vec3::ZERO])
        }
        model::JointKind::Ball { cone, twist, axis, spring: law, friction } => {
            let kind = JointKind::Ball {
                // Half a turn is every direction.
                cone: cone.filter(|cone| *cone < PI),
                twist: twist.map(range),
                friction: friction.unwrap_or(0.0),
                spring: law.map(spring),
            };
            (kind, [Vec3::from(*axis), Vec3::ZERO])
        }
        model::JointKind::Hinge { axis, limits, motor, spring } => {
            (JointKind::Hinge(moving(*limits, *motor, *spring, 0.0)), [Vec3::from(*axis), Vec3::ZERO])
        }
        model::JointKind::Slider { axis, limits, motor, spring } => {
            let moving = moving(*limits, *motor, *spring, along(*axis));
            (JointKind::Slider(moving), [Vec3::from(*axis), Vec3::ZERO])
        }
        model::JointKind::Fixed { spring: law } => {
            // Nothing moves, wherever the anchors are.
            anchors[0] = anchors[1];
            (JointKind::Fixed { spring: law.map(spring) }, [Vec3::X, Vec3::ZERO])
        }
        model::JointKind::Universal { axis_a, axis_b } => {
            (JointKind::Universal([Axis::FREE; 2]), [Vec3::from(*axis_b), Vec3::from(*axis_a)])
        }
        model::JointKind::Wheel { suspension, axle, spring, travel, motor, steering } => {
            let kind = JointKind::Wheel {
                suspension: moving(*travel, None, *spring, along(*suspension)),
                steering: free(steering, 0.0),
                spin: moving(None, *motor, None, 0.0),
            };
            (kind, [Vec3::from(*axle), Vec3::from(*suspension)])
        }
        model::JointKind::Generic { axes: [x, y, z, about_x, about_y, about_z] } => {
            let kind = JointKind::SixAxis {
                linear: [free(x, gap.x), free(y, gap.y), free(z, gap.z)],
                angular: [about_x, about_y, about_z].map(|axis| free(axis, 0.0)),
            };
            (kind, [Vec3::X, Vec3::Y])
        }
    };
    let limit = |given: Option<f32>| given.unwrap_or(f32::INFINITY);
    Ok(JointDef::new(a, b, kind)
        .anchors(anchors)
        .axes(x, y)
        .collides(joint.collide)
        .breaks_at(limit(joint.break_force), limit(joint.break_torque)))
}

fn range(limits: Limits) -> [f32; 2] {
    [limits.min, limits.max]
}

/// A coordinate that moves, within limits if there are any; its spring pulls towards the start.
fn moving(
    limits: Option<Limits>,
    drive: Option<model::Motor>,
    law: Option<model::SpringLaw>,
    start: f32,
) -> Axis {
    Axis {
        is_locked: false,
        range: limits.map(range),
        motor: drive.map(motor),
        spring: law.map(|law| spring(law).rest(start)),
    }
}

/// A coordinate of a generic joint; what is locked is held where it was at the start.
fn free(axis: &AxisFreedom, start: f32) -> Axis {
    let limits = match axis.freedom {
        Freedom::Locked => return Axis { is_locked: start == 0.0, range: Some([start; 2]), ..Axis::FREE },
        Freedom::Limited(limits) => Some(limits),
        Freedom::Free => None,
    };
    moving(limits, axis.motor, axis.spring, start)
}

fn spring(law: model::SpringLaw) -> Spring {
    let law = match law {
        model::SpringLaw::Hooke { stiffness, damping } => SpringLaw::Hooke { stiffness, damping },
        model::SpringLaw::Tuned { hertz, ratio } => SpringLaw::Tuned { hertz, damping_ratio: ratio },
    };
    Spring { law, rest: 0.0 }
}

/// A drive. Its stiffness counts if it holds a position.
pub(crate) fn motor(drive: model::Motor) -> Motor {
    Motor {
        speed: drive.velocity,
        max: drive.max_force.unwrap_or(f32::INFINITY),
        position: drive.position.unwrap_or(0.0),
        stiffness: if drive.position.is_some() { drive.stiffness } else { 0.0 },
        damping: drive.damping,
    }
}
