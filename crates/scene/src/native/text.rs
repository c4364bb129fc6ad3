//! Reading and writing the text form (`.toml`).
//!
//! The reader stops at the first error, as the `toml` crate does, and says where it is, what it
//! expected and, for a misspelt key, which one was probably meant.

use serde::Deserialize;

use super::wire::WireScene;
use super::{VERSION, layout, node};
use crate::diagnostic::{Diagnostic, ParseError, Parsed};
use crate::model::Scene;
use crate::nearest::nearest;

/// UTF-8 byte-order mark, which some editors write.
const BOM: char = '\u{feff}';

/// Reads a scene from its text form.
///
/// # Errors
/// The place and the reason of the first mistake. Numbers that are not finite, unknown keys and
/// newer versions are mistakes.
pub fn read_text(text: &[u8]) -> Result<Parsed<Scene>, ParseError> {
    let text = std::str::from_utf8(text).map_err(|e| not_utf8(text, e.valid_up_to()))?;
    // The mark stays outside: positions count from the first visible character.
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let wire = match toml::from_str::<WireScene>(text) {
        Ok(wire) => wire,
        Err(error) => {
            // A newer file may well hold keys this version does not know: its age is the better
            // message.
            return Err(newer_version(text).unwrap_or_else(|| diagnose(text, &error)).into());
        }
    };
    match wire.carom {
        Some(VERSION) => {}
        Some(found) => return Err(wrong_version(text, i64::from(found)).into()),
        None => {
            return Err(Diagnostic::at(text, 0, "the file does not say that it is a Carom scene")
                .with_hint(format!("write `carom = {VERSION}` as its first line"))
                .into());
        }
    }
    let value = wire.into_model();
    let mut warnings = Vec::new();
    if value.bodies.is_empty() && value.events.is_empty() {
        warnings.push(
            Diagnostic::new("the scene has no bodies").with_hint("each body starts with a line `[[body]]`"),
        );
    }
    Ok(Parsed { value, warnings })
}

/// Writes a scene in its text form, defaults left out.
#[must_use]
pub fn write_text(scene: &Scene) -> String {
    match node::tree(&WireScene::from_model(scene, VERSION)) {
        Ok(root) => layout::document(&root),
        Err(error) => {
            // Only a wire type with a kind of value the tree lacks could come here; the round-trip
            // tests visit all.
            debug_assert!(false, "{error}");
            String::new()
        }
    }
}

fn not_utf8(bytes: &[u8], valid: usize) -> Diagnostic {
    let readable = String::from_utf8_lossy(&bytes[..valid]);
    Diagnostic::at(&readable, valid, "the file is not UTF-8 text")
        .with_hint("a binary scene must be called `.carom`")
}

/// Just the version, whatever else there is.
#[derive(Deserialize)]
struct VersionOnly {
    carom: Option<i64>,
}

fn newer_version(text: &str) -> Option<Diagnostic> {
    let found = toml::from_str::<VersionOnly>(text).ok()?.carom?;
    (found != i64::from(VERSION)).then(|| wrong_version(text, found))
}

fn wrong_version(text: &str, found: i64) -> Diagnostic {
    let offset = text
        .lines()
        .position(|line| line.trim_start().starts_with("carom"))
        .map_or(0, |line| text.split_inclusive('\n').take(line).map(str::len).sum());
    let message =
        format!("the file is written in version {found} of the format; this program reads {VERSION}");
    let hint = if found > i64::from(VERSION) {
        "a newer Carom reads it".to_owned()
    } else {
        format!("write `carom = {VERSION}`")
    };
    Diagnostic::at(text, offset, message).with_hint(hint)
}

fn diagnose(text: &str, error: &toml::de::Error) -> Diagnostic {
    // The crate's messages may go over several lines; one is enough beside the excerpt.
    let message = error.message().trim().replace('\n', ": ");
    let diagnostic = match error.span() {
        Some(span) => Diagnostic::at(text, span.start, message.clone()),
        None => Diagnostic::new(message.clone()),
    };
    match hint_for(&message) {
        // Beside the likely word, the list of all possible ones is noise.
        Some(hint) => {
            let message = message.split(", expected").next().unwrap_or(&message).to_owned();
            Diagnostic { message, ..diagnostic }.with_hint(hint)
        }
        None => diagnostic,
    }
}

/// Serde lists what it would have liked in backquotes after the word it got.
fn hint_for(message: &str) -> Option<String> {
    if !(message.starts_with("unknown field") || message.starts_with("unknown variant")) {
        return None;
    }
    let mut words = message.split('`').skip(1).step_by(2);
    let wrong = words.next()?;
    nearest(wrong, words).map(|near| format!("did you mean `{near}`?"))
}
