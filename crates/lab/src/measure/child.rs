//! A run in a process of its own.
//!
//! The process is our own program with the hidden command `measure`: a [`Task`] as JSON on its
//! standard input, a [`Sample`] as JSON on its standard output. Whatever else it does — crash,
//! print nonsense, never end — becomes a [`Failed`] with what is known about it.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Conditions;
use super::sample::{Failed, Measured, Sample};
use crate::task::Task;

/// A process ends itself when its budget is used up, but only between steps. After twice the budget
/// and this it is ended.
const GRACE: Duration = Duration::from_secs(10);
/// How often it is asked whether all shall end. Half a second: a look costs microseconds, which no
/// figure shows.
const GLANCE: Duration = Duration::from_millis(500);
/// Most characters kept of what a process said before it failed.
const SAID: usize = 2000;

/// Measures a task in a process of its own; `program` knows the command `measure`. The process is
/// ended when `is_over` says so.
#[must_use]
pub fn isolated(
    program: &Path,
    task: &Task,
    conditions: &Conditions,
    is_over: &dyn Fn() -> bool,
) -> Measured {
    let limit = conditions.budget.map(|budget| budget.saturating_mul(2).saturating_add(GRACE));
    match attempt(program, task, conditions, limit, is_over) {
        Ok(sample) => Measured::Done(sample),
        Err(reason) => Measured::Failed(Box::new(Failed { task: task.clone(), reason, ..Failed::default() })),
    }
}

/// Words after the program's name.
fn arguments(conditions: &Conditions) -> Vec<String> {
    let mut words = vec!["measure".to_owned(), "--warmup".to_owned(), conditions.warmup.to_string()];
    if let Some(budget) = conditions.budget {
        words.extend(["--budget".to_owned(), budget.as_secs_f64().to_string()]);
    }
    if let Some(pin) = conditions.pin {
        words.extend(["--pin".to_owned(), pin.to_string()]);
    }
    words
}

fn attempt(
    program: &Path,
    task: &Task,
    conditions: &Conditions,
    limit: Option<Duration>,
    is_over: &dyn Fn() -> bool,
) -> Result<Box<Sample>, String> {
    let request = serde_json::to_vec(task).map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(arguments(conditions))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    let heard = listen(&mut child, &request, limit, is_over);
    // A process that has closed its output has ended or is about to; one that was stopped is waited
    // for too, so that none is left.
    let status = child.wait().map_err(|error| format!("the process was lost: {error}"))?;
    let (answer, said) = match heard {
        Heard::Everything { answer, said } => (answer, said),
        Heard::Nothing { seconds } => {
            return Err(format!("no answer after {seconds:.0} s; the process was stopped"));
        }
    };
    if !status.success() {
        return Err(with_words(ended(status), &said));
    }
    serde_json::from_slice(&answer)
        .map(Box::new)
        .map_err(|error| with_words(format!("its answer is no sample: {error}"), &said))
}

/// What came from a process.
enum Heard {
    Everything {
        answer: Vec<u8>,
        said: String,
    },
    /// It was stopped after so long.
    Nothing {
        seconds: f64,
    },
}

/// Hands over the request and listens to both outputs until they are closed, the time is up or
/// `is_over` says so.
fn listen(child: &mut Child, request: &[u8], limit: Option<Duration>, is_over: &dyn Fn() -> bool) -> Heard {
    if let Some(mut input) = child.stdin.take() {
        // A process that died early does not read; its status says why.
        let _ = input.write_all(request);
    }
    let (sender, answers) = channel();
    let output = child.stdout.take();
    let errors = child.stderr.take();
    let reader = thread::spawn(move || {
        let _ = sender.send(everything(output));
    });
    let listener = thread::spawn(move || everything(errors));
    let start = Instant::now();
    let answer = loop {
        let left = limit.map_or(GLANCE, |limit| limit.saturating_sub(start.elapsed()).min(GLANCE));
        match answers.recv_timeout(left) {
            Err(RecvTimeoutError::Timeout)
                if is_over() || limit.is_some_and(|limit| start.elapsed() >= limit) =>
            {
                let _ = child.kill();
                // Its own children may hold the pipes open: the threads that read from them end by
                // themselves later.
                return Heard::Nothing { seconds: start.elapsed().as_secs_f64() };
            }
            Err(RecvTimeoutError::Timeout) => {}
            other => break other.unwrap_or_default(),
        }
    };
    let _ = reader.join();
    let said = listener.join().unwrap_or_default();
    Heard::Everything { answer, said: String::from_utf8_lossy(&said).into_owned() }
}

fn everything(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        let _ = stream.read_to_end(&mut bytes);
    }
    bytes
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("the process ended with status {code}"),
        None => format!("the process crashed ({status})"),
    }
}

/// A reason with the end of what the process said.
fn with_words(reason: String, said: &str) -> String {
    let said = said.trim();
    let skipped = said.chars().count().saturating_sub(SAID);
    let last: String = said.chars().skip(skipped).collect();
    if last.is_empty() { reason } else { format!("{reason}: {last}") }
}
