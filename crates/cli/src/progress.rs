//! Progress bars on standard error; nothing is drawn where that is not a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over a number of steps.
pub(crate) fn bar(steps: u64, what: &str, quiet: bool) -> ProgressBar {
    let template = "{msg:>16} {wide_bar:.cyan/blue} {pos}/{len} steps, {per_sec}, {eta} left";
    let bar = with_template(steps, template, quiet);
    bar.set_message(what.to_owned());
    bar
}

/// A bar over a number of runs, each of which may take long.
pub(crate) fn runs(runs: u64, quiet: bool) -> ProgressBar {
    let template = "{msg:>24} {wide_bar:.cyan/blue} {pos}/{len} runs, {per_sec}, {elapsed} gone, {eta} left";
    let bar = with_template(runs, template, quiet);
    // Once a second: what draws must not take time from what is measured.
    bar.enable_steady_tick(Duration::from_secs(1));
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
