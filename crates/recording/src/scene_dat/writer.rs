//! Writes a `scene.dat` frame by frame.
//!
//! The format wants all frames of an object together, a run brings all objects of a frame together.
//! So frames are held until a buffer is full and then written as one run per object; memory stays
//! bounded whatever the length of the run. A run that ends early is moved together, so that the
//! file always has the exact length the format demands.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Layout, Object, POSITION_BYTES, Pose, ROTATION_BYTES, floats_to_bytes};

/// Bytes of poses held back at most.
const BUFFER_BYTES: usize = 64 << 20;

/// Why a recording could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format has no form for a body.
    #[error(
        "body '{id}': scene.dat knows spheres, capsules and tiles only, one of them per body and centred"
    )]
    NoForm {
        /// Body.
        id: String,
    },
    /// The counts do not fit the format.
    #[error("{objects} objects × {frames} frames do not fit a scene.dat")]
    TooLarge {
        /// Objects.
        objects: usize,
        /// Frames.
        frames: u32,
    },
    /// More frames than announced, or a frame with another number of objects.
    #[error("frame {frame}: {got} poses, expected {expected}; {frames} frames were announced")]
    WrongFrame {
        /// Frame, from 0.
        frame: u32,
        /// Poses given.
        got: usize,
        /// Poses expected.
        expected: usize,
        /// Frames announced.
        frames: u32,
    },
    /// The disk says no.
    #[error("{path}: {source}")]
    Io {
        /// File.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
}

/// A recording being written.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    layout: Layout,
    frames: u32,
    written: u32,
    /// Poses of complete frames not yet written, frame by frame.
    held: Vec<Pose>,
}

impl Writer {
    /// Starts a recording of at most `frames` frames.
    ///
    /// # Errors
    /// If the counts do not fit the format or the file cannot be made.
    pub fn create(path: &Path, objects: &[Object], frames: u32, fps: u32) -> Result<Self, WriteError> {
        let layout = Layout { objects: objects.len() as u64, frames: u64::from(frames) };
        let too_large = || WriteError::TooLarge { objects: objects.len(), frames };
        let bytes = layout.file_bytes().ok_or_else(too_large)?;
        let count = u32::try_from(objects.len()).map_err(|_| too_large())?;
        let io_error = |source| WriteError::Io { path: path.to_path_buf(), source };
        let mut file = File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(path)
            .map_err(io_error)?;
        // The full length at once, so that runs of objects can be written in any order. Most file
        // systems leave holes, so this promises no room: a disk that fills up is noticed when the
        // poses are written.
        file.set_len(bytes).map_err(io_error)?;
        let mut head = Vec::with_capacity(12 + 16 * objects.len());
        [count, frames, fps].iter().for_each(|n| head.extend(n.to_le_bytes()));
        objects.iter().for_each(|object| head.extend(object.to_bytes()));
        file.write_all(&head).map_err(io_error)?;
        Ok(Self { file, path: path.to_path_buf(), layout, frames, written: 0, held: Vec::new() })
    }

    /// Frames taken in so far.
    #[must_use]
    pub fn frames(&self) -> u32 {
        let held = self.held.len().checked_div(self.layout.objects as usize).unwrap_or(0);
        self.written + held as u32
    }

    /// Takes in the next frame, one pose per object.
    ///
    /// # Errors
    /// If the number of poses or frames is wrong, or the disk says no.
    pub fn push(&mut self, poses: impl ExactSizeIterator<Item = Pose>) -> Result<(), WriteError> {
        let frame = self.frames();
        if poses.len() as u64 != self.layout.objects || frame >= self.frames {
            return Err(WriteError::WrongFrame {
                frame,
                got: poses.len(),
                expected: self.layout.objects as usize,
                frames: self.frames,
            });
        }
        if self.layout.objects == 0 {
            self.written += 1;
            return Ok(());
        }
        self.held.extend(poses);
        if self.held.len() * size_of::<Pose>() >= BUFFER_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Ends the recording: writes what is held and, if fewer frames came than announced, shortens
    /// the file to them. Returns the number of frames.
    ///
    /// # Errors
    /// If the disk says no.
    pub fn finish(mut self) -> Result<u32, WriteError> {
        self.flush()?;
        if self.written < self.frames {
            self.shorten().map_err(|source| WriteError::Io { path: self.path.clone(), source })?;
        }
        Ok(self.written)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        self.write_held().map_err(|source| WriteError::Io { path: self.path.clone(), source })
    }

    fn write_held(&mut self) -> io::Result<()> {
        let objects = self.layout.objects as usize;
        if self.held.is_empty() {
            return Ok(());
        }
        self.write_runs(Layout::position_at, |pose| &pose.position)?;
        self.write_runs(Layout::rotation_at, |pose| &pose.rotation)?;
        self.written += (self.held.len() / objects) as u32;
        self.held.clear();
        Ok(())
    }

    /// Writes one part of the held poses, a run per object.
    fn write_runs(
        &mut self,
        place: fn(Layout, u64, u64) -> u64,
        part: fn(&Pose) -> &[f32],
    ) -> io::Result<()> {
        let objects = self.layout.objects as usize;
        let mut bytes = Vec::new();
        for object in 0..objects {
            bytes.clear();
            self.held
                .iter()
                .skip(object)
                .step_by(objects)
                .for_each(|pose| floats_to_bytes(part(pose), &mut bytes));
            self.write_at(place(self.layout, object as u64, u64::from(self.written)), &bytes)?;
        }
        Ok(())
    }

    /// Moves the runs of all objects together for fewer frames. Every run moves towards the start
    /// of the file and none overtakes another, so the file itself is the buffer.
    fn shorten(&mut self) -> io::Result<()> {
        let (old, new) = (self.layout, Layout { frames: u64::from(self.written), ..self.layout });
        for object in 0..old.objects {
            self.move_run(
                old.position_at(object, 0),
                new.position_at(object, 0),
                new.frames * POSITION_BYTES,
            )?;
        }
        for object in 0..old.objects {
            self.move_run(
                old.rotation_at(object, 0),
                new.rotation_at(object, 0),
                new.frames * ROTATION_BYTES,
            )?;
        }
        self.write_at(4, &self.written.to_le_bytes())?;
        // Smaller than the announced length, which existed.
        self.file.set_len(new.file_bytes().unwrap_or(0))
    }

    fn move_run(&mut self, from: u64, to: u64, length: u64) -> io::Result<()> {
        let mut bytes = vec![0; length as usize];
        self.file.seek(SeekFrom::Start(from))?;
        self.file.read_exact(&mut bytes)?;
        self.write_at(to, &bytes)
    }

    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)
    }
}
