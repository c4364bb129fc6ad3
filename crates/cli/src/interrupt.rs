//! Ctrl-C: what runs for long ends at the next whole step, with its files whole, and says so.
//!
//! The first Ctrl-C asks; a second one ends the program at once, for a step that never comes to an
//! end.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::show::remark;

static ASKED: AtomicBool = AtomicBool::new(false);
static WATCHED: Once = Once::new();

/// Begins to listen; later calls change nothing. Commands that never ask leave Ctrl-C to the
/// system.
pub(crate) fn watch() {
    WATCHED.call_once(|| {
        let listening = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                // 128 + SIGINT, as shells expect.
                std::process::exit(130);
            }
            remark("interrupted: ending with what is complete (once more to end at once)");
        });
        if let Err(error) = listening {
            remark(&format!("warning: Ctrl-C will not end this cleanly: {error}"));
        }
    });
}

/// Was it asked to end?
pub(crate) fn is_interrupted() -> bool {
    ASKED.load(Ordering::Relaxed)
}
