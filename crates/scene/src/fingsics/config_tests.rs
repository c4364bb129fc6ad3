//! Tests of `config.txt`: reading, warnings, errors and the round trip.

use proptest::prelude::*;

use super::*;
use crate::fingsics::write_config;

fn read(text: &str) -> Parsed<FingsicsConfig> {
    read_config(text.as_bytes()).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

/// The settings of a text that must not earn a warning.
fn quiet(text: &str) -> FingsicsConfig {
    let parsed = read(text);
    assert_eq!(parsed.warnings, [], "{text:?}");
    parsed.value
}

fn warning(text: &str) -> (FingsicsConfig, String) {
    let parsed = read(text);
    assert_eq!(parsed.warnings.len(), 1, "{text:?}: {:?}", parsed.warnings);
    (parsed.value, parsed.warnings[0].to_string())
}

fn refusal(text: &str) -> String {
    read_config(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_empty_file_gives_the_defaults() {
    let config = quiet("");
    assert_eq!(config, FingsicsConfig::default());
    assert_eq!((config.fps_cap, config.stop_at_frame, config.num_runs_for_benchmark), (60, 300, 10));
    assert_eq!((config.windowed_width, config.windowed_height, config.object_definition), (1280, 720, 8));
    assert!(config.fullscreen && config.draw_axes && config.show_fps);
    assert!(!config.log && !config.record_scene && !config.record_video);
}

#[test]
fn a_full_file_is_read_key_by_key() {
    let text = "# the shipped settings\nSCENE_FILE_NAME=bowling\nFPS_CAP=60\nFULLSCREEN=true\nWINDOWED_WIDTH=1600\n\
                WINDOWED_HEIGHT=900\nLOG=false\nRECORD_SCENE=false\nRECORD_VIDEO=false\nDRAW_AXES=true\n\
                OBJECT_DEFINITION=8\nSHOW_FPS=true\n\nBROAD_PHASE=SAPOBB\nRUN_MODE=DEFAULT\n\
                NUM_RUNS_FOR_BENCHMARK=5\nSCENE_REPLAY_FOLDER_NAME=scene\nSTOP_AT_FRAME=-1\n";
    let expected = FingsicsConfig {
        scene_file_name: "bowling".to_owned(),
        windowed_width: 1600,
        windowed_height: 900,
        broad_phase: BroadPhaseName::SapObb,
        num_runs_for_benchmark: 5,
        scene_replay_folder_name: "scene".to_owned(),
        stop_at_frame: -1,
        ..FingsicsConfig::default()
    };
    assert_eq!(quiet(text), expected);
    assert_eq!(quiet(&format!("\u{feff}{}", text.replace('\n', "\r\n"))), expected, "byte-order mark, CRLF");
}

#[test]
fn comments_are_cut_from_the_first_hash_sign() {
    assert_eq!(quiet("FPS_CAP=30# fast enough\n#FPS_CAP=25\n").fps_cap, 30);
    assert_eq!(quiet("SCENE_FILE_NAME=a=b#c\n").scene_file_name, "a=b");
    assert_eq!(
        refusal("FPS_CAP 30 # = thirty"),
        "line 1, column 12: the only `=` of this line stands after a `#`"
    );
}

#[test]
fn the_first_occurrence_wins_with_a_warning() {
    let (config, message) = warning("FPS_CAP=30\nFPS_CAP=nonsense\n");
    assert_eq!(config.fps_cap, 30);
    assert_eq!(message, "line 2, column 1: FPS_CAP is given again; line 1 counts, this one is ignored");
}

#[test]
fn keys_are_not_trimmed_but_the_warning_says_so() {
    for text in ["FPS_CAP =30", " FPS_CAP=30", "fps_cap=30"] {
        let parsed = read(text);
        assert_eq!(parsed.value.fps_cap, 60);
        assert!(
            parsed.warnings[0].hint.as_deref().is_some_and(|h| h.contains("write `FPS_CAP=`")),
            "{text:?}"
        );
    }
    assert!(warning("COLOUR=red").1.contains("unknown key `COLOUR`"));
    assert!(warning("stray words").1.contains("a line without `=` is ignored"));
}

#[test]
fn integers_are_read_as_the_c_library_does() {
    assert_eq!(quiet("FPS_CAP=  30 ").fps_cap, 30);
    let (config, message) = warning("FPS_CAP=30fps");
    assert_eq!(config.fps_cap, 30);
    assert_eq!(message, "line 1, column 11: FPS_CAP: `fps` after the number is ignored");
    assert_eq!(refusal("\nSTOP_AT_FRAME=never"), "line 2, column 15: STOP_AT_FRAME=never is no whole number");
    assert!(refusal("WINDOWED_WIDTH=99999999999").contains("does not fit 32 bits"));
}

#[test]
fn truth_is_whatever_contains_true() {
    assert!(quiet("LOG=true").log && quiet("LOG= true ").log);
    assert!(warning("LOG=untrue").0.log);
    let (config, message) = warning("FULLSCREEN=True");
    assert!(!config.fullscreen);
    assert!(message.contains("counts as false"), "{message}");
}

#[test]
fn names_and_the_broad_phase_are_trimmed_with_a_warning() {
    let (config, message) = warning("SCENE_FILE_NAME=ramp \n");
    assert_eq!(config.scene_file_name, "ramp");
    assert!(message.contains("blanks round the value"));
    assert_eq!(warning("BROAD_PHASE= SAP\t").0.broad_phase, BroadPhaseName::Sap);
    let (config, message) = warning("BROAD_PHASE=sap");
    assert_eq!(config.broad_phase, BroadPhaseName::None);
    assert!(message.contains("BROAD_PHASE=sap is unknown; NONE is used"));
    for broad in BroadPhaseName::ALL {
        assert_eq!(quiet(&format!("BROAD_PHASE={}", broad.name())).broad_phase, broad);
    }
}

#[test]
fn the_run_mode_is_the_first_name_found_inside_the_value() {
    for (value, mode) in [
        ("TEST_BENCHMARK", RunMode::Test),
        ("REPLAYBENCHMARK", RunMode::Benchmark),
        ("MYREPLAY", RunMode::Replay),
        ("anything", RunMode::Default),
    ] {
        assert_eq!(warning(&format!("RUN_MODE={value}")).0.run_mode, mode, "{value}");
    }
    for mode in RunMode::ALL {
        assert_eq!(quiet(&format!("RUN_MODE={}", mode.name())).run_mode, mode);
    }
}

#[test]
fn contradictions_are_errors_at_their_line() {
    assert!(refusal("FPS_CAP=0").contains("must be at least 1"));
    assert!(refusal("FPS_CAP=-5").contains("must be at least 1"));
    assert!(
        refusal("FPS_CAP=50\nRECORD_VIDEO=true").starts_with("line 2, column 14: RECORD_VIDEO needs FPS_CAP")
    );
    for rate in [25, 30, 60, 120] {
        assert!(quiet(&format!("FPS_CAP={rate}\nRECORD_VIDEO=true")).record_video);
    }
    assert!(refusal("RECORD_SCENE=true\nSTOP_AT_FRAME=-1").contains("RECORD_SCENE needs an end"));
    assert!(refusal("STOP_AT_FRAME=-1\nRUN_MODE=BENCHMARK").starts_with("line 2"));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    assert!(read_config(b"\xFF\xFEL\0O\0").unwrap_err().to_string().contains("UTF-16"));
    assert!(read_config(b"LOG=true\0").unwrap_err().to_string().contains("NUL"));
    let latin = read_config(b"LOG=true\n# configuraci\xF3n").unwrap_err().to_string();
    assert!(latin.starts_with("line 2, column 14: byte 0xF3"), "{latin}");
}

#[test]
fn what_the_format_cannot_hold_is_not_written() {
    let config = FingsicsConfig {
        scene_file_name: "a#b".to_owned(),
        scene_replay_folder_name: "a ".to_owned(),
        fps_cap: 0,
        ..FingsicsConfig::default()
    };
    assert_eq!(write_config(&config).unwrap_err().problems.len(), 3);
}

fn any_config() -> impl Strategy<Value = FingsicsConfig> {
    let names = ("[a-z0-9=_-]{0,8}", "[a-zç/]{0,8}");
    let flags: [_; 6] = std::array::from_fn(|_| any::<bool>());
    let modes = (0..BroadPhaseName::ALL.len(), 0..RunMode::ALL.len());
    let numbers = (1..i32::MAX as u32, any::<[i32; 5]>());
    (names, flags, modes, numbers).prop_map(|(names, flags, modes, (fps_cap, n))| FingsicsConfig {
        scene_file_name: names.0,
        fps_cap,
        fullscreen: flags[0],
        windowed_width: n[0],
        windowed_height: n[1],
        log: flags[1],
        record_scene: flags[2],
        record_video: flags[3],
        draw_axes: flags[4],
        show_fps: flags[5],
        object_definition: n[2],
        broad_phase: BroadPhaseName::ALL[modes.0],
        run_mode: RunMode::ALL[modes.1],
        num_runs_for_benchmark: n[3],
        scene_replay_folder_name: names.1,
        stop_at_frame: n[4],
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(config in any_config()) {
        match write_config(&config) {
            Ok(text) => prop_assert_eq!(quiet(&text), config),
            Err(_) => prop_assert!(!config.conflicts().is_empty()),
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in "([A-Z_]{0,9}[=# ]?[0-9a-z\r]{0,5}\n?){0,8}") {
        let _ = read_config(&bytes);
        let _ = read_config(text.as_bytes());
    }
}
