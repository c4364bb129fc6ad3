//! Fingsics' studies, with its parameters, on its rules and on ours.
//!
//! Each is a plan with a page of its own: it is run, interrupted, shared between machines and
//! reported like any other study ([`crate::study`]), and ends with checks that can fail. `quick`
//! keeps the question and makes it small.
//!
//! | module | asks |
//! |---|---|
//! | [`e1`] | how the broad phases grow with the number of bodies |
//! | [`e2`] | when a second test by oriented boxes pays off: elongated bodies |
//! | [`e3`] | where the time of a frame goes |
//! | [`e4`] | how many bodies fit into a sixtieth of a second |
//! | [`replay`] | what showing a recorded frame takes |

pub mod e1;
pub mod e2;
pub mod e3;
pub mod e4;
pub mod replay;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use carom_report::{Cell, Report, Section, Table};

use crate::study::Study;
use crate::study::journal::StudyFile;
use crate::study::page;
use crate::study::plan::Plan;
use crate::task::Task;
use replay::Replayed;

/// Frames of every experiment of Fingsics.
const FRAMES: u64 = 600;
/// Its repetitions.
const RUNS: u32 = 3;
/// Milliseconds of a frame at 60 per second.
pub const FRAME_MS: f64 = 1000.0 / 60.0;

/// A study of Fingsics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Experiment {
    /// Broad phases and the number of bodies.
    E1,
    /// Elongated bodies.
    E2,
    /// Where the time of a frame goes.
    E3,
    /// Bodies at 60 frames per second.
    E4,
}

/// How it is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Small enough for a look.
    pub quick: bool,
    /// Folder with scenes of Fingsics.
    pub data: Option<PathBuf>,
    /// Runs of each task.
    pub runs: Option<u32>,
}

/// Something that must be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What must be so.
    pub what: String,
    /// Is it?
    pub passed: bool,
    /// What was found.
    pub found: String,
}

/// What an experiment found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The page.
    pub report: Report,
    /// What must be so.
    pub checks: Vec<Check>,
    /// The outcome in a few lines for the terminal.
    pub lines: Vec<String>,
}

/// There is no such experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no experiment '{0}': e1, e2, e3, e4 (e5, against Bullet, needs its engine and comes later)"
)]
pub struct UnknownExperiment(String);

impl Experiment {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::E1, Self::E2, Self::E3, Self::E4];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::E1 => "e1",
            Self::E2 => "e2",
            Self::E3 => "e3",
            Self::E4 => "e4",
        }
    }

    /// What it asks.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::E1 => {
                "How the broad phases grow with the number of bodies: checks, times of the stages, whole steps."
            }
            Self::E2 => "When a second test by oriented boxes pays off: capsules from 1:1 to 16:1.",
            Self::E3 => "Where the time of a frame of ten thousand bodies goes, simulated and replayed.",
            Self::E4 => "How many bodies can be simulated and replayed at 60 frames per second.",
        }
    }

    /// What is measured.
    #[must_use]
    pub fn plan(self, asked: &Asked) -> Plan {
        let suffix = if asked.quick { "-quick" } else { "" };
        let mut plan = Plan::new(&format!("{}{suffix}", self.name()), self.about());
        plan.runs = RUNS;
        match self {
            Self::E1 => e1::fill(&mut plan, asked),
            Self::E2 => e2::fill(&mut plan, asked),
            Self::E3 => e3::fill(&mut plan, asked),
            Self::E4 => e4::fill(&mut plan, asked),
        }
        plan.runs = asked.runs.unwrap_or(plan.runs);
        plan
    }

    /// What is recorded and replayed beside the plan.
    #[must_use]
    pub fn replays(self, quick: bool) -> Vec<Task> {
        match self {
            Self::E1 | Self::E2 => Vec::new(),
            Self::E3 => e3::replays(quick),
            Self::E4 => e4::replays(quick),
        }
    }

    /// What was found.
    #[must_use]
    pub fn findings(self, study: &Study, file: &StudyFile, replayed: &[Replayed]) -> Findings {
        let title = format!("Experiment {}", self.name().to_uppercase());
        let report = page::head(study, file, &title);
        let mut findings = Findings { report, checks: Vec::new(), lines: Vec::new() };
        match self {
            Self::E1 => e1::find(study, &mut findings),
            Self::E2 => e2::find(study, &mut findings),
            Self::E3 => e3::find(study, replayed, &mut findings),
            Self::E4 => e4::find(study, replayed, &mut findings),
        }
        findings.check_results(study);
        findings.end(study)
    }
}

impl Findings {
    /// Of a study that is no experiment: its page, and that its rows computed the same.
    #[must_use]
    pub fn of_study(study: &Study, report: Report) -> Self {
        let mut findings = Self { report, checks: Vec::new(), lines: Vec::new() };
        findings.check_results(study);
        findings
    }

    fn section(&mut self, section: Section) {
        self.report.sections.push(section);
    }

    /// A line for the terminal that is also in the summary of the page.
    fn line(&mut self, line: String) {
        self.report.summary.push(format!("{}.", line.trim_end_matches('.')));
        self.lines.push(line);
    }

    fn check(&mut self, what: impl Into<String>, passed: bool, found: impl Into<String>) {
        self.checks.push(Check { what: what.into(), passed, found: found.into() });
    }

    /// All rows of a group computed the same, and none failed.
    fn check_results(&mut self, study: &Study) {
        let differences: Vec<String> = study
            .groups
            .iter()
            .flat_map(|group| {
                group.comparison.differences().into_iter().map(move |d| format!("{}: {d}", group.name()))
            })
            .collect();
        let found =
            differences.first().cloned().unwrap_or_else(|| format!("{} groups agree", study.groups.len()));
        self.check(
            "rows of one scene have the same contacts in every step and the same final state",
            differences.is_empty(),
            found,
        );
        let rows = || study.groups.iter().flat_map(|group| &group.comparison.rows);
        let failed = rows().find_map(|row| Some(format!("{}: {}", row.label, row.failed()?.reason)));
        let found = failed
            .clone()
            .unwrap_or_else(|| format!("{} runs", rows().map(|row| row.samples().count()).sum::<usize>()));
        self.check("no run failed", failed.is_none(), found);
    }

    /// The checks as a table, then what every study ends with.
    fn end(mut self, study: &Study) -> Self {
        let mut table = Table::new("checks", "What must be so, whatever the machine.")
            .column("check", "")
            .column("holds", "")
            .column("found", "");
        for check in &self.checks {
            let holds = if check.passed { "yes" } else { "NO" };
            table = table.row([
                Cell::Text(check.what.clone()),
                Cell::from(holds),
                Cell::Text(check.found.clone()),
            ]);
        }
        self.section(Section::new("Checks").block(table));
        let groups: Vec<_> = study.groups.iter().collect();
        self.section(Section::new("All figures").block(page::figures(study, &groups)));
        self.report = page::tail(self.report, study);
        self
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Experiment {
    type Err = UnknownExperiment;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|experiment| experiment.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownExperiment(name.to_owned()))
    }
}
