//! `carom info`: what is in a file.

use std::collections::BTreeMap;
use std::path::Path;

use carom_core::input_file;
use carom_fingsics::{FingsicsVersion, frame_log};
use carom_planar::PlanarScene;
use carom_recording::scene_dat::{Form, Reader};
use carom_scene::Scene;
use carom_scene::file::{Loaded, Origin, SceneFile, read_bytes};
use carom_scene::fingsics::read_config;
use carom_scene::model::BodyKind;
use serde_json::{Value, json};

use crate::args::InfoOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{grouped, line};
use crate::source::load_any;

/// Keys by which a configuration is known.
const CONFIG_KEYS: [&str; 4] = ["SCENE_FILE_NAME=", "BROAD_PHASE=", "RUN_MODE=", "FPS_CAP="];

/// `carom info`. A file that can be read is described, problems and all; exit status 0.
pub(crate) fn run(options: &InfoOptions) -> Outcome {
    let path = Path::new(&options.source);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let facts = match extension.as_str() {
        _ if path.is_dir() => super::info_run::run(path)?,
        "json" => super::info_run::run(path)?,
        "crec" => super::info_run::recording(path)?,
        "snapshot" => super::info_run::snapshot(path)?,
        "dat" => recording(path)?,
        "csv" => report(path)?,
        "obj" | "stl" => super::info_mesh::describe(path)?,
        "txt" => match config_text(&options.source)? {
            Some(bytes) => config(&options.source, &bytes)?,
            None => scene(&load_any(&options.source, None)?),
        },
        _ => scene(&load_any(&options.source, None)?),
    };
    if options.json {
        let object: serde_json::Map<String, Value> =
            facts.into_iter().map(|(name, value)| (name.replace(' ', "_"), value)).collect();
        line(Value::Object(object).to_string());
        return Ok(Verdict::Good);
    }
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in &facts {
        for (at, text) in shown(value).into_iter().enumerate() {
            let label = if at == 0 { name.as_str() } else { "" };
            line(format!("{label:width$}  {text}"));
        }
    }
    Ok(Verdict::Good)
}

pub(super) type Facts = Vec<(String, Value)>;

fn shown(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(n) if n.is_u64() => vec![grouped(n.as_u64().unwrap_or(0))],
        Value::Array(items) => items.iter().flat_map(shown).collect(),
        Value::Object(map) => {
            let parts = map.iter().map(|(k, v)| format!("{} {k}", shown(v).join(" ")));
            vec![parts.collect::<Vec<_>>().join(", ")]
        }
        other => vec![other.to_string()],
    }
}

pub(super) fn fact(facts: &mut Facts, name: &str, value: impl Into<Value>) {
    facts.push((name.to_owned(), value.into()));
}

fn scene(loaded: &Loaded) -> Facts {
    let mut facts = Facts::new();
    let source = match &loaded.origin {
        Origin::File(path) => path.display().to_string(),
        Origin::Library(request) => request.clone(),
    };
    fact(&mut facts, "source", source);
    fact(&mut facts, "format", loaded.format.to_string());
    match &loaded.scene {
        SceneFile::Spatial(scene) => spatial(scene, &mut facts),
        SceneFile::Planar(scene) => planar(scene, &mut facts),
    }
    if !loaded.warnings.is_empty() {
        fact(&mut facts, "warnings", loaded.warnings.len());
    }
    let problems = loaded.problems();
    fact(&mut facts, "problems", if problems.is_empty() { json!("none") } else { json!(problems) });
    facts
}

fn spatial(scene: &Scene, facts: &mut Facts) {
    fact(facts, "name", scene.name.clone());
    if !scene.description.is_empty() {
        fact(facts, "description", scene.description.clone());
    }
    fact(facts, "bodies", scene.bodies.len());
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut shapes: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let mut fastest = 0.0f32;
    for body in &scene.bodies {
        let kind = match body.kind {
            BodyKind::Static => "static",
            BodyKind::Kinematic => "kinematic",
            BodyKind::Dynamic => "dynamic",
            BodyKind::Particle => "particle",
        };
        *kinds.entry(kind).or_default() += 1;
        body.shapes.iter().for_each(|shape| *shapes.entry(shape.kind.name()).or_default() += 1);
        for axis in 0..3 {
            low[axis] = low[axis].min(body.position[axis]);
            high[axis] = high[axis].max(body.position[axis]);
        }
        fastest = fastest.max(body.velocity.iter().map(|v| v * v).sum::<f32>().sqrt());
    }
    fact(facts, "kinds", json!(kinds));
    fact(facts, "shapes", json!(shapes));
    if !scene.bodies.is_empty() {
        fact(facts, "centres", format!("{low:?} to {high:?}"));
        fact(facts, "fastest", format!("{fastest} m/s"));
    }
    for (name, count) in
        [("joints", scene.joints.len()), ("fields", scene.fields.len()), ("events", scene.events.len())]
    {
        if count > 0 {
            fact(facts, name, count);
        }
    }
    if scene.world.gravity != [0.0; 3] {
        fact(facts, "gravity", format!("{:?} m/s²", scene.world.gravity));
    }
}

