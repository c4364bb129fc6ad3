//! Writes a recording from a thread of its own, so that the simulation pays for a copy of each
//! frame and nothing else.
//!
//! Frames travel in buffers that go round: the simulation fills one, the thread packs it, writes a
//! chunk now and then, and gives the buffer back. There are only so many of them, so a slow disk
//! slows the simulation down and never fills the memory; once all have been used nothing is
//! allocated for a frame. An error of the thread ends it, and every later call says what it was.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::error::WriteError;
use super::frame::{Frame, Stamp};
use super::header::Header;
use super::limits::CHUNK_FRAMES;
use super::sink::{Sink, Summary};

/// How a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingOptions {
    /// Frames of a chunk at most, from 1 to 64. A reader decodes a chunk up to the frame it wants,
    /// and a run that is killed loses the chunk it was filling; the more frames, the smaller the
    /// file. Chunks of large frames are shorter.
    pub chunk_frames: u32,
    /// Frames that may be under way between simulation and disk, at least 1. A chunk of `box:10000`
    /// is 2 MB, and a disk that is busy takes 17 ms for it, five steps: with fewer buffers the
    /// simulation waits.
    pub buffers: usize,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self { chunk_frames: CHUNK_FRAMES, buffers: 8 }
    }
}

/// What travels to the thread.
enum Message {
    Frame(Box<Frame>),
    Name(String),
}

/// A recording being written. Dropping it ends the recording like [`Writer::finish`], but tells
/// nobody how it went.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    /// Without names and scene.
    header: Header,
    /// Bodies that have names.
    bodies: usize,
    frames: u64,
    /// Closed at the end, which is what ends the thread.
    messages: Option<SyncSender<Message>>,
    /// Empty buffers on their way back.
    empties: Receiver<Box<Frame>>,
    /// An empty buffer that never left.
    spare: Option<Box<Frame>>,
    thread: Option<JoinHandle<io::Result<Summary>>>,
    /// What the thread left behind once it ended.
    outcome: Option<Result<Summary, WriteError>>,
}

impl Writer {
    /// Makes a file, or empties it, and begins a recording in it.
    ///
    /// # Errors
    /// If the header is impossible or the file cannot be made.
    pub fn create(path: &Path, header: &Header, options: RecordingOptions) -> Result<Self, WriteError> {
        check(header)?;
        let file = File::create(path)
            .map_err(|source| WriteError::Io { path: path.to_path_buf(), source: Arc::new(source) })?;
        Self::to(file, path, header, options)
    }

    /// Begins a recording in anything that takes bytes; `path` is what errors call it.
    ///
    /// # Errors
    /// If the header is impossible or cannot be written.
    pub fn to(
        file: impl Write + Send + 'static,
        path: &Path,
        header: &Header,
        options: RecordingOptions,
    ) -> Result<Self, WriteError> {
        check(header)?;
        let failed = |source| WriteError::Io { path: path.to_path_buf(), source: Arc::new(source) };
        let sink = Sink::new(file, header, options.chunk_frames).map_err(failed)?;
        let buffers = options.buffers.max(1);
        let (messages, inbox) = sync_channel(buffers);
        let (give_back, empties) = sync_channel(buffers);
        for _ in 0..buffers {
            // There is room for all of them.
            let _ = give_back.try_send(Box::<Frame>::default());
        }
        let thread = std::thread::Builder::new()
            .name("recording".to_owned())
            .spawn(move || run(sink, &inbox, &give_back))
            .map_err(failed)?;
        Ok(Self {
            path: path.to_path_buf(),
            header: Header { names: Vec::new(), scene: Vec::new(), about: String::new(), ..header.clone() },
            bodies: header.names.len(),
            frames: 0,
            messages: Some(messages),
            empties,
            spare: None,
            thread: Some(thread),
            outcome: None,
        })
    }

