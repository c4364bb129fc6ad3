//! Progress bars on standard error; nothing is drawn where that is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over a number of steps.
pub(crate) fn bar(steps: u64, what: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    let template = "{msg:>16} {wide_bar:.cyan/blue} {pos}/{len} steps, {per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}
