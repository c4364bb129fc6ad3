//! Lines, words and numbers of text files, as bytes: comments may be in any encoding.

use super::SyntaxError;

/// The words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The lines with their numbers from 1. A lone carriage return ends no line, but separates words.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split(|byte| *byte == b'\n').enumerate().map(|(index, line)| (index + 1, line))
}

/// A word for a message: readable, and not the whole file.
pub(super) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let mut text = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]).into_owned();
    if word.len() > LONGEST {
        text.push('…');
    }
    text
}

/// A finite number.
pub(super) fn number(word: &[u8], line: usize) -> Result<f32, SyntaxError> {
    std::str::from_utf8(word)
        .ok()
        .and_then(|text| text.parse::<f32>().ok())
        .filter(|value| value.is_finite())
        .ok_or_else(|| SyntaxError::Number { line, word: shown(word) })
}

/// Three numbers; more words may follow.
pub(super) fn point<'a>(
    mut words: impl Iterator<Item = &'a [u8]>,
    what: &'static str,
    line: usize,
) -> Result<glam::Vec3, SyntaxError> {
    let mut coordinates = [0.0; 3];
    for coordinate in &mut coordinates {
        let word = words.next().ok_or(SyntaxError::Missing { line, what, needed: 3 })?;
        *coordinate = number(word, line)?;
    }
    Ok(coordinates.into())
}