    /// Frames taken in so far.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Names a body that was not in the header and gives the number it has from now on.
    ///
    /// # Errors
    /// If there are 2³² − 1 already, or the thread has failed.
    pub fn name_body(&mut self, name: impl Into<String>) -> Result<u32, WriteError> {
        let number = u32::try_from(self.bodies).ok().filter(|number| *number != super::NO_BODY);
        let number = number.ok_or(WriteError::TooLarge { what: "number of bodies" })?;
        self.send(Message::Name(name.into()))?;
        self.bodies += 1;
        Ok(number)
    }

    /// Records a frame: `fill` adds bodies, contacts and events to it. Waits while the disk is
    /// behind.
    ///
    /// # Errors
    /// If what was filled in does not fit the header (nothing is recorded then, and the recording
    /// goes on), or the thread has failed.
    pub fn frame(&mut self, stamp: Stamp, fill: impl FnOnce(&mut Frame)) -> Result<(), WriteError> {
        let mut frame = match self.spare.take() {
            Some(frame) => frame,
            None => match self.empties.recv() {
                Ok(frame) => frame,
                Err(_) => return Err(self.failure()),
            },
        };
        frame.clear();
        frame.stamp = stamp;
        fill(&mut frame);
        frame.stamp = stamp;
        if let Some(fault) = frame.fault(&self.header, self.bodies) {
            self.spare = Some(frame);
            return Err(WriteError::Frame { frame: self.frames, fault });
        }
        self.send(Message::Frame(frame))?;
        self.frames += 1;
        Ok(())
    }

    /// Ends the recording: waits until all of it, and its index, are written.
    ///
    /// # Errors
    /// If the disk says no, now or at any time before.
    pub fn finish(mut self) -> Result<Summary, WriteError> {
        self.end()
    }

    fn send(&mut self, message: Message) -> Result<(), WriteError> {
        let is_sent = self.messages.as_ref().is_some_and(|messages| messages.send(message).is_ok());
        if is_sent { Ok(()) } else { Err(self.failure()) }
    }

    /// The thread does not answer: why.
    fn failure(&mut self) -> WriteError {
        match self.end() {
            Err(error) => error,
            // It ends with success only when it is told to.
            Ok(_) => WriteError::Thread { path: self.path.clone() },
        }
    }

    /// Ends the thread, if it has not ended, and says how it went, as often as it is asked.
    fn end(&mut self) -> Result<Summary, WriteError> {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            let path = self.path.clone();
            self.outcome = Some(match thread.join() {
                Ok(Ok(summary)) => Ok(summary),
                Ok(Err(source)) => Err(WriteError::Io { path, source: Arc::new(source) }),
                Err(_) => Err(WriteError::Thread { path }),
            });
        }
        self.outcome.clone().unwrap_or_else(|| Err(WriteError::Thread { path: self.path.clone() }))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Whoever wants to know how it went calls `finish`.
        let _ = self.end();
    }
}

/// What the thread does until there are no more messages.
fn run<W: Write>(
    mut sink: Sink<W>,
    inbox: &Receiver<Message>,
    give_back: &SyncSender<Box<Frame>>,
) -> io::Result<Summary> {
    while let Ok(message) = inbox.recv() {
        match message {
            Message::Frame(frame) => {
                sink.frame(&frame)?;
                // Nobody wants it back at the end.
                let _ = give_back.try_send(frame);
            }
            Message::Name(name) => sink.name(name),
        }
    }
    sink.finish()
}

fn check(header: &Header) -> Result<(), WriteError> {
    if let Some((name, value, hint)) = header.precision.fault() {
        return Err(WriteError::Precision { name, value, hint });
    }
    let is_countable = |length: usize| u32::try_from(length).is_ok_and(|length| length != u32::MAX);
    let names = header.names.iter().map(String::len).sum::<usize>();
    let parts = [
        ("scene", header.scene.len()),
        ("text", header.about.len()),
        ("names", names),
        ("names", header.names.len()),
    ];
    match parts.into_iter().find(|(_, length)| !is_countable(*length)) {
        Some((what, _)) => Err(WriteError::TooLarge { what }),
        None => Ok(()),
    }
}
