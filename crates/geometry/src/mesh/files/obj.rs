//! Wavefront OBJ: the lines `v` and `f`.
//!
//! Everything else (normals, textures, groups, materials, curves) is skipped unread. Faces with
//! more than three corners become fans around their first one, which is right for convex faces.
//! Indices count from 1, or back from the vertices so far if negative; of `a/b/c` the first number
//! counts. A backslash at the end of a line continues it.

use std::fmt::Write as _;

use glam::Vec3;

use super::text::{lines, point, shown, words};
use super::{Soup, SyntaxError};
use crate::mesh::{MAX_TRIANGLES, Mesh};

/// Reads vertices and triangles.
///
/// ```
/// use carom_geometry::mesh::files::read_obj;
/// let (vertices, triangles) = read_obj(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").unwrap();
/// assert_eq!((vertices.len(), triangles), (4, vec![[0, 1, 2], [0, 2, 3]]));
///
/// let error = read_obj(b"v 0 0 0\nf 1 2 3\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: there is no vertex 2 among the 1 before this line");
/// ```
///
/// # Errors
/// See [`SyntaxError`].
pub fn read_obj(bytes: &[u8]) -> Result<Soup, SyntaxError> {
    let mut reader = Reader::default();
    // A line that goes on, and where it began.
    let (mut joined, mut begun) = (Vec::new(), None);
    for (number, line) in lines(bytes) {
        let unfinished = if begun.is_none() && is_comment(line) { None } else { continued(line) };
        if begun.is_none() && unfinished.is_none() {
            reader.line(line, number)?;
            continue;
        }
        let start = *begun.get_or_insert(number);
        joined.extend_from_slice(unfinished.unwrap_or(line));
        joined.push(b' ');
        if unfinished.is_none() {
            reader.line(&joined, start)?;
            joined.clear();
            begun = None;
        }
    }
    if let Some(start) = begun {
        reader.line(&joined, start)?;
    }
    if reader.triangles.is_empty() {
        return Err(SyntaxError::NoFaces);
    }
    Ok((reader.vertices, reader.triangles))
}

/// Does the content look like OBJ? True if a line begins with `v` and nothing is binary.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    !start.contains(&0) && lines(bytes).any(|(_, line)| words(line).next() == Some(b"v"))
}

fn is_comment(line: &[u8]) -> bool {
    words(line).next().is_some_and(|word| word.starts_with(b"#"))
}

/// The line without the backslash at its end, if there is one.
fn continued(line: &[u8]) -> Option<&[u8]> {
    line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b"\\")
}

#[derive(Default)]
struct Reader {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Reader {
    fn line(&mut self, line: &[u8], number: usize) -> Result<(), SyntaxError> {
        let mut words = words(line);
        match words.next() {
            Some(b"v") => self.vertices.push(point(words, "v", number)?),
            Some(b"f") => self.face(words, number)?,
            _ => {}
        }
        if self.vertices.len() >= u32::MAX as usize || self.triangles.len() > MAX_TRIANGLES {
            return Err(SyntaxError::TooMuch { line: number });
        }
        Ok(())
    }

    fn face<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>, line: usize) -> Result<(), SyntaxError> {
        let mut corners = words.take_while(|word| !word.starts_with(b"#")).map(|word| self.index(word, line));
        let mut next = || corners.next().transpose();
        let (Some(first), Some(mut last), Some(mut corner)) = (next()?, next()?, next()?) else {
            return Err(SyntaxError::Missing { line, what: "f", needed: 3 });
        };
        // Collected first: the corners still borrow the vertices.
        let mut fan = Vec::new();
        loop {
            fan.push([first, last, corner]);
            last = corner;
            match next()? {
                Some(further) => corner = further,
                None => break,
            }
        }
        self.triangles.append(&mut fan);
        Ok(())
    }

    fn index(&self, word: &[u8], line: usize) -> Result<u32, SyntaxError> {
        let digits = word.split(|byte| *byte == b'/').next().unwrap_or(word);
        let index: i64 = std::str::from_utf8(digits)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| SyntaxError::Number { line, word: shown(word) })?;
        let vertices = self.vertices.len();
        let place = if index > 0 { index - 1 } else { vertices as i64 + index };
        if index == 0 || place < 0 || place >= vertices as i64 {
            return Err(SyntaxError::Index { line, index, vertices });
        }
        Ok(place as u32)
    }
}

/// Writes the mesh in its own order; reading it gives the same coordinates to the bit.
#[must_use]
pub fn write_obj(mesh: &Mesh) -> String {
    let mut text = String::new();
    for v in mesh.vertices() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
    }
    for [a, b, c] in mesh.indices().iter().map(|t| t.map(|v| u64::from(v) + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn faces(lines: &str) -> Result<Vec<[u32; 3]>, SyntaxError> {
        read_obj(format!("{SQUARE}{lines}").as_bytes()).map(|soup| soup.1)
    }

    #[test]
    fn indices_of_all_kinds() {
        assert_eq!(faces("f 1 2 3").unwrap(), [[0, 1, 2]]);
        assert_eq!(faces("f 1/7/8 2//9 3/1 # remark").unwrap(), [[0, 1, 2]]);
        assert_eq!(faces("f -4 -3 -1\r\n").unwrap(), [[0, 1, 3]]);
        assert_eq!(faces("f 1 2 3 4").unwrap(), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(faces("f 1 2 \\\n 3\nf 2 3 4\\").unwrap(), [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(faces("# a remark \\\nf 1 2 3").unwrap(), [[0, 1, 2]], "remarks do not go on");
    }

    #[test]
    fn errors_tell_the_line() {
        let index = |line, index| SyntaxError::Index { line, index, vertices: 4 };
        assert_eq!(faces("f 1 2 5"), Err(index(5, 5)));
        assert_eq!(faces("\nf 0 2 3"), Err(index(6, 0)));
        assert_eq!(faces("f 1 2 -5"), Err(index(5, -5)));
        assert_eq!(faces("f 1 2"), Err(SyntaxError::Missing { line: 5, what: "f", needed: 3 }));
        assert_eq!(faces("f 1 2 x"), Err(SyntaxError::Number { line: 5, word: "x".to_owned() }));
        assert_eq!(
            faces("f 1 2 99999999999999999999").map_err(|e| e.to_string()),
            Err("line 5: `99999999999999999999` is not a finite number".to_owned())
        );
        assert_eq!(faces("v 1 nan 0").unwrap_err(), SyntaxError::Number { line: 5, word: "nan".to_owned() });
        assert_eq!(
            faces("v 1 1e39 0").unwrap_err(),
            SyntaxError::Number { line: 5, word: "1e39".to_owned() }
        );
        assert_eq!(faces("v 1 2").unwrap_err(), SyntaxError::Missing { line: 5, what: "v", needed: 3 });
        assert_eq!(faces(""), Err(SyntaxError::NoFaces));
        assert_eq!(read_obj(b""), Err(SyntaxError::NoFaces));
    }

    #[test]
    fn the_rest_is_skipped_in_any_encoding() {
        let bytes = b"mtllib ../../etc/passwd\n# caf\xe9\no a b\nv 0 0 0 1.0\nv 1 0 0\nv 0 1 0\nvn x\nusemtl m\ns off\nf 1 2 3\n";
        assert_eq!(read_obj(bytes).unwrap().1, [[0, 1, 2]]);
    }
}
