//! `carom resume`: a run goes on from a snapshot.

use std::fs;
use std::path::{Path, PathBuf};

use carom_core::input_file;
use carom_lab::folder::snapshot_step;
use carom_lab::session::saved::{Saved, SavedError};
use carom_lab::task::Task;

use crate::args::ResumeOptions;
use crate::commands::run::{RunOutputs, go_on, output_options};
use crate::failure::{Failure, Outcome, Verdict};
use crate::progress;
use crate::show::remark;

/// `carom resume`.
pub(crate) fn run(options: &ResumeOptions) -> Outcome {
    let path = snapshot(&options.from)?;
    let hint = "a snapshot is written by carom run SCENE --snapshot N into the folder of the run";
    let bytes = input_file::read(&path).map_err(|error| Failure::at(&path, error).with_hint(hint))?;
    let mut saved = Saved::read(&bytes).map_err(|error| match error {
        SavedError::Damaged(_) => Failure::at(&path, error).with_hint("an earlier snapshot may be whole"),
        _ => Failure::at(&path, error).with_hint(hint),
    })?;
    saved.task.frames = options.frames.or(saved.task.frames);
    let (task, steps) = (saved.task.clone(), saved.steps);
    let bar = progress::bar(steps, "going back", options.json);
    let session = saved.wake(|| bar.inc(1)).map_err(|error| Failure::at(&path, error))?;
    bar.finish_and_clear();
    if session.steps() + 1 >= session.frames() {
        return Err(Failure::new(format!(
            "{}: its run of {} frames is over",
            path.display(),
            session.frames()
        ))
        .with_hint("--frames N lets it go on longer"));
    }
    if !options.json {
        remark(&format!("going on after step {steps} of {}", path.display()));
    }
    let task = Task { frames: Some(session.frames()), ..task };
    let base = options.out.clone().unwrap_or_else(|| ".".into());
    let done = go_on(
        &task,
        session,
        &RunOutputs { base, options: output_options(&options.outputs)? },
        options.json,
    )?;
    done.show(options.json);
    Ok(Verdict::Good)
}

/// The file itself, or the latest snapshot of a folder.
fn snapshot(place: &Path) -> Result<PathBuf, Failure> {
    if !place.is_dir() {
        return Ok(place.to_path_buf());
    }
    let entries = fs::read_dir(place).map_err(|error| Failure::at(place, error))?;
    let latest =
        entries.filter_map(Result::ok).map(|entry| entry.path()).max_by_key(|path| snapshot_step(path));
    latest.filter(|path| snapshot_step(path).is_some()).ok_or_else(|| {
        Failure::new(format!("{}: there is no snapshot in this folder", place.display()))
            .with_hint("carom run SCENE --snapshot 100 writes one every 100 steps")
    })
}
