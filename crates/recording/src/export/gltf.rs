//! A recording as an animated model, glTF 2.0 in one file (`.glb`), which modellers, browsers and
//! game engines open.
//!
//! One node per body, with the surfaces of its shapes in its colour; translation and rotation are
//! animated where a body moves, and a body that is not there all the time has no size while it is
//! away. Equal shapes share a mesh, bodies that never move have no animation. Normals are left to
//! the viewer. Units and axes are the same as ours: metres, y up.
//!
//! Positions are `f32` here; [`GltfOptions::origin`] moves a recording that lies far out.

use std::collections::BTreeMap;
use std::io::Write;

use carom_scene::Scene;
use carom_scene::model::{Body, Orientation, Shape};
use serde_json::{Map, Value, json};

use super::glb::Buffer;
use super::motion::{Motion, Motions};
use super::tessellate::surface;
use super::{ExportError, bodies_by_number, rotation_of_orientation};
use crate::track::Recording;

/// How a model is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GltfOptions {
    /// Every how many frames one is taken; in between, viewers interpolate.
    pub stride: u64,
    /// This point of the recording becomes the origin of the model.
    pub origin: [f32; 3],
}

impl Default for GltfOptions {
    fn default() -> Self {
        Self { stride: 1, origin: [0.0; 3] }
    }
}

/// What is in a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bodies.
    pub bodies: usize,
    /// Moments of the animation.
    pub frames: usize,
    /// Different meshes.
    pub meshes: usize,
    /// Bodies that have a place and no looks: the scene does not have them, or their shapes are in
    /// files of their own.
    pub without_surface: usize,
}

/// Writes a recording as a model.
///
/// # Errors
/// If the recording has no scene or cannot be read, the model is too large or cannot be written.
pub fn write(
    recording: &mut Recording,
    options: GltfOptions,
    out: impl Write,
) -> Result<Summary, ExportError> {
    let scene = recording.scene()?.ok_or(ExportError::NoScene)?;
    let mut motions = Motions::gather(recording, options.stride)?;
    for position in motions.bodies.iter_mut().flat_map(|motion| &mut motion.positions) {
        position.iter_mut().zip(options.origin).for_each(|(x, origin)| *x -= origin);
    }
    let mut model = Model::default();
    let mut summary =
        Summary { bodies: motions.bodies.len(), frames: motions.times.len(), ..Summary::default() };
    let bodies = bodies_by_number(&scene, recording.names());
    for (number, motion) in motions.bodies.iter().enumerate() {
        let body = bodies.get(number).copied().flatten();
        let name = recording.names().get(number).map_or("", String::as_str);
        let has_surface = model.add_body(name, body, motion, &motions.times);
        summary.without_surface += usize::from(!has_surface);
    }
    summary.meshes = model.meshes.len();
    model.write(&scene, out)?;
    Ok(summary)
}

#[derive(Default)]
struct Model {
    buffer: Buffer,
    nodes: Vec<Value>,
    /// Nodes of bodies.
    roots: Vec<usize>,
    meshes: Vec<Value>,
    /// Meshes by shape and colour, none for shapes without a surface.
    known_meshes: BTreeMap<String, Option<usize>>,
    materials: Vec<Value>,
    known_materials: BTreeMap<[u8; 3], usize>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// The accessor of all times, which most bodies share.
    all_times: Option<usize>,
}

