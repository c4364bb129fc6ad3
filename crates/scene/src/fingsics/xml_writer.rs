//! Writes a scene as Fingsics' XML, or says everything that format cannot hold.
//!
//! The format knows spheres, capsules along z and tiles, one shape per body, without friction,
//! joints, fields or gravity. Nothing that changes the motion is dropped in silence: each such
//! thing is a [`WriteProblem`]. Left out without complaint are only the scene's name (the file has
//! one), its description, its wishes about the solver, and the density of bodies whose mass is
//! given.
//!
//! Invariant: a scene that came from [`read_scene`](super::read_scene) can be written, and reading
//! it again gives an equal scene. A kinematic body at rest is written as static, which it then is
//! when read.

use std::fmt::Write;

use super::write_error::{WriteError, WriteProblem};
use super::xml_reader::defaults;
use crate::model::{
    AngularVelocity, Axis, Body, BodyKind, Camera, Filter, LockedAxes, Mass, Orientation, Scene, Shape,
    ShapeKind, Style,
};

/// Writes a scene as XML text.
///
/// # Errors
/// With every property of the scene and of its bodies that the format cannot hold.
pub fn write_scene(scene: &Scene) -> Result<String, WriteError> {
    let mut problems = scene_problems(scene);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<config>\n");
    if let Camera::Orbit { distance, pitch, yaw, .. } = scene.camera {
        let mut camera = Element { name: "camera", attributes: String::new(), reasons: Vec::new() };
        camera.number("rad", distance, None);
        camera.number("pitch", pitch, None);
        camera.number("yaw", yaw, None);
        problems.extend(camera.reasons.drain(..).map(|reason| WriteProblem { body: None, reason }));
        camera.append_to(&mut xml, 1);
    }
    xml += "\t<objects>\n";
    for (index, body) in scene.bodies.iter().enumerate() {
        let element = body_element(body, index);
        problems.extend(
            element.reasons.iter().map(|r| WriteProblem { body: Some(body.id.clone()), reason: r.clone() }),
        );
        element.append_to(&mut xml, 2);
    }
    xml += "\t</objects>\n</config>\n";
    if problems.is_empty() { Ok(xml) } else { Err(WriteError { problems }) }
}

/// What is wrong with the scene as a whole.
fn scene_problems(scene: &Scene) -> Vec<WriteProblem> {
    let mut problems = Vec::new();
    let mut check = |is_problem: bool, reason: &str| {
        if is_problem {
            problems.push(WriteProblem { body: None, reason: reason.to_owned() });
        }
    };
    check(
        scene.world.gravity != [0.0; 3],
        "the world has gravity; the format gives each body its own acceleration instead",
    );
    check(scene.world.origin != [0.0; 3], "the world has an origin of its own");
    check(matches!(scene.camera, Camera::Free { .. }), "the camera flies freely");
    check(
        matches!(scene.camera, Camera::Orbit { target, .. } if target != [0.0; 3]),
        "the camera looks at a point other than the origin",
    );
    check(!scene.joints.is_empty(), "the scene has joints");
    check(!scene.fields.is_empty(), "the scene has force fields");
    check(!scene.events.is_empty(), "the scene has events");
    problems
}

fn body_element(body: &Body, index: usize) -> Element {
    let mut element =
        Element { name: "sphere", attributes: String::new(), reasons: body_problems(body, index) };
    element.triplet("pos", body.position, None);
    element.triplet("vel", body.velocity, Some([0.0; 3]));
    match body.orientation {
        Orientation::EulerDegrees(angles) => element.triplet("ang", angles, Some([0.0; 3])),
        identity if identity == Orientation::IDENTITY => {}
        Orientation::Quaternion(_) => {
            element.refuse("its orientation is a quaternion; the format has angles about the axes");
        }
    }
    match body.angular_velocity {
        AngularVelocity::Degrees(angular_velocity) => {
            element.triplet("angVel", angular_velocity, Some([0.0; 3]));
        }
        AngularVelocity::Radians(angular_velocity) if angular_velocity == [0.0; 3] => {}
        AngularVelocity::Radians(_) => {
            element
                .refuse("its angular velocity is in radians; the format has degrees, and converting rounds");
        }
    }
    element.triplet("acceleration", body.acceleration, Some([0.0; 3]));
    match body.mass {
        Mass::Total(mass) => element.number("mass", mass, Some(defaults::UNIT)),
        Mass::FromDensity => element.refuse("its mass follows from a density; the format needs kilograms"),
        Mass::Full { .. } => element.refuse("its centre of mass and inertia are given by hand"),
    }
    match body.shapes.as_slice() {
        [shape] => shape_attributes(shape, &mut element),
        [] => element.refuse("it has no shape"),
        several => element.refuse(format!("it has {} shapes; the format allows one", several.len())),
    }
    if body.look.colour != defaults::COLOUR {
        let [r, g, b] = body.look.colour;
        element.attribute("color", &format!("{r},{g},{b}"));
    }
    if body.kind.is_immovable() {
        element.attribute("static", "true");
    }
    if !body.look.visible {
        element.attribute("draw", "false");
    }
    match (body.look.style, element.name) {
        (Style::Plain, _) => {}
        (Style::Rocket, "capsule") => element.attribute("rocket", "true"),
        (Style::Rocket, _) => element.refuse("it looks like a rocket but is no capsule"),
    }
    element
}

