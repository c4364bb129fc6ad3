//! All fuzz targets in one program, so that the instrumented crates are built and linked once.
//!
//! The environment variable `CAROM_FUZZ_TARGET` chooses the target: libFuzzer has the arguments to
//! itself. `fuzz/run` sets it. A program per target was the alternative; linking seventeen of them
//! took longer than fuzzing them.
#![no_main]

mod targets;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<targets::Target> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let target = TARGET.get_or_init(|| {
        let name = std::env::var("CAROM_FUZZ_TARGET").expect("CAROM_FUZZ_TARGET names the target");
        targets::find(&name).unwrap_or_else(|| panic!("there is no fuzz target {name}"))
    });
    target(bytes);
});
