//! Planar model files: the text format of two-dimensional scenes.
//!
//! ```text
//! marco: ((-10.0, 10.0), (-10.0, 10.0))
//! timeInterval: 0.0-10.0
//! framesPerSecond: 100
//! -3.5 4.5
//! 3 0.0 0.0 2.0 0.0 1.0 3.0
//! ```
//!
//! Three header lines (frame, first and last moment, samples per second), then two lines per
//! object: its velocity, and its vertices after their number. The writer produces exactly this,
//! `3 + 2n` lines, with every number in the shortest form that reads back to the same bits, so that
//! a file written, read and written again is the same file.
//!
//! The reader also takes blanks anywhere between tokens, numbers as C writes them (exponents,
//! hexadecimal), CRLF, a byte-order mark, blank lines, and comment lines that start with `#`.
//! Nothing is allocated on the word of a count: vertices are stored as they are met.

use std::fmt::Write;

use carom_planar::scene::{MAX_OBJECTS, MAX_VERTICES, PlanarSceneError};
use carom_planar::{PlanarObject, PlanarScene, Rectangle};

use crate::diagnostic::{Diagnostic, ParseError, Parsed};
use crate::fingsics::c_number::{is_c_space, scan_f64};
use crate::fingsics::decode;

/// Reads a model file; `name` becomes the scene's name.
///
/// # Errors
/// At the first line that is missing, malformed or holds an impossible value.
pub fn read_model(text: &[u8], name: &str) -> Result<Parsed<PlanarScene>, ParseError> {
    let text = decode(text)?;
    let mut lines = Lines { text, at: 0 };
    let frame = lines.header("marco")?.frame()?;
    let time = lines.header("timeInterval")?.time_interval()?;
    let frames_per_second = lines.header("framesPerSecond")?.frames_per_second()?;
    let mut scene =
        PlanarScene { name: name.to_owned(), frame, time, frames_per_second, objects: Vec::new() };
    while let Some(mut line) = lines.next_line() {
        let index = scene.objects.len();
        if index >= MAX_OBJECTS {
            return Err(line.error(format!("more than {MAX_OBJECTS} objects in one scene")).into());
        }
        let velocity = line.velocity()?;
        let Some(mut outline) = lines.next_line() else {
            return Err(line.error(format!("object {index} has a velocity but no line of vertices")).into());
        };
        let object = PlanarObject { velocity, vertices: outline.vertices()? };
        let is_out = |r: Rectangle| r.min.iter().chain(&r.max).any(|x| !x.is_finite());
        if time.into_iter().any(|t| object.aabb_at(t).is_some_and(is_out)) {
            return Err(line.error(format!("object {index} leaves the range of numbers")).into());
        }
        scene.objects.push(object);
    }
    Ok(Parsed { value: scene, warnings: Vec::new() })
}

/// Writes a scene as a model file.
///
/// # Errors
/// If the scene is not sound, so that the file could not be read again.
pub fn write_model(scene: &PlanarScene) -> Result<String, PlanarSceneError> {
    let problems = scene.validate();
    if !problems.is_empty() {
        return Err(PlanarSceneError { problems });
    }
    let [[x0, x1], [y0, y1]] = scene.frame.map(|side| side.map(format_f64));
    let [t0, t1] = scene.time.map(format_f64);
    let mut text = format!(
        "marco: (({x0}, {x1}), ({y0}, {y1}))\ntimeInterval: {t0}-{t1}\nframesPerSecond: {}\n",
        scene.frames_per_second
    );
    for object in &scene.objects {
        // Writing to a string cannot fail.
        let [vx, vy] = object.velocity.map(format_f64);
        let _ = write!(text, "{vx} {vy}\n{}", object.vertices.len());
        for vertex in &object.vertices {
            let [x, y] = vertex.map(format_f64);
            let _ = write!(text, " {x} {y}");
        }
        text.push('\n');
    }
    Ok(text)
}

/// The shortest digits that read back to the same bits, always with a point and never with an
/// exponent.
fn format_f64(value: f64) -> String {
    let text = value.to_string();
    if text.contains('.') { text } else { text + ".0" }
}

/// The lines that count: neither blank nor comment.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lines<'t> {
    fn next_line(&mut self) -> Option<Line<'t>> {
        while self.at < self.text.len() {
            let start = self.at;
            let end = self.text[start..].find('\n').map_or(self.text.len(), |i| start + i);
            self.at = end + 1;
            let line = Line { text: self.text, at: start, end };
            let content = self.text[start..end].trim_start();
            if !content.is_empty() && !content.starts_with('#') {
                return Some(line);
            }
        }
        None
    }

    /// The next line, which must start with `key` and a colon.
    fn header(&mut self, key: &str) -> Result<Line<'t>, Diagnostic> {
        let Some(mut line) = self.next_line() else {
            let message = format!("the file ends before the line `{key}:`");
            return Err(Diagnostic::at(self.text, self.text.len(), message));
        };
        line.skip_blanks();
        let rest = line.rest();
        if !rest.starts_with(key) {
            return Err(line.error(format!("the line `{key}:` is due here")));
        }
        line.at += key.len();
        line.expect(':')?;
        Ok(line)
    }
}