/// What is wrong with a body, its shape, orientation, angular velocity, mass and looks apart.
fn body_problems(body: &Body, index: usize) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut check = |is_problem: bool, reason: &str| {
        if is_problem {
            reasons.push(reason.to_owned());
        }
    };
    check(
        body.id != index.to_string(),
        &format!("its id cannot be kept; the format numbers bodies, this one would be `{index}`"),
    );
    let moves = [body.velocity, body.angular_velocity.components(), body.acceleration]
        .iter()
        .flatten()
        .any(|&x| x != 0.0);
    check(
        body.kind == BodyKind::Static && moves,
        "it is static but has a velocity, angular velocity or acceleration, by which Fingsics would move it",
    );
    check(body.kind == BodyKind::Particle, "it is a particle");
    check(body.gravity_scale != 1.0, "it has a gravity scale");
    check(body.linear_damping != 0.0 || body.angular_damping != 0.0, "it has damping");
    check(body.max_speed.is_some() || body.max_angular_speed.is_some(), "it has a speed limit");
    check(body.locked != LockedAxes::default(), "it has locked axes");
    check(body.bullet, "it asks for continuous collision detection");
    check(!body.can_sleep, "it is forbidden to sleep");
    reasons
}

fn shape_attributes(shape: &Shape, element: &mut Element) {
    match shape.kind {
        ShapeKind::Sphere { radius } => element.number("radius", radius, Some(defaults::UNIT)),
        ShapeKind::Capsule { radius, length, axis } => {
            element.name = "capsule";
            element.number("radius", radius, Some(defaults::UNIT));
            element.number("length", length, Some(defaults::UNIT));
            if axis != Axis::Z {
                element.refuse("its capsule does not lie along z");
            }
        }
        ShapeKind::Tile { length, width } => {
            element.name = "tile";
            element.number("length", length, Some(defaults::TILE));
            element.number("width", width, Some(defaults::TILE));
        }
        ref other => element.refuse(format!("the format has no shape like `{}`", other.name())),
    }
    element.number("elasticityCoef", shape.material.restitution, Some(defaults::UNIT));
    let mut check = |is_problem: bool, reason: &str| {
        if is_problem {
            element.refuse(reason);
        }
    };
    check(shape.material.friction != 0.0 || shape.material.rolling_friction != 0.0, "it has friction");
    check(shape.filter != Filter::default(), "it has a collision filter");
    check(shape.sensor, "it is a sensor");
    let is_turned = !matches!(shape.orientation, Orientation::EulerDegrees(a) if a == [0.0; 3])
        && shape.orientation != Orientation::IDENTITY;
    check(is_turned || shape.position != [0.0; 3], "its shape is moved or turned on the body");
}

/// An element under construction, with the reasons why it cannot be written.
struct Element {
    name: &'static str,
    attributes: String,
    reasons: Vec<String>,
}

impl Element {
    fn refuse(&mut self, reason: impl Into<String>) {
        self.reasons.push(reason.into());
    }

    fn attribute(&mut self, name: &str, value: &str) {
        // Values are numbers and words of our own: nothing to escape. Writing to a string cannot
        // fail.
        let _ = write!(self.attributes, " {name}=\"{value}\"");
    }

    /// Adds a number unless it is, bit for bit, the default.
    fn number(&mut self, name: &str, value: f32, default: Option<f32>) {
        if !value.is_finite() {
            self.refuse(format!("{name} is {value}"));
        } else if default.map(f32::to_bits) != Some(value.to_bits()) {
            self.attribute(name, &format_f32(value));
        }
    }

    /// Adds three numbers unless they are, bit for bit, the default.
    fn triplet(&mut self, name: &str, values: [f32; 3], default: Option<[f32; 3]>) {
        if values.iter().any(|v| !v.is_finite()) {
            self.refuse(format!("{name} is {values:?}"));
        } else if default.map(|d| d.map(f32::to_bits)) != Some(values.map(f32::to_bits)) {
            self.attribute(name, &values.map(format_f32).join(","));
        }
    }

    fn append_to(self, xml: &mut String, indent: usize) {
        xml.extend(std::iter::repeat_n('\t', indent));
        let _ = writeln!(xml, "<{}{} />", self.name, self.attributes);
    }
}

/// The shortest decimal text that gives the same `f32` both when read as `f32` and when read as
/// `f64` and rounded.
fn format_f32(value: f32) -> String {
    let magnitude = value.abs();
    let plain = magnitude == 0.0 || (1e-5..1e16).contains(&magnitude);
    let text = if plain { value.to_string() } else { format!("{value:e}") };
    // Triplets are rounded twice. A text next to the middle between two `f32` can round to that
    // middle first and then to the wrong neighbour; the exact digits cannot.
    let twice: f64 = text.parse().unwrap_or(f64::NAN);
    if twice as f32 == value { text } else { format!("{:e}", f64::from(value)) }
}

#[cfg(test)]
#[path = "xml_writer_tests.rs"]
mod tests;
