//! Reads Fingsics' scene XML.
//!
//! ```xml
//! <config>
//!   <camera rad="40" pitch="-25" yaw="0"/>
//!   <objects>
//!     <sphere pos="0,5,0" vel="1,0,0" radius="0.5" mass="2" acceleration="0,-9.8,0"/>
//!     <capsule pos="3,5,0" ang="0,90,0" radius="0.5" length="2" rocket="true"/>
//!     <tile length="30" width="30" static="true"/>
//!   </objects>
//! </config>
//! ```
//!
//! Every attribute has a default, and Fingsics is silent about what it does not understand.
//! This reader takes the same values from the same text, but says so: a warning for each unknown
//! name and each value replaced by its default, an error where Fingsics stops, crashes, or
//! would go on with NaN. Reading continues after an error, so that one run shows them all.
//!
//! A `static` body that has a velocity, angular velocity or acceleration moves by it like a piston,
//! so it becomes [`BodyKind::Kinematic`]; one that has none is [`BodyKind::Static`].

use roxmltree::{Document, Node, ParsingOptions};

use super::attributes::Attributes;
use super::remarks::{Remarks, shorten};
use super::xml_guard::{self, Guarded};
use crate::diagnostic::{Diagnostic, ParseError, Parsed};
use crate::limits::MAX_ITEMS;
use crate::model::{
    AngularVelocity, Axis, Body, BodyKind, Camera, Look, Mass, Material, Orientation, Scene, Shape,
    ShapeKind, Style,
};

/// Defaults of the format that differ from those of the model, or that the model does not have.
pub(super) mod defaults {
    /// Mass, elasticity, radius, capsule length.
    pub(in super::super) const UNIT: f32 = 1.0;
    /// Length and width of a tile.
    pub(in super::super) const TILE: f32 = 30.0;
    /// Red, green and blue.
    pub(in super::super) const COLOUR: [u8; 3] = [200; 3];
    /// Distance, pitch and yaw of the camera.
    pub(in super::super) const CAMERA: [f32; 3] = [40.0, -25.0, 0.0];
}

/// Reads a scene from the bytes of an XML file; `name` becomes the scene's name.
///
/// # Errors
/// If the bytes are not well-formed XML, hold no `<config>` with `<objects>`, or give a value no
/// scene can have. All such values are reported together, each with its line and column.
pub fn read_scene(text_bytes: &[u8], name: &str) -> Result<Parsed<Scene>, ParseError> {
    let guarded = xml_guard::guard(text_bytes)?;
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(&guarded.repaired, options).map_err(|e| malformed(&guarded, &e))?;
    let mut reader = Reader { guarded: &guarded, remarks: Remarks::about(guarded.original) };
    let mut scene = Scene { name: name.to_owned(), ..Scene::default() };
    reader.config(document.root_element(), &mut scene);
    for &offset in &guarded.missing_blanks {
        reader.remarks.warn(offset, "no blank between two attributes");
    }
    if let Some(offset) = guarded.trailing_content {
        reader.remarks.warn(offset, "text after the end of <config> is ignored");
    }
    reader.remarks.conclude(scene)
}

/// The parser's complaint, in the coordinates of the file.
fn malformed(guarded: &Guarded<'_>, error: &roxmltree::Error) -> Diagnostic {
    use roxmltree::Error as Xml;
    let place = error.pos();
    let line_start = match place.row {
        0 | 1 => 0,
        row => guarded.repaired.match_indices('\n').nth(row as usize - 2).map_or(0, |(i, _)| i + 1),
    };
    let column = place.col.saturating_sub(1) as usize;
    let rest = &guarded.repaired[line_start..];
    let in_line = rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i);
    let message = match error {
        Xml::UnexpectedCloseTag(expected, actual, _) => {
            format!("</{}> where </{}> is due", shorten(actual), shorten(expected))
        }
        Xml::DuplicatedAttribute(name, _) => format!("attribute `{}` is given twice", shorten(name)),
        Xml::InvalidAttributeValue(_) => "`<` inside an attribute value".to_owned(),
        Xml::UnknownEntityReference(name, _) => format!("unknown entity `&{};`", shorten(name)),
        Xml::MalformedEntityReference(_) => "`&` that starts no entity; write `&amp;`".to_owned(),
        Xml::UnknownNamespace(prefix, _) => format!("undeclared namespace prefix `{}`", shorten(prefix)),
        other => {
            let text = other.to_string();
            // The library ends its sentences with the place, which is known better here.
            text.strip_suffix(&format!(" at {place}")).map_or(text.clone(), str::to_owned)
        }
    };
    let offset = guarded.original_offset(line_start + in_line);
    Diagnostic::at(guarded.original, offset, format!("malformed XML: {message}"))
}

/// One reading.
struct Reader<'g> {
    guarded: &'g Guarded<'g>,
    remarks: Remarks<'g>,
}

impl<'g> Reader<'g> {
    fn offset(&self, node: Node<'_, '_>) -> usize {
        self.guarded.original_offset(node.range().start)
    }

    fn attributes<'n>(&mut self, node: Node<'n, 'n>) -> Attributes<'_, 'g, 'n> {
        Attributes::of(node, self.guarded, &mut self.remarks)
    }