/// A line that is being read from left to right.
struct Line<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl Line<'_> {
    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self.text, self.at, message)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().bytes().take_while(|&b| is_c_space(b)).count();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at >= self.end
    }

    /// What stands here, for messages: up to the next blank.
    fn token(&self) -> String {
        let token: String = self.rest().chars().take_while(|c| !c.is_whitespace()).take(40).collect();
        if token.is_empty() { "the end of the line".to_owned() } else { format!("`{token}`") }
    }

    fn expect(&mut self, sign: char) -> Result<(), Diagnostic> {
        self.skip_blanks();
        if !self.rest().starts_with(sign) {
            return Err(self.error(format!("`{sign}` is due here, not {}", self.token())));
        }
        self.at += sign.len_utf8();
        Ok(())
    }

    fn expect_end(&mut self) -> Result<(), Diagnostic> {
        if self.is_at_end() {
            return Ok(());
        }
        Err(self.error(format!("the line should end here, not go on with {}", self.token())))
    }

    fn number(&mut self, what: &str) -> Result<f64, Diagnostic> {
        self.skip_blanks();
        let Some(scanned) = scan_f64(self.rest()) else {
            return Err(self.error(format!("{what} is due here, not {}", self.token())));
        };
        if !scanned.value.is_finite() {
            return Err(self.error(format!("{what} must be finite, not {}", self.token())));
        }
        self.at += scanned.consumed;
        Ok(scanned.value)
    }

    /// A number that ends at a blank or at the end of the line.
    fn lone_number(&mut self, what: &str) -> Result<f64, Diagnostic> {
        self.skip_blanks();
        let start = self.at;
        let value = self.number(what)?;
        if self.rest().bytes().next().is_some_and(|b| !is_c_space(b)) {
            self.at = start;
            return Err(self.error(format!("{what} is due here, not {}", self.token())));
        }
        Ok(value)
    }

    fn frame(&mut self) -> Result<[[f64; 2]; 2], Diagnostic> {
        self.expect('(')?;
        let x = self.side('x')?;
        self.expect(',')?;
        let y = self.side('y')?;
        self.expect(')')?;
        self.expect_end()?;
        Ok([x, y])
    }

    fn side(&mut self, axis: char) -> Result<[f64; 2], Diagnostic> {
        self.expect('(')?;
        self.skip_blanks();
        let start = self.at;
        let min = self.number(&format!("the lowest {axis}"))?;
        self.expect(',')?;
        let max = self.number(&format!("the highest {axis}"))?;
        self.expect(')')?;
        if min < max {
            return Ok([min, max]);
        }
        self.at = start;
        Err(self.error(format!("the frame runs from {min} to {max} along {axis}")))
    }

    fn time_interval(&mut self) -> Result<[f64; 2], Diagnostic> {
        self.skip_blanks();
        let at = self.at;
        let start = self.number("the first moment")?;
        self.expect('-')?;
        let end = self.number("the last moment")?;
        self.expect_end()?;
        if start <= end {
            return Ok([start, end]);
        }
        self.at = at;
        Err(self.error(format!("the time ends at {end}, before it begins at {start}")))
    }

    fn frames_per_second(&mut self) -> Result<u32, Diagnostic> {
        let (rate, at) = self.whole_number("the number of frames per second")?;
        if let Ok(rate @ 1..) = u32::try_from(rate) {
            self.expect_end()?;
            return Ok(rate);
        }
        self.at = at;
        Err(self.error(format!("frames per second must be 1 to {}, not {rate}", u32::MAX)))
    }

    fn velocity(&mut self) -> Result<[f64; 2], Diagnostic> {
        let velocity = [self.lone_number("a velocity along x")?, self.lone_number("a velocity along y")?];
        self.expect_end()?;
        Ok(velocity)
    }

    fn vertices(&mut self) -> Result<Vec<[f64; 2]>, Diagnostic> {
        let (count, at) = self.whole_number("a number of vertices")?;
        let count = match usize::try_from(count) {
            Ok(count @ 3..=MAX_VERTICES) => count,
            _ => {
                self.at = at;
                let message = format!("a polygon has 3 to {MAX_VERTICES} vertices, not {count}");
                return Err(self.error(message));
            }
        };
        let mut vertices = Vec::new();
        let mut numbers = 0;
        while !self.is_at_end() {
            let x = self.lone_number("a coordinate")?;
            numbers += 1;
            if self.is_at_end() {
                break;
            }
            let y = self.lone_number("a coordinate")?;
            numbers += 1;
            if vertices.len() < count {
                vertices.push([x, y]);
            }
        }
        if numbers != 2 * count {
            self.at = at;
            let message = format!("{count} vertices need {} coordinates, the line has {numbers}", 2 * count);
            return Err(self.error(message));
        }
        Ok(vertices)
    }

    /// A whole number, and where it stands.
    fn whole_number(&mut self, what: &str) -> Result<(i64, usize), Diagnostic> {
        self.skip_blanks();
        let at = self.at;
        let length = self.rest().bytes().take_while(|&b| !is_c_space(b)).count();
        let Ok(value) = self.rest()[..length].parse() else {
            return Err(self.error(format!("{what} is due here, not {}", self.token())));
        };
        self.at += length;
        Ok((value, at))
    }
}

#[cfg(test)]
mod tests;