fn planar(scene: &PlanarScene, facts: &mut Facts) {
    fact(facts, "name", scene.name.clone());
    fact(facts, "objects", scene.objects.len());
    fact(facts, "vertices", scene.objects.iter().map(|o| o.vertices.len()).sum::<usize>());
    fact(facts, "frame", format!("{:?}", scene.frame));
    fact(
        facts,
        "time",
        format!("{} to {} s at {} Hz", scene.time[0], scene.time[1], scene.frames_per_second),
    );
    fact(facts, "density", format!("{:.4} %", 100.0 * scene.density()));
}

fn recording(path: &Path) -> Result<Facts, Failure> {
    let file = input_file::open(path).map_err(|error| Failure::at(path, error))?;
    let recording = Reader::open(file).map_err(|error| Failure::at(path, error))?;
    let mut forms: BTreeMap<&str, u64> = BTreeMap::new();
    for object in recording.objects() {
        let form = match object.form {
            Form::Ball { .. } => "sphere",
            Form::Capsule { .. } => "capsule",
            Form::Tile { .. } => "tile",
            Form::Rocket { .. } => "rocket",
        };
        *forms.entry(form).or_default() += 1;
    }
    let mut facts = Facts::new();
    fact(&mut facts, "source", path.display().to_string());
    fact(&mut facts, "format", "Fingsics recording");
    fact(&mut facts, "objects", recording.objects().len());
    fact(&mut facts, "shapes", json!(forms));
    fact(&mut facts, "frames", recording.frames());
    fact(&mut facts, "fps", recording.fps());
    Ok(facts)
}

fn report(path: &Path) -> Result<Facts, Failure> {
    let file = input_file::open(path).map_err(|error| Failure::at(path, error))?;
    let counts =
        frame_log::read_counts(std::io::BufReader::new(file)).map_err(|error| Failure::at(path, error))?;
    let mut facts = Facts::new();
    fact(&mut facts, "source", path.display().to_string());
    fact(&mut facts, "format", "Fingsics report");
    fact(
        &mut facts,
        "rules",
        match counts.version {
            FingsicsVersion::Newest => "newest (column DrawTime)",
            FingsicsVersion::September2021 => "September 2021 (column MoveTime)",
        },
    );
    fact(&mut facts, "rows", counts.rows.len());
    fact(&mut facts, "NPCDTests", counts.rows.iter().map(|row| row.0).sum::<u64>());
    fact(&mut facts, "Collisions", counts.rows.iter().map(|row| row.1).sum::<u64>());
    Ok(facts)
}

/// The bytes of a text file if it looks like a configuration.
fn config_text(path: &str) -> Result<Option<Vec<u8>>, Failure> {
    let bytes = read_bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let known = text.lines().any(|line| CONFIG_KEYS.iter().any(|key| line.starts_with(key)));
    Ok(known.then_some(bytes))
}

fn config(path: &str, bytes: &[u8]) -> Result<Facts, Failure> {
    let parsed = read_config(bytes).map_err(|error| Failure::in_text(path, &error.errors))?;
    let config = parsed.value;
    let mut facts = Facts::new();
    fact(&mut facts, "source", path);
    fact(&mut facts, "format", "Fingsics configuration");
    fact(&mut facts, "scene", config.scene_file_name);
    fact(&mut facts, "mode", config.run_mode.name());
    fact(&mut facts, "broad phase", config.broad_phase.name());
    fact(&mut facts, "fps", config.fps_cap);
    fact(&mut facts, "stop at frame", config.stop_at_frame);
    fact(&mut facts, "runs", config.num_runs_for_benchmark);
    fact(&mut facts, "log", config.log);
    fact(&mut facts, "record scene", config.record_scene);
    fact(&mut facts, "warnings", parsed.warnings.len());
    Ok(facts)
}