    fn config(&mut self, config: Node<'_, '_>, scene: &mut Scene) {
        let name = config.tag_name().name();
        if name != "config" {
            let message = format!("the root element is <{}>, a scene needs <config>", shorten(name));
            return self.remarks.error(self.offset(config), message);
        }
        self.attributes(config).finish();
        let (mut camera, mut objects) = (None, None);
        for child in self.element_children(config) {
            let known = match child.tag_name().name() {
                "camera" => &mut camera,
                "objects" => &mut objects,
                _ => {
                    self.unknown_element(child);
                    continue;
                }
            };
            if known.is_some() {
                let message = format!("a second <{}> is ignored", child.tag_name().name());
                self.remarks.warn(self.offset(child), message);
            } else {
                *known = Some(child);
            }
        }
        scene.camera = self.camera(camera);
        match objects {
            Some(objects) => self.objects(objects, &mut scene.bodies),
            None => self.remarks.error(self.offset(config), "<config> has no <objects>"),
        }
    }

    /// The child elements; text between them is remarked on.
    fn element_children<'n>(&mut self, node: Node<'n, 'n>) -> Vec<Node<'n, 'n>> {
        let mut elements = Vec::new();
        for child in node.children() {
            if child.is_element() {
                elements.push(child);
            } else if child.is_text() && child.text().is_some_and(|t| !t.trim().is_empty()) {
                let message = format!("text inside <{}> is ignored", node.tag_name().name());
                let blanks = child.text().map_or(0, |t| t.len() - t.trim_start().len());
                let offset = self.guarded.original_offset(child.range().start + blanks);
                self.remarks.warn(offset, message);
            }
        }
        elements
    }

    fn unknown_element(&mut self, node: Node<'_, '_>) {
        let message = format!("unknown element <{}> is ignored", shorten(node.tag_name().name()));
        self.remarks.warn(self.offset(node), message);
    }

    fn camera(&mut self, camera: Option<Node<'_, '_>>) -> Camera {
        let [mut distance, mut pitch, mut yaw] = defaults::CAMERA;
        if let Some(camera) = camera {
            let mut attributes = self.attributes(camera);
            distance = attributes.number("rad", distance);
            pitch = attributes.number("pitch", pitch);
            yaw = attributes.number("yaw", yaw);
            attributes.finish();
            for child in self.element_children(camera) {
                self.unknown_element(child);
            }
        }
        Camera::Orbit { distance, pitch, yaw, target: [0.0; 3] }
    }

    fn objects(&mut self, objects: Node<'_, '_>, bodies: &mut Vec<Body>) {
        self.attributes(objects).finish();
        for node in self.element_children(objects) {
            let kind = match node.tag_name().name() {
                "sphere" => ObjectKind::Sphere,
                "capsule" => ObjectKind::Capsule,
                "tile" => ObjectKind::Tile,
                _ => {
                    self.unknown_element(node);
                    continue;
                }
            };
            if bodies.len() >= MAX_ITEMS {
                let message = format!("more than {MAX_ITEMS} objects in one scene");
                return self.remarks.error(self.offset(node), message);
            }
            let body = self.body(node, kind, bodies.len());
            bodies.push(body);
        }
    }

    fn body(&mut self, node: Node<'_, '_>, object: ObjectKind, index: usize) -> Body {
        let mut attributes = self.attributes(node);
        let position = attributes.triplet("pos", [0.0; 3]);
        let velocity = attributes.triplet("vel", [0.0; 3]);
        let angles = attributes.triplet("ang", [0.0; 3]);
        let angular_velocity = attributes.triplet("angVel", [0.0; 3]);
        let acceleration = attributes.triplet("acceleration", [0.0; 3]);
        let mass = attributes.number("mass", defaults::UNIT);
        let restitution = attributes.number("elasticityCoef", defaults::UNIT);
        let colour = attributes.colour("color", defaults::COLOUR);
        let is_static = attributes.truth("static", false);
        let visible = attributes.truth("draw", true);
        let mut style = Style::Plain;
        let shape = match object {
            ObjectKind::Sphere => ShapeKind::Sphere { radius: attributes.number("radius", defaults::UNIT) },
            ObjectKind::Capsule => {
                if attributes.truth("rocket", false) {
                    style = Style::Rocket;
                }
                ShapeKind::Capsule {
                    radius: attributes.number("radius", defaults::UNIT),
                    length: attributes.number("length", defaults::UNIT),
                    axis: Axis::Z,
                }
            }
            ObjectKind::Tile => ShapeKind::Tile {
                length: attributes.number("length", defaults::TILE),
                width: attributes.number("width", defaults::TILE),
            },
        };
        attributes.finish();
        for child in self.element_children(node) {
            self.unknown_element(child);
        }
        let moves = [velocity, angular_velocity, acceleration].iter().flatten().any(|&x| x != 0.0);
        Body {
            id: index.to_string(),
            kind: match (is_static, moves) {
                (false, _) => BodyKind::Dynamic,
                (true, true) => BodyKind::Kinematic,
                (true, false) => BodyKind::Static,
            },
            position,
            orientation: if angles == [0.0; 3] {
                Orientation::IDENTITY
            } else {
                Orientation::EulerDegrees(angles)
            },
            velocity,
            angular_velocity: if angular_velocity == [0.0; 3] {
                AngularVelocity::ZERO
            } else {
                AngularVelocity::Degrees(angular_velocity)
            },
            acceleration,
            mass: Mass::Total(mass),
            shapes: vec![Shape::new(shape).with_material(Material {
                friction: 0.0,
                restitution,
                ..Material::default()
            })],
            look: Look { colour, visible, style },
            ..Body::default()
        }
    }
}

/// The three objects of the format.
#[derive(Clone, Copy)]
enum ObjectKind {
    Sphere,
    Capsule,
    Tile,
}

#[cfg(test)]
#[path = "xml_reader_tests.rs"]
mod tests;
