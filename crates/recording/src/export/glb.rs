//! The binary form of glTF 2.0: one buffer with everything in it, described by JSON, both in one
//! file.

use std::io::Write;

use serde_json::{Value, json};

use super::ExportError;

/// Numbers of the format.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const MAGIC: u32 = 0x4654_6C67;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// A buffer being filled, with what describes its parts.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds vectors of `N` floats and gives the number of their accessor. Bounds are wanted of
    /// positions and times.
    pub(super) fn add_floats<const N: usize>(&mut self, vectors: &[[f32; N]], with_bounds: bool) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let view = self.add_view(vectors.iter().flatten().flat_map(|x| x.to_le_bytes()));
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "count": vectors.len(), "type": kind,
        });
        if with_bounds {
            let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                let of = |k: usize| vectors.iter().map(|vector| vector[k]).reduce(pick).unwrap_or(0.0);
                (0..N).map(of).collect()
            };
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds triangles and gives the number of the accessor of their corners.
    pub(super) fn add_triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let view = self.add_view(triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()));
        self.accessors.push(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": 3 * triangles.len(), "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    /// All parts are of 4-byte numbers, so every part begins where the format wants it.
    fn add_view(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let length = self.bytes.len() - start;
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.views.len() - 1
    }

    /// Writes the file: `document` is everything but the buffer.
    pub(super) fn write(self, mut document: Value, mut out: impl Write) -> Result<(), ExportError> {
        if !self.bytes.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
            document["bufferViews"] = Value::Array(self.views);
            document["accessors"] = Value::Array(self.accessors);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        // A model without numbers has no second chunk.
        let binary_head = if self.bytes.is_empty() { 0 } else { 8 };
        let total = 12 + 8 + text.len() + binary_head + self.bytes.len();
        let total = u32::try_from(total).map_err(|_| ExportError::TooLarge { what: "a .glb file" })?;
        for word in [MAGIC, 2, total, text.len() as u32, JSON_CHUNK] {
            out.write_all(&word.to_le_bytes())?;
        }
        out.write_all(&text)?;
        if !self.bytes.is_empty() {
            for word in [self.bytes.len() as u32, BINARY_CHUNK] {
                out.write_all(&word.to_le_bytes())?;
            }
        }
        out.write_all(&self.bytes)?;
        Ok(out.flush()?)
    }
}
