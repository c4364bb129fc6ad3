//! Reads Fingsics' `config.txt`.
//!
//! Line by line: an empty line, one that starts with `#` and one without `=` are skipped; otherwise
//! everything from the first `#` on is cut, the key stands before the first `=` and the value after
//! it. Nothing is trimmed, upper and lower case differ, and the first occurrence of a key wins.
//!
//! Fingsics follows these rules in silence, so that `FPS_CAP =30` or `BROAD_PHASE=sap` is
//! simply lost. Here the same lines earn a warning. Two rules are softened, because their
//! strictness never helps: a carriage return at the end of a line is no part of the value, and
//! names and the broad phase are trimmed.

use super::c_number::{IntegerError, is_c_space, scan_i32};
use super::config::{BroadPhaseName, FingsicsConfig, RunMode};
use super::remarks::{Remarks, shorten};
use super::xml_guard::decode;
use crate::diagnostic::{ParseError, Parsed};

/// Reads the settings from the bytes of a `config.txt`.
///
/// # Errors
/// If a number has no digits or does not fit, if the only `=` of a line stands in a comment, if
/// settings contradict each other ([`FingsicsConfig::conflicts`]), or if the bytes are not UTF-8
/// text.
pub fn read_config(text: &[u8]) -> Result<Parsed<FingsicsConfig>, ParseError> {
    let text = decode(text)?;
    let mut reader = Reader::about(text);
    let mut offset = 0;
    for line in text.split('\n') {
        reader.line(line.strip_suffix('\r').unwrap_or(line), offset);
        offset += line.len() + 1;
    }
    for (key, reason) in reader.config.conflicts() {
        // A conflict may come from two defaults only if the defaults were wrong; they are not, so
        // the key was seen.
        let place = reader.seen.iter().find(|seen| seen.key == key).map_or(0, |seen| seen.place);
        reader.remarks.error(place, reason);
    }
    reader.remarks.conclude(reader.config)
}

/// One reading.
struct Reader<'t> {
    remarks: Remarks<'t>,
    config: FingsicsConfig,
    /// Number of the current line, from 1.
    line: usize,
    /// Known keys met so far.
    seen: Vec<Seen<'t>>,
}

/// A known key that has its value.
struct Seen<'t> {
    key: &'t str,
    /// Offset of the value.
    place: usize,
    line: usize,
}

impl<'t> Reader<'t> {
    fn about(text: &'t str) -> Self {
        Self { remarks: Remarks::about(text), config: FingsicsConfig::default(), line: 0, seen: Vec::new() }
    }

    /// Takes one line, which begins at byte `offset` of the text.
    fn line(&mut self, line: &'t str, offset: usize) {
        self.line += 1;
        if line.is_empty() || line.starts_with('#') || !line.contains('=') {
            if !line.starts_with('#') && !line.trim().is_empty() {
                self.remarks.warn(offset, "a line without `=` is ignored");
            }
            return;
        }
        let content = line.split('#').next().unwrap_or(line);
        let Some((key, value)) = content.split_once('=') else {
            let message = "the only `=` of this line stands after a `#`";
            return self.remarks.error(offset + content.len(), message);
        };
        if let Some(&Seen { line: first, .. }) = self.seen.iter().find(|seen| seen.key == key) {
            let message = format!("{key} is given again; line {first} counts, this one is ignored");
            return self.remarks.warn(offset, message);
        }
        let entry = Entry { key, value, place: offset + key.len() + 1 };
        if self.assign(&entry) {
            self.seen.push(Seen { key, place: entry.place, line: self.line });
        } else {
            self.unknown_key(key, offset);
        }
    }

    fn unknown_key(&mut self, key: &str, offset: usize) {
        let message = format!("unknown key `{}` is ignored", shorten(key));
        let mut probe = Reader::about("");
        let intended = key.trim().to_ascii_uppercase();
        if probe.assign(&Entry { key: &intended, value: "0", place: 0 }) {
            let hint = format!("write `{intended}=`: capitals, and no blanks around the key");
            self.remarks.warn_with_hint(offset, message, &hint);
        } else {
            self.remarks.warn(offset, message);
        }
    }

