//! Exports say what the recording says: each is read back by other means and compared.

use std::io::Cursor;

use crate::common::record_with;
use carom_recording::export::{self, ExportError};
use carom_recording::scene_dat::{Form, Object, Pose, Reader, Writer as OriginalWriter};
use carom_recording::track::{
    Channels, Header, PoseKind, Position, PositionKind, Recording, RecordingOptions, Rotation, RotationKind,
    Stamp,
};
use carom_scene::Scene;
use carom_scene::model::{Axis, Body, Look, Orientation, Shape, ShapeKind};
use carom_scene::native::write_binary;
use serde_json::Value;

/// Half of the square root of two.
const HALF_ROOT: f32 = std::f32::consts::FRAC_1_SQRT_2;

fn scene() -> Scene {
    let body = |id: &str, shapes: Vec<ShapeKind>, colour| Body {
        id: id.to_owned(),
        shapes: shapes.into_iter().map(Shape::new).collect(),
        look: Look { colour, ..Look::default() },
        ..Body::default()
    };
    let ball = || vec![ShapeKind::Sphere { radius: 0.5 }];
    let capsule = vec![ShapeKind::Capsule { radius: 0.3, length: 2.0, axis: Axis::Z }];
    Scene {
        name: "four".to_owned(),
        bodies: vec![
            body("floor, \"wide\"", vec![ShapeKind::Tile { length: 30.0, width: 20.0 }], [200; 3]),
            body("ball", ball(), [255, 0, 0]),
            body("twin", ball(), [255, 0, 0]),
            body("rod", capsule, [0, 0, 255]),
        ],
        ..Scene::default()
    }
}

fn position(body: u32, frame: u32) -> [f64; 3] {
    let moving = f64::from(if body == 0 { 0 } else { frame });
    [f64::from(body), 0.1 * moving, -0.3 * moving]
}

/// A quarter turn about y for every second frame; the floor lies still.
fn rotation(body: u32, frame: u32) -> [f32; 4] {
    if body == 0 || frame.is_multiple_of(2) { [0.0, 0.0, 0.0, 1.0] } else { [0.0, HALF_ROOT, 0.0, HALF_ROOT] }
}

/// Six frames; the twin is there in frames 2 and 3 only.
fn is_there(body: u32, frame: u32) -> bool {
    body != 2 || (2..4).contains(&frame)
}

fn recording(scene: &Scene, channels: Channels) -> Recording {
    let header = Header {
        steps_per_second: 60,
        names: scene.bodies.iter().map(|body| body.id.clone()).collect(),
        scene: write_binary(scene),
        channels,
        ..Header::default()
    };
    let bytes =
        record_with(&header, RecordingOptions { chunk_frames: 4, ..RecordingOptions::default() }, |writer| {
            for k in 0..6 {
                let stamp = Stamp { number: u64::from(k), time: f64::from(k) / 60.0, state_hash: 0 };
                let add = |frame: &mut carom_recording::track::Frame| {
                    for body in (0..4).filter(|body| is_there(*body, k)) {
                        frame.body(body, position(body, k), rotation(body, k));
                        if channels.velocities {
                            frame.velocity([0.0, 6.0, -18.0], [0.0; 3]);
                        }
                    }
                };
                writer.frame(stamp, add).unwrap();
            }
        });
    Recording::from_bytes(bytes, "export.crec".as_ref()).unwrap()
}

#[test]
fn a_table_has_a_row_per_body_and_frame() {
    let mut recording = recording(&scene(), Channels { velocities: true, ..Channels::default() });
    let mut text = Vec::new();
    assert_eq!(export::csv::write(&mut recording, 1, &mut text).unwrap(), 6 * 3 + 2);
    let mut table = csv::Reader::from_reader(text.as_slice());
    let columns: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(columns.join(" "), "frame step time body name x y z qx qy qz qw vx vy vz wx wy wz");
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 20);
    for row in &rows {
        let (frame, body): (u32, u32) = (row[0].parse().unwrap(), row[3].parse().unwrap());
        assert_eq!(&row[4], scene().bodies[body as usize].id);
        assert_eq!(row[2].parse::<f64>().unwrap(), f64::from(frame) / 60.0);
        let read: [f64; 3] = std::array::from_fn(|k| row[5 + k].parse().unwrap());
        assert_eq!(read, position(body, frame));
        let read: [f32; 4] = std::array::from_fn(|k| row[8 + k].parse().unwrap());
        assert_eq!(read, rotation(body, frame));
        assert_eq!(&row[13], "6");
    }
    let mut text = Vec::new();
    assert_eq!(export::csv::write(&mut recording, 4, &mut text).unwrap(), 3 + 3, "frames 0 and 4");
}

