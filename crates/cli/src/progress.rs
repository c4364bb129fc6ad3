//! Signs of life on standard error: a bar where that is a terminal, elsewhere a line now and then.
//!
//! Lines come from a thread of their own, so that one long step, a scene that takes long to load
//! and a command without a bar show them too. It wakes up once a second: what tells of progress
//! must not take time from what is measured.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::interrupt;
use crate::show::{grouped, remark};

/// The first line comes after this, each later one when the time has doubled.
const FIRST: Duration = Duration::from_secs(5);
/// No two lines are further apart.
const LONGEST: Duration = Duration::from_secs(60);

/// The bar of what is going on, with the unit it counts.
static CURRENT: Mutex<Option<(ProgressBar, &str)>> = Mutex::new(None);

/// A bar over a number of steps.
pub(crate) fn bar(steps: u64, what: &str, quiet: bool) -> ProgressBar {
    let template = "{msg:>16} {wide_bar:.cyan/blue} {pos}/{len} steps, {per_sec}, {eta} left";
    let bar = with_template(steps, template, quiet);
    bar.set_message(what.to_owned());
    follow(&bar, "steps");
    bar
}

/// A bar over a number of runs, each of which may take long.
pub(crate) fn runs(runs: u64, quiet: bool) -> ProgressBar {
    let template = "{msg:>24} {wide_bar:.cyan/blue} {pos}/{len} runs, {per_sec}, {elapsed} gone, {eta} left";
    let bar = with_template(runs, template, quiet);
    // Once a second: what draws must not take time from what is measured.
    bar.enable_steady_tick(Duration::from_secs(1));
    follow(&bar, "runs");
    bar
}

fn with_template(steps: u64, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

fn follow(bar: &ProgressBar, unit: &'static str) {
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some((bar.clone(), unit));
}

/// Begins to give signs of life where no bar is drawn. `command` is the word of the command line.
pub(crate) fn begin(command: &'static str) {
    let start = Instant::now();
    std::thread::spawn(move || {
        let mut due = FIRST;
        loop {
            std::thread::sleep(Duration::from_secs(1));
            interrupt::announce();
            let gone = start.elapsed();
            if gone < due {
                continue;
            }
            due = gone + gone.min(LONGEST);
            if let Some(progress) = progress() {
                remark(&format!("carom {command}: {} s gone{progress}", gone.as_secs()));
            }
        }
    });
}

/// How far the current bar is, in words; `None` if it is drawn.
fn progress() -> Option<String> {
    let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((bar, unit)) = current.as_ref().filter(|(bar, _)| !bar.is_finished()) else {
        return Some(String::new());
    };
    if !bar.is_hidden() {
        return None;
    }
    let (done, all) = (grouped(bar.position()), grouped(bar.length().unwrap_or(0)));
    let message = bar.message();
    let what = if message.is_empty() { message } else { format!("{message}: ") };
    Some(format!(", {what}{done} of {all} {unit}"))
}
