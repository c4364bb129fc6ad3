//! `carom run`: one simulation, with logs and recordings if asked.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use carom_lab::folder::track::Recorded;
use carom_lab::folder::{FolderError, OutputOptions, RunFolder};
use carom_lab::session::Session;
use carom_lab::task::{Prepared, Task};
use carom_recording::track::Channels;
use carom_sim::{RunMetrics, StepMetrics};

use crate::args::{Outputs, RunOptions};
use crate::failure::{Failure, Outcome, Verdict};
use crate::interrupt;
use crate::progress;
use crate::show::{line, remark};
use crate::source::{Configuration, load_scene, prepared, task, tell_rules};
use crate::summary::Summary;

/// `carom run`.
pub(crate) fn run(options: &RunOptions, config: Option<&Path>) -> Outcome {
    let config = config.map(Configuration::read).transpose()?;
    run_configured(options, config.as_ref())
}

/// The same with a configuration that has been read.
pub(crate) fn run_configured(options: &RunOptions, config: Option<&Configuration>) -> Outcome {
    let source = match (&options.scene, config) {
        (Some(scene), _) => scene.clone(),
        (None, Some(config)) => config.scene_path(&config.settings.scene_file_name)?,
        (None, None) => {
            return Err(Failure::new("no scene given").with_hint("carom run box:1000, or carom list scenes"));
        }
    };
    let simulation = &options.simulation;
    let task = task(&source, simulation, options.broad, options.threads.unwrap_or(1), config)?;
    let scene = load_scene(&source, simulation.seed)?;
    tell_rules(&source, &scene, simulation, config);
    let ready = prepared(&task, scene)?;
    let mut files = output_options(&options.outputs)?;
    files.log |= config.is_some_and(|c| c.settings.log);
    files.scene_dat |= config.is_some_and(|c| c.settings.record_scene);
    if config.is_some_and(|c| c.settings.record_video) {
        remark(
            "note: RECORD_VIDEO=true: this version films nothing; RECORD_SCENE=true keeps everything that a film would show",
        );
    }
    let base = simulation.out.clone().or_else(|| config.map(|c| c.folder.clone()));
    let outputs = RunOutputs { base: base.unwrap_or_else(|| ".".into()), options: files };
    let done = simulate(&task, &ready, &outputs, simulation.json)?;
    done.show(simulation.json);
    Ok(Verdict::Good)
}

/// What the options say a run shall write.
pub(crate) fn output_options(outputs: &Outputs) -> Result<OutputOptions, Failure> {
    if let Some(step) = outputs.quantise.filter(|step| !(1e-5..=0.5).contains(step)) {
        return Err(Failure::new(format!("--quantise {step}: expected 0.00001 to 0.5"))
            .with_hint("metres, and radians for turns: --quantise 0.001 rounds to a millimetre"));
    }
    if outputs.record.as_deref() == Some("dat") && (outputs.quantise.is_some() || !outputs.with.is_empty()) {
        return Err(Failure::new(
            "--with and --quantise are about recording.crec, and --record=dat writes none",
        )
        .with_hint("--record, or --record=both"));
    }
    let asks = |what: &str| outputs.with.iter().any(|word| word == what || word == "all");
    let channels =
        Channels { velocities: asks("velocities"), contacts: asks("contacts"), events: asks("events") };
    let format = outputs.record.as_deref();
    let recorded = Recorded { channels, quantise: outputs.quantise };
    Ok(OutputOptions {
        log: outputs.log,
        scene_dat: matches!(format, Some("dat" | "both")),
        recording: matches!(format, Some("crec" | "both")).then_some(recorded),
        snapshot_every: outputs.snapshot,
    })
}

/// What a run shall leave behind, and where.
pub(crate) struct RunOutputs {
    pub(crate) base: PathBuf,
    pub(crate) options: OutputOptions,
}

/// A run that is over.
pub(crate) struct FinishedRun {
    pub(crate) session: Session,
    pub(crate) metrics: RunMetrics,
    /// Where its files are.
    pub(crate) folder: Option<PathBuf>,
}

/// Steps a scene with a progress bar, feeding its files.
pub(crate) fn simulate(
    task: &Task,
    ready: &Prepared,
    outputs: &RunOutputs,
    quiet: bool,
) -> Result<FinishedRun, Failure> {
    go_on(task, ready.session()?, outputs, quiet)
}

/// The same with a session that has begun.
pub(crate) fn go_on(
    task: &Task,
    mut session: Session,
    outputs: &RunOutputs,
    quiet: bool,
) -> Result<FinishedRun, Failure> {
    interrupt::watch();
    let mut folder = if outputs.options.is_nothing() {
        None
    } else {
        let command = std::env::args().collect();
        Some(RunFolder::create(&outputs.base, task, &session, command, outputs.options)?)
    };
    let bar = progress::bar(session.frames() - 1 - session.steps(), &session.scene().name, quiet);
    let mut failure: Option<FolderError> = None;
    let metrics = session.run(&mut [&mut |session: &Session, step: &StepMetrics| {
        bar.inc(1);
        let written = folder.as_mut().map_or(Ok(()), |folder| folder.step(session, step));
        match written {
            Ok(()) if interrupt::is_interrupted() => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }]);
    bar.finish_and_clear();
    // Files are ended whatever happened, so that all that was written can be read.
    let ended = folder.map(|folder| folder.finish(&session)).transpose();
    let metrics = metrics?;
    if let Some(error) = failure {
        return Err(Failure::from(error));
    }
    Ok(FinishedRun { session, metrics, folder: ended? })
}

impl FinishedRun {
    /// Tables, or one line of JSON.
    pub(crate) fn show(&self, json: bool) {
        let summary = Summary { session: &self.session, metrics: &self.metrics };
        summary.report_quarantine();
        if self.metrics.interrupted {
            let last = self.session.frames() - 1;
            remark(&format!("interrupted after {} of {last} steps; all files are whole", self.metrics.steps));
        }
        if json {
            let mut value = summary.json();
            value["folder"] = self.folder.as_ref().map(|folder| folder.display().to_string()).into();
            line(value.to_string());
            return;
        }
        line(summary.headline());
        line(summary.stage_table());
        line(summary.count_table());
        line(summary.activity_line());
        if let Some(joints) = summary.joints_line() {
            line(joints);
        }
        line(summary.times_line());
        line(format!("state hash {:016x}", self.metrics.state_hash));
        line(match &self.folder {
            Some(folder) => format!("written to {}", folder.display()),
            None => "no files were written; --log, --record and --snapshot write some".to_owned(),
        });
    }
}