#[test]
fn the_original_s_recording_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.dat");
    let mut ours = recording(&scene(), Channels::default());
    assert_eq!(export::scene_dat::write(&mut ours, 1, &path).unwrap(), 6);
    let mut original = Reader::open(std::fs::File::open(&path).unwrap()).unwrap();
    assert_eq!((original.frames(), original.fps(), original.objects().len()), (6, 60, 4));
    assert_eq!(original.objects()[3].form, Form::Capsule { radius: 0.3, length: 2.0 });
    for k in 0..6 {
        // The twin stands where it is seen first, then where it was seen last.
        let seen = |body| if body == 2 { k.clamp(2, 3) } else { k };
        for (body, pose) in (0..).zip(original.frame(k).unwrap()) {
            assert_eq!(pose.position, position(body, seen(body)).map(|x| x as f32), "body {body}, frame {k}");
            let turned = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0];
            let upright = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
            let wanted = if rotation(body, seen(body))[1] > 0.0 { turned } else { upright };
            let is_near = pose.rotation.iter().zip(wanted).all(|(read, wanted)| (read - wanted).abs() < 1e-6);
            assert!(is_near, "body {body}, frame {k}: {:?}", pose.rotation);
        }
    }
    let back = folder.path().join("back.crec");
    let file = std::fs::File::open(&path).unwrap();
    assert_eq!(export::scene_dat::read(file, "back", &back, RecordingOptions::default()).unwrap().frames, 6);
    let again = folder.path().join("again.dat");
    let mut recording = Recording::open(&back).unwrap();
    assert_eq!(recording.scene().unwrap().unwrap().bodies[1].look.colour, [255, 0, 0]);
    assert_eq!(
        recording.header().pose,
        PoseKind { position: PositionKind::Single, rotation: RotationKind::Rows }
    );
    export::scene_dat::write(&mut recording, 1, &again).unwrap();
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&again).unwrap(), "Fingsics' bytes come back");
}

#[test]
fn rows_that_are_no_rotation_come_through_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.dat");
    let ball = Object { form: Form::Ball { radius: 1.0 }, visible: false, colour: [1, 2, 3] };
    let pose = |k: u32| Pose {
        position: [-0.0, 0.1 * k as f32, f32::MIN_POSITIVE],
        rotation: std::array::from_fn(|j| 0.3 * j as f32 - 1.0001 * k as f32),
    };
    let mut writer = OriginalWriter::create(&path, &[ball], 100, 30).unwrap();
    (0..100).for_each(|k| writer.push([pose(k)].into_iter()).unwrap());
    writer.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let ours = folder.path().join("ours.crec");
    export::scene_dat::read(Cursor::new(&bytes), "one", &ours, RecordingOptions::default()).unwrap();
    let mut recording = Recording::open(&ours).unwrap();
    for k in 0..100 {
        let frame = recording.frame(u64::from(k)).unwrap();
        let Position::Single(position) = frame.position(0) else { panic!("another kind") };
        let Rotation::Rows(rows) = frame.rotation(0) else { panic!("another kind") };
        assert_eq!(position.map(f32::to_bits), pose(k).position.map(f32::to_bits));
        assert_eq!(rows.map(f32::to_bits), pose(k).rotation.map(f32::to_bits));
    }
    export::scene_dat::write(&mut recording, 1, &path).unwrap();
    assert!(std::fs::read(&path).unwrap() == bytes);
}

#[test]
fn what_the_original_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.dat");
    let mut boxed = scene();
    boxed.bodies[1].shapes[0].kind = ShapeKind::Box { size: [1.0; 3] };
    let error = export::scene_dat::write(&mut recording(&boxed, Channels::default()), 1, &path).unwrap_err();
    assert!(error.to_string().contains("'ball'"), "{error}");
    let bytes = record_with(&Header::default(), RecordingOptions::default(), |_| {});
    let mut bare = Recording::from_bytes(bytes, "bare".as_ref()).unwrap();
    assert!(matches!(export::scene_dat::write(&mut bare, 1, &path), Err(ExportError::NoScene)));
    assert!(matches!(
        export::gltf::write(&mut bare, export::gltf::GltfOptions::default(), Vec::new()),
        Err(ExportError::NoScene)
    ));
}