impl Model {
    /// Adds a body; says whether it can be seen, or is meant not to be.
    fn add_body(&mut self, name: &str, body: Option<&Body>, motion: &Motion, times: &[f32]) -> bool {
        let mut node = json!({ "name": name });
        if let (Some(position), Some(rotation)) = (motion.positions.first(), motion.rotations.first()) {
            node["translation"] = json!(position);
            node["rotation"] = json!(rotation);
        }
        let is_hidden = body.is_some_and(|body| !body.look.visible);
        let mut children = Vec::new();
        let mut is_seen = is_hidden;
        for shape in body.filter(|_| !is_hidden).map_or(&[][..], |body| &body.shapes) {
            let colour = body.map_or([200; 3], |body| body.look.colour);
            let Some(mesh) = self.mesh(shape, colour) else { continue };
            is_seen = true;
            let mut child = json!({ "mesh": mesh });
            if shape.position != [0.0; 3] || shape.orientation != Orientation::IDENTITY {
                child["translation"] = json!(shape.position);
                child["rotation"] = json!(rotation_of_orientation(shape.orientation).to_xyzw());
            }
            self.nodes.push(child);
            children.push(self.nodes.len() - 1);
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        if motion.moments.is_empty() {
            node["scale"] = json!([0.0, 0.0, 0.0]);
        }
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        self.roots.push(number);
        self.animate(number, motion, times);
        is_seen
    }

    fn animate(&mut self, node: usize, motion: &Motion, times: &[f32]) {
        let moves = motion.positions.windows(2).any(|pair| pair[0] != pair[1]);
        let turns = motion.rotations.windows(2).any(|pair| pair[0] != pair[1]);
        let is_always_there = motion.moments.len() == times.len();
        if moves || turns {
            let input = if is_always_there {
                let buffer = &mut self.buffer;
                *self.all_times.get_or_insert_with(|| add_times(buffer, times.iter().copied()))
            } else {
                add_times(&mut self.buffer, motion.moments.iter().map(|moment| times[*moment as usize]))
            };
            if moves {
                let output = self.buffer.add_floats(&motion.positions, false);
                self.add_channel(node, "translation", input, output, "LINEAR");
            }
            if turns {
                let output = self.buffer.add_floats(&motion.rotations, false);
                self.add_channel(node, "rotation", input, output, "LINEAR");
            }
        }
        if !is_always_there && !motion.moments.is_empty() {
            let presence = motion.presence(times.len());
            let input =
                add_times(&mut self.buffer, presence.iter().map(|(moment, _)| times[*moment as usize]));
            let sizes: Vec<[f32; 3]> = presence.iter().map(|(_, is)| [f32::from(u8::from(*is)); 3]).collect();
            let output = self.buffer.add_floats(&sizes, false);
            self.add_channel(node, "scale", input, output, "STEP");
        }
    }

    fn add_channel(&mut self, node: usize, path: &str, input: usize, output: usize, interpolation: &str) {
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// The mesh of a shape in a colour.
    fn mesh(&mut self, shape: &Shape, colour: [u8; 3]) -> Option<usize> {
        let key = format!("{:?} {colour:?}", shape.kind);
        if let Some(known) = self.known_meshes.get(&key) {
            return *known;
        }
        let drawn = surface(&shape.kind).filter(|surface| !surface.triangles.is_empty());
        let mesh = drawn.map(|surface| {
            let material = self.material(colour);
            let positions = self.buffer.add_floats(&surface.corners, true);
            let corners = self.buffer.add_triangles(&surface.triangles);
            self.meshes.push(json!({
                "name": shape.kind.name(),
                "primitives": [{ "attributes": { "POSITION": positions }, "indices": corners, "material": material }],
            }));
            self.meshes.len() - 1
        });
        self.known_meshes.insert(key, mesh);
        mesh
    }

    /// The material of a colour. Tiles are seen from both sides.
    fn material(&mut self, colour: [u8; 3]) -> usize {
        let materials = &mut self.materials;
        *self.known_materials.entry(colour).or_insert_with(|| {
            let [red, green, blue] = colour.map(linear);
            materials.push(json!({
                "pbrMetallicRoughness": {
                    "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6,
                },
                "doubleSided": true,
            }));
            materials.len() - 1
        })
    }

    fn write(self, scene: &Scene, out: impl Write) -> Result<(), ExportError> {
        let mut document = Map::new();
        document.insert("asset".to_owned(), json!({ "version": "2.0", "generator": "Carom" }));
        document.insert("scene".to_owned(), json!(0));
        // The format knows no empty lists.
        let mut root = json!({ "name": scene.name });
        if !self.roots.is_empty() {
            root["nodes"] = json!(self.roots);
        }
        document.insert("scenes".to_owned(), json!([root]));
        for (name, list) in [("nodes", self.nodes), ("meshes", self.meshes), ("materials", self.materials)] {
            if !list.is_empty() {
                document.insert(name.to_owned(), Value::Array(list));
            }
        }
        if !self.channels.is_empty() {
            let animation = json!({ "name": "run", "channels": self.channels, "samplers": self.samplers });
            document.insert("animations".to_owned(), json!([animation]));
        }
        self.buffer.write(Value::Object(document), out)
    }
}

fn add_times(buffer: &mut Buffer, times: impl Iterator<Item = f32>) -> usize {
    let times: Vec<[f32; 1]> = times.map(|time| [time]).collect();
    buffer.add_floats(&times, true)
}

/// A colour as people write it, on the linear scale that the format wants: the square is near
/// enough to its curve.
fn linear(channel: u8) -> f32 {
    let share = f32::from(channel) / 255.0;
    share * share
}