    /// Stores one setting; false if the key is unknown.
    fn assign(&mut self, entry: &Entry<'_>) -> bool {
        match entry.key {
            "SCENE_FILE_NAME" => self.config.scene_file_name = self.name(entry),
            "FPS_CAP" => {
                let rate = self.integer(entry, 60);
                match u32::try_from(rate) {
                    Ok(rate) => self.config.fps_cap = rate,
                    Err(_) => self.remarks.error(entry.place, format!("FPS_CAP={rate} must be at least 1")),
                }
            }
            "FULLSCREEN" => self.config.fullscreen = self.truth(entry),
            "WINDOWED_WIDTH" => self.config.windowed_width = self.integer(entry, 1280),
            "WINDOWED_HEIGHT" => self.config.windowed_height = self.integer(entry, 720),
            "LOG" => self.config.log = self.truth(entry),
            "RECORD_SCENE" => self.config.record_scene = self.truth(entry),
            "RECORD_VIDEO" => self.config.record_video = self.truth(entry),
            "DRAW_AXES" => self.config.draw_axes = self.truth(entry),
            "SHOW_FPS" => self.config.show_fps = self.truth(entry),
            "OBJECT_DEFINITION" => self.config.object_definition = self.integer(entry, 8),
            "BROAD_PHASE" => self.config.broad_phase = self.broad_phase(entry),
            "RUN_MODE" => self.config.run_mode = self.run_mode(entry),
            "NUM_RUNS_FOR_BENCHMARK" => self.config.num_runs_for_benchmark = self.integer(entry, 10),
            "SCENE_REPLAY_FOLDER_NAME" => self.config.scene_replay_folder_name = self.name(entry),
            "STOP_AT_FRAME" => self.config.stop_at_frame = self.integer(entry, 300),
            _ => return false,
        }
        true
    }

    /// An integer as the C library reads it. What is no integer is an error, and the fallback
    /// serves to read on.
    fn integer(&mut self, entry: &Entry<'_>, fallback: i32) -> i32 {
        match scan_i32(entry.value) {
            Ok(scanned) => {
                let junk = &entry.value[scanned.consumed..];
                if !junk.bytes().all(is_c_space) {
                    let message =
                        format!("{}: `{}` after the number is ignored", entry.key, shorten(junk.trim()));
                    self.remarks.warn(entry.place + scanned.consumed, message);
                }
                scanned.value
            }
            Err(error) => {
                let what = match error {
                    IntegerError::NoDigits => "is no whole number",
                    IntegerError::TooLarge => "does not fit 32 bits",
                };
                self.remarks.error(entry.place, format!("{}={} {what}", entry.key, shorten(entry.value)));
                fallback
            }
        }
    }

    /// True if the value contains `true`, whatever else it says.
    fn truth(&mut self, entry: &Entry<'_>) -> bool {
        let value = entry.value.contains("true");
        if !matches!(entry.value.trim(), "true" | "false") {
            let message =
                format!("{}={} counts as {value}; write true or false", entry.key, shorten(entry.value));
            self.remarks.warn(entry.place, message);
        }
        value
    }

    /// A name without the blanks round it.
    fn name(&mut self, entry: &Entry<'_>) -> String {
        let name = entry.value.trim();
        if name != entry.value {
            let message = format!("{}: blanks round the value are ignored", entry.key);
            self.remarks.warn(entry.place, message);
        }
        name.to_owned()
    }

    fn broad_phase(&mut self, entry: &Entry<'_>) -> BroadPhaseName {
        let name = self.name(entry);
        BroadPhaseName::ALL.into_iter().find(|b| b.name() == name).unwrap_or_else(|| {
            let message = format!("BROAD_PHASE={} is unknown; NONE is used", shorten(entry.value));
            self.remarks.warn_with_hint(
                entry.place,
                message,
                "known are NONE, AABB, OBB, SAP and SAPOBB, in capitals",
            );
            BroadPhaseName::None
        })
    }

    /// The first mode whose name occurs anywhere in the value.
    fn run_mode(&mut self, entry: &Entry<'_>) -> RunMode {
        let mode = RunMode::ALL.into_iter().find(|m| entry.value.contains(m.name())).unwrap_or_default();
        if entry.value.trim() != mode.name() {
            let message = format!("RUN_MODE={} counts as {}", shorten(entry.value), mode.name());
            self.remarks.warn(entry.place, message);
        }
        mode
    }
}

/// One `KEY=value`.
struct Entry<'l> {
    key: &'l str,
    value: &'l str,
    /// Offset of the value.
    place: usize,
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
