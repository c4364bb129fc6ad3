//! Reads a `scene.dat`, one frame at a time.

use std::io::{self, Read, Seek, SeekFrom};

use super::{HEADER_BYTES, Layout, OBJECT_BYTES, Object, Pose};

/// Why a recording could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SceneDatReadError {
    /// Shorter than a header.
    #[error("{bytes} bytes are too short for a scene.dat, whose header alone has 12")]
    TooShort {
        /// Length of the file.
        bytes: u64,
    },
    /// The length contradicts the counts.
    #[error(
        "not a scene.dat: its header claims {objects} objects × {frames} frames, {expected}, but the file has {bytes} bytes"
    )]
    WrongLength {
        /// Objects claimed.
        objects: u32,
        /// Frames claimed.
        frames: u32,
        /// Length that would need, in words.
        expected: String,
        /// Length of the file.
        bytes: u64,
    },
    /// A type that does not exist.
    #[error("object {object}: type {kind} is unknown (0 ball, 1 capsule, 2 tile, 3 rocket)")]
    UnknownType {
        /// Object, from 0.
        object: u32,
        /// Type byte.
        kind: u8,
    },
    /// A frame that does not exist.
    #[error("there is no frame {frame}, the recording has {frames}")]
    NoFrame {
        /// Frame asked for.
        frame: u32,
        /// Frames there are.
        frames: u32,
    },
    /// A pose no body can have.
    #[error("object {object}, frame {frame}: the pose is not finite")]
    NotFinite {
        /// Object, from 0.
        object: u64,
        /// Frame, from 0.
        frame: u32,
    },
    /// The disk says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An open recording.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    layout: Layout,
    frames: u32,
    fps: u32,
    objects: Vec<Object>,
}

impl<R: Read + Seek> Reader<R> {
    /// Opens a recording: checks its length against its counts, then reads the objects.
    ///
    /// # Errors
    /// If it is no `scene.dat`.
    pub fn open(mut source: R) -> Result<Self, SceneDatReadError> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes < HEADER_BYTES {
            return Err(SceneDatReadError::TooShort { bytes });
        }
        source.seek(SeekFrom::Start(0))?;
        let mut head = [0; 12];
        source.read_exact(&mut head)?;
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (count, frames, fps) = (word(0), word(4), word(8));
        let layout = Layout { objects: u64::from(count), frames: u64::from(frames) };
        let expected = layout.file_bytes();
        if expected != Some(bytes) {
            let expected = expected
                .map_or_else(|| "more than any file".to_owned(), |expected| format!("{expected} bytes"));
            return Err(SceneDatReadError::WrongLength { objects: count, frames, expected, bytes });
        }
        // The length has been checked, so the count cannot exceed what the file really holds.
        let mut objects = Vec::with_capacity(count as usize);
        let mut source = io::BufReader::new(source);
        for object in 0..count {
            let mut record = [0; OBJECT_BYTES as usize];
            source.read_exact(&mut record)?;
            let read = Object::from_bytes(&record)
                .map_err(|kind| SceneDatReadError::UnknownType { object, kind })?;
            objects.push(read);
        }
        Ok(Self { source: source.into_inner(), layout, frames, fps, objects })
    }

    /// Objects.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Number of frames; frame 0 is the scene as loaded.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Frames per second.
    #[must_use]
    pub fn fps(&self) -> u32 {
        self.fps
    }

    /// The poses of all objects in a frame.
    ///
    /// # Errors
    /// If there is no such frame, a pose is not finite, or the disk says no.
    pub fn frame(&mut self, frame: u32) -> Result<Vec<Pose>, SceneDatReadError> {
        if frame >= self.frames {
            return Err(SceneDatReadError::NoFrame { frame, frames: self.frames });
        }
        let mut poses = Vec::with_capacity(self.objects.len());
        for object in 0..self.layout.objects {
            let position = self.floats(self.layout.position_at(object, u64::from(frame)))?;
            let rotation = self.floats(self.layout.rotation_at(object, u64::from(frame)))?;
            if !position.iter().chain(&rotation).all(|x: &f32| x.is_finite()) {
                return Err(SceneDatReadError::NotFinite { object, frame });
            }
            poses.push(Pose { position, rotation });
        }
        Ok(poses)
    }

    fn floats<const N: usize>(&mut self, at: u64) -> io::Result<[f32; N]> {
        self.source.seek(SeekFrom::Start(at))?;
        let mut floats = [0.0; N];
        for float in &mut floats {
            let mut bytes = [0; 4];
            self.source.read_exact(&mut bytes)?;
            *float = f32::from_le_bytes(bytes);
        }
        Ok(floats)
    }
}
