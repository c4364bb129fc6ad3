//! Ctrl-C, SIGTERM and SIGHUP: a command that watches for them ends with its files whole, says so,
//! and gives the exit status that shells expect, 128 plus the number of the signal.
//!
//! The first signal asks; a second one ends the program at once, for a step that never comes to an
//! end.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::show::remark;

/// The signals that ask a command to end.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Number of the last signal.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
static WATCHED: Once = Once::new();
static ANNOUNCED: AtomicBool = AtomicBool::new(false);

/// Begins to listen; later calls change nothing. Commands that never ask leave signals to the
/// system.
pub(crate) fn watch() {
    WATCHED.call_once(|| {
        for signal in SIGNALS {
            // In this order: the second signal finds the flag that the first one has set.
            let listening = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&ASKED))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize))
                .and_then(|_| flag::register(signal, Arc::clone(&ASKED)));
            if let Err(error) = listening {
                remark(&format!("warning: signal {signal} will not end this cleanly: {error}"));
            }
        }
    });
}

/// Was it asked to end?
pub(crate) fn is_interrupted() -> bool {
    announce();
    ASKED.load(Ordering::Relaxed)
}

/// Says once that it was asked to end, if it was.
pub(crate) fn announce() {
    if ASKED.load(Ordering::Relaxed) && !ANNOUNCED.swap(true, Ordering::Relaxed) {
        remark("interrupted: ending with what is complete (once more to end at once)");
    }
}

/// Exit status of a command that was asked to end.
pub(crate) fn status() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    if signal == 0 { None } else { u8::try_from(128 + signal).ok() }
}