/// A `.glb` file taken apart: its description and its numbers.
struct Model {
    document: Value,
    binary: Vec<u8>,
}

impl Model {
    fn read(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((&bytes[..4], word(4), word(8) as usize), (&b"glTF"[..], 2, bytes.len()));
        let text = word(12) as usize;
        assert_eq!((&bytes[16..20], text % 4), (&b"JSON"[..], 0));
        let document: Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
        let binary = word(20 + text) as usize;
        assert_eq!((&bytes[24 + text..28 + text], binary % 4), (&b"BIN\0"[..], 0));
        let model = Self { document, binary: bytes[28 + text..].to_vec() };
        assert_eq!(model.binary.len(), binary);
        model.check();
        model
    }

    fn list(&self, name: &str) -> &Vec<Value> {
        self.document[name].as_array().unwrap()
    }

    fn accessor(&self, number: &Value) -> &Value {
        &self.list("accessors")[number.as_u64().unwrap() as usize]
    }

    /// The numbers of an accessor.
    fn words(&self, number: &Value) -> Vec<u32> {
        let accessor = self.accessor(number);
        let view = &self.list("bufferViews")[accessor["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let bytes = &self.binary[start..start + view["byteLength"].as_u64().unwrap() as usize];
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    fn floats(&self, number: &Value) -> Vec<f32> {
        self.words(number).into_iter().map(f32::from_bits).collect()
    }

    /// What a validator would ask: references, lengths, bounds.
    fn check(&self) {
        assert_eq!(self.document["asset"]["version"], "2.0");
        assert_eq!(self.list("buffers")[0]["byteLength"].as_u64().unwrap() as usize, self.binary.len());
        for (number, accessor) in self.list("accessors").iter().enumerate() {
            let width = match accessor["type"].as_str().unwrap() {
                "SCALAR" => 1,
                "VEC3" => 3,
                "VEC4" => 4,
                other => panic!("{other}"),
            };
            let words = self.words(&Value::from(number));
            assert_eq!(
                words.len(),
                width * accessor["count"].as_u64().unwrap() as usize,
                "accessor {number}"
            );
            if accessor["componentType"] == 5126 {
                assert!(words.iter().all(|word| f32::from_bits(*word).is_finite()), "accessor {number}");
            }
            for (bound, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
                for (k, limit) in accessor[bound].as_array().into_iter().flatten().enumerate() {
                    let column = words.iter().skip(k).step_by(width).map(|word| f32::from_bits(*word));
                    assert_eq!(limit.as_f64().unwrap() as f32, column.reduce(pick).unwrap());
                }
            }
        }
        for mesh in self.list("meshes") {
            let part = &mesh["primitives"][0];
            let corners = self.accessor(&part["attributes"]["POSITION"]);
            assert!(corners["min"].is_array() && corners["max"].is_array());
            let indices = self.words(&part["indices"]);
            assert!(indices.iter().all(|index| u64::from(*index) < corners["count"].as_u64().unwrap()));
            assert!((part["material"].as_u64().unwrap() as usize) < self.list("materials").len());
        }
        let nodes = self.list("nodes");
        let children: Vec<u64> = nodes.iter().flat_map(|node| numbers(&node["children"])).collect();
        let roots = numbers(&self.document["scenes"][0]["nodes"]);
        assert!(
            (0..nodes.len() as u64).all(|k| children.contains(&k) != roots.contains(&k)),
            "every node once"
        );
        for node in nodes {
            assert!(node["mesh"].as_u64().is_none_or(|mesh| (mesh as usize) < self.list("meshes").len()));
        }
        let animation = &self.document["animations"][0];
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let times = self.floats(&sampler["input"]);
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
            assert!(self.accessor(&sampler["input"])["max"].is_array());
            assert_eq!(self.accessor(&sampler["output"])["count"], times.len());
            assert!((channel["target"]["node"].as_u64().unwrap() as usize) < nodes.len());
        }
    }

    /// Times and values of what is animated of the body of a name.
    fn channel(&self, name: &str, path: &str) -> Option<(Vec<f32>, Vec<f32>)> {
        let node = self.list("nodes").iter().position(|node| node["name"] == name).unwrap();
        let animation = &self.document["animations"][0];
        let mut channels = animation["channels"].as_array().unwrap().iter();
        let channel = channels.find(|c| c["target"]["node"] == node && c["target"]["path"] == path)?;
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        Some((self.floats(&sampler["input"]), self.floats(&sampler["output"])))
    }
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().into_iter().flatten().map(|number| number.as_u64().unwrap()).collect()
}

#[test]
fn a_model_moves_as_the_recording_does() {
    let mut recording = recording(&scene(), Channels::default());
    let mut bytes = Vec::new();
    let summary =
        export::gltf::write(&mut recording, export::gltf::GltfOptions::default(), &mut bytes).unwrap();
    assert_eq!((summary.bodies, summary.frames, summary.meshes, summary.without_surface), (4, 6, 3, 0));
    let model = Model::read(&bytes);
    let times: Vec<f32> = (0..6).map(|k| (f64::from(k) / 60.0) as f32).collect();
    let (read_times, read) = model.channel("rod", "translation").unwrap();
    let wanted: Vec<f32> = (0..6).flat_map(|k| position(3, k)).map(|x| x as f32).collect();
    assert_eq!((read_times.as_slice(), read), (times.as_slice(), wanted));
    let (_, read) = model.channel("rod", "rotation").unwrap();
    let wanted: Vec<f32> = (0..6).flat_map(|k| rotation(3, k)).collect();
    assert!(read.iter().zip(wanted).all(|(read, wanted)| (read - wanted).abs() < 1e-6));
    for path in ["translation", "rotation", "scale"] {
        assert_eq!(model.channel("floor, \"wide\"", path), None, "the floor lies still");
    }
    let (read_times, sizes) = model.channel("twin", "scale").unwrap();
    assert_eq!(read_times, [times[0], times[2], times[4]]);
    assert_eq!(sizes, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(model.channel("twin", "translation").unwrap().0, times[2..4]);
    // The tile of 30 × 20 is there in its size.
    let tile = model.list("meshes").iter().find(|mesh| mesh["name"] == "tile").unwrap();
    let corners = model.floats(&tile["primitives"][0]["attributes"]["POSITION"]);
    assert_eq!(corners.iter().copied().fold(0.0, f32::max), 15.0);
}

#[test]
fn a_model_has_strides_turned_shapes_and_an_origin_of_its_own() {
    let mut turned = scene();
    let shape = &mut turned.bodies[3].shapes[0];
    shape.position = [0.0, 1.0, 0.0];
    shape.orientation = Orientation::EulerDegrees([0.0, 90.0, 0.0]);
    turned.bodies[1].look.visible = false;
    turned.bodies[2].shapes[0].kind = ShapeKind::Mesh { path: "elsewhere.obj".to_owned(), scale: 1.0 };
    let mut recording = recording(&turned, Channels::default());
    let mut bytes = Vec::new();
    let options = export::gltf::GltfOptions { stride: 4, origin: [3.0, 0.0, 0.0] };
    let summary = export::gltf::write(&mut recording, options, &mut bytes).unwrap();
    assert_eq!((summary.frames, summary.meshes, summary.without_surface), (2, 2, 1));
    let model = Model::read(&bytes);
    let (times, read) = model.channel("rod", "translation").unwrap();
    assert_eq!(times, [0.0, (4.0f64 / 60.0) as f32]);
    assert_eq!(read, [0.0, 0.0, 0.0, 0.0, 0.4f64 as f32, -1.2f64 as f32]);
    let turned = model.list("nodes").iter().find(|node| node["translation"][1] == 1.0).unwrap();
    assert!((turned["rotation"][1].as_f64().unwrap() - f64::from(HALF_ROOT)).abs() < 1e-6);
    assert!(turned["mesh"].is_u64());
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_table_holds_the_same_numbers() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.parquet");
    let mut recording = recording(&scene(), Channels { velocities: true, ..Channels::default() });
    let file = std::fs::File::create(&path).unwrap();
    assert_eq!(export::parquet::write(&mut recording, 1, file).unwrap(), 20);
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let mut rows = 0;
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let (frame, body) = (row.get_long(0).unwrap() as u32, row.get_int(3).unwrap() as u32);
        assert_eq!(row.get_string(4).unwrap(), &scene().bodies[body as usize].id);
        let read: [f64; 3] = std::array::from_fn(|k| row.get_double(5 + k).unwrap());
        assert_eq!(read, position(body, frame));
        let read: [f32; 4] = std::array::from_fn(|k| row.get_float(8 + k).unwrap());
        assert_eq!(read, rotation(body, frame));
        assert_eq!(row.get_float(13).unwrap(), 6.0);
        rows += 1;
    }
    assert_eq!(rows, 20);
}
