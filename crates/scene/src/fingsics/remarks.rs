//! Collects the warnings and errors of one reading, in bounded number and with the line they belong
//! to.
//!
//! A hostile file can earn millions of remarks, each on a line of its own. Two things keep that
//! harmless: only the first [`MAX_REMARKS`] of each kind are kept and the rest counted, and line
//! numbers are counted onwards from the previous remark, because readers go through a file from top
//! to bottom.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, ParseError, Parsed, Position};

/// Most warnings, and most errors, that are kept.
pub(super) const MAX_REMARKS: usize = 100;

/// Longest piece of a file that is quoted in a message, in characters.
const MAX_QUOTED: usize = 40;

/// A piece of a file for use in a message: cut if it is long, for names may be as long as a file.
pub(super) fn shorten(piece: &str) -> Cow<'_, str> {
    match piece.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &piece[..end])),
        None => Cow::Borrowed(piece),
    }
}

/// The remarks about one text.
pub(super) struct Remarks<'t> {
    text: &'t str,
    /// A place already visited: byte offset and line number (from 1).
    visited: (usize, u32),
    warnings: Kept,
    errors: Kept,
}

/// Remarks of one kind.
#[derive(Default)]
struct Kept {
    items: Vec<Diagnostic>,
    left_out: usize,
}

impl Kept {
    fn is_full(&mut self) -> bool {
        let full = self.items.len() >= MAX_REMARKS;
        self.left_out += usize::from(full);
        full
    }

    /// The remarks in source order, for a reader may look at parts of a file out of turn.
    fn close(mut self, what: &str) -> Vec<Diagnostic> {
        self.items.sort_by_key(|r| r.position.map_or((u32::MAX, 0), |p| (p.line, p.column)));
        if self.left_out > 0 {
            self.items.push(Diagnostic::new(format!("… and {} more {what}", self.left_out)));
        }
        self.items
    }
}

impl<'t> Remarks<'t> {
    /// No remarks yet about `text`, to whose bytes all offsets refer.
    pub(super) fn about(text: &'t str) -> Self {
        Self { text, visited: (0, 1), warnings: Kept::default(), errors: Kept::default() }
    }

    /// Notes something that does not stop the reading.
    pub(super) fn warn(&mut self, offset: usize, message: impl Into<String>) {
        if !self.warnings.is_full() {
            let remark = self.locate(offset, message.into());
            self.warnings.items.push(remark);
        }
    }

    /// As [`Self::warn`], with advice.
    pub(super) fn warn_with_hint(&mut self, offset: usize, message: impl Into<String>, hint: &str) {
        if !self.warnings.is_full() {
            let remark = self.locate(offset, message.into()).with_hint(hint);
            self.warnings.items.push(remark);
        }
    }

    /// Notes something that makes the file unusable. Reading may go on, to find further errors.
    pub(super) fn error(&mut self, offset: usize, message: impl Into<String>) {
        if !self.errors.is_full() {
            let remark = self.locate(offset, message.into());
            self.errors.items.push(remark);
        }
    }

    /// The result of the reading: `value` with the warnings, or the errors if there were any.
    pub(super) fn conclude<T>(self, value: T) -> Result<Parsed<T>, ParseError> {
        if self.errors.items.is_empty() {
            Ok(Parsed { value, warnings: self.warnings.close("warnings") })
        } else {
            Err(ParseError { errors: self.errors.close("errors") })
        }
    }

    fn locate(&mut self, offset: usize, message: String) -> Diagnostic {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.line_of(offset);
        let start = self.text[..offset].rfind('\n').map_or(0, |i| i + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |i| offset + i);
        let mut remark = Diagnostic::at(&self.text[start..end], offset - start, message);
        remark.position = remark.position.map(|p| Position { line, ..p });
        remark
    }

    fn line_of(&mut self, offset: usize) -> u32 {
        if offset < self.visited.0 {
            self.visited = (0, 1);
        }
        let passed = self.text.as_bytes()[self.visited.0..offset].iter().filter(|&&b| b == b'\n').count();
        let line = self.visited.1.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.visited = (offset, line);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_agree_with_those_of_a_single_diagnostic() {
        let text = "eins\nzwei\n\nçvier\n";
        let mut remarks = Remarks::about(text);
        for offset in [7, 2, 12, 14, 10, 999] {
            remarks.warn(offset, "here");
            let expected = Diagnostic::at(text, offset, "here");
            let got = remarks.warnings.items.last().unwrap();
            assert_eq!(got.position, expected.position, "offset {offset}");
        }
    }

    #[test]
    fn what_exceeds_the_cap_is_counted() {
        let mut remarks = Remarks::about("text");
        for _ in 0..MAX_REMARKS + 7 {
            remarks.warn(0, "again");
        }
        let parsed = remarks.conclude(()).unwrap();
        assert_eq!(parsed.warnings.len(), MAX_REMARKS + 1);
        assert_eq!(parsed.warnings.last().unwrap().message, "… and 7 more warnings");
    }

    #[test]
    fn one_error_outweighs_any_warning() {
        let mut remarks = Remarks::about("a\nb");
        remarks.warn(0, "odd");
        remarks.error(2, "wrong");
        assert_eq!(remarks.conclude(()).unwrap_err().to_string(), "line 2, column 1: wrong");
    }
}
