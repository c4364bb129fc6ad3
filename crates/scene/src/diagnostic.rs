//! What readers say about a file: errors and warnings that point at the line.
//!
//! Readers of all formats speak through these types, so the command line shows them all alike. A
//! [`ParseError`] ends the reading; a warning travels with the result in [`Parsed`].

use std::fmt;

/// Longest piece of a source line that is kept for display, in characters.
const EXCERPT_CHARS: usize = 160;

/// A place in a text, counted from 1; columns count characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Position {
    /// Position of byte `offset` in `text`; an offset past the end or inside a character is moved
    /// to a valid one.
    #[must_use]
    pub fn of_offset(text: &str, offset: usize) -> Self {
        let before = &text[..text.floor_char_boundary(offset.min(text.len()))];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        Self {
            line: count(before.bytes().filter(|&b| b == b'\n').count()),
            column: count(before[line_start..].chars().count()),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One remark about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is the matter.
    pub message: String,
    /// Where, if known.
    pub position: Option<Position>,
    /// The line itself (cut to a readable length), if known.
    pub excerpt: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A remark without a place.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), position: None, excerpt: None, hint: None }
    }

    /// A remark about byte `offset` of `text`.
    #[must_use]
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let position = Position::of_offset(text, offset);
        let excerpt = text.lines().nth(position.line as usize - 1).map(excerpt_of);
        Self { message: message.into(), position: Some(position), excerpt, hint: None }
    }

    /// The same remark with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

fn excerpt_of(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "line {}, column {}: ", position.line, position.column)?;
        }
        f.write_str(&self.message)
    }
}

/// A source that could not be read: at least one error, in source order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", list(errors))]
pub struct ParseError {
    /// The errors; never empty.
    pub errors: Vec<Diagnostic>,
}

impl From<Diagnostic> for ParseError {
    fn from(error: Diagnostic) -> Self {
        Self { errors: vec![error] }
    }
}

fn list(errors: &[Diagnostic]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A value read from a source, with the warnings on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<T> {
    /// What was read.
    pub value: T,
    /// What deserves a remark but did not stop the reading.
    pub warnings: Vec<Diagnostic>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let text = "ab\nçd\n";
        assert_eq!(Position::of_offset(text, 0), Position { line: 1, column: 1 });
        assert_eq!(Position::of_offset(text, 3), Position { line: 2, column: 1 });
        assert_eq!(Position::of_offset(text, 5), Position { line: 2, column: 2 });
        assert_eq!(Position::of_offset(text, 4), Position { line: 2, column: 1 }, "inside the ç");
        assert_eq!(Position::of_offset(text, 999), Position { line: 3, column: 1 });
    }

    #[test]
    fn a_remark_shows_its_line_cut_to_a_readable_length() {
        let text = format!("first\n{}\n", "x".repeat(1000));
        let remark = Diagnostic::at(&text, 8, "too long");
        assert_eq!(remark.to_string(), "line 2, column 3: too long");
        assert_eq!(remark.excerpt.map(|e| e.chars().count()), Some(EXCERPT_CHARS + 1));
    }
}
