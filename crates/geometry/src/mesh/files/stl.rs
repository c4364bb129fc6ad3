//! STL, text and binary.
//!
//! A file is binary if its length is the one that its number of triangles asks for, whatever it
//! begins with: many binary files begin with `solid`, as text does. The normals in the file are not
//! used; the order of the corners says the same and is what other programs trust. Every triangle
//! has vertices of its own: weld them.

use glam::Vec3;

use super::text::{lines, number, shown, words};
use super::{Soup, SyntaxError};
use crate::mesh::{MAX_TRIANGLES, Mesh};

/// Bytes before the number of triangles.
const HEADER: usize = 80;
/// Bytes before the first triangle.
const START: usize = HEADER + 4;
/// Bytes of a triangle: normal and corners as 12 numbers, then two bytes without meaning.
const RECORD: usize = 50;

/// Reads vertices and triangles, text or binary.
///
/// # Errors
/// See [`SyntaxError`].
pub fn read_stl(bytes: &[u8]) -> Result<Soup, SyntaxError> {
    let soup = match binary_count(bytes) {
        Some(count) if needed(count) == bytes.len() as u64 => read_binary(&bytes[START..])?,
        _ if begins_with_solid(bytes) => read_text(bytes)?,
        Some(triangles) => {
            return Err(SyntaxError::Length { triangles, needed: needed(triangles), bytes: bytes.len() });
        }
        None => {
            return Err(SyntaxError::Expected { line: 1, expected: "solid", found: shown(bytes) });
        }
    };
    if soup.1.is_empty() { Err(SyntaxError::NoFaces) } else { Ok(soup) }
}

/// Does the content look like STL?
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    begins_with_solid(bytes) || binary_count(bytes).is_some_and(|n| needed(n) == bytes.len() as u64)
}

/// The number of triangles, if the bytes are enough to say it.
fn binary_count(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(HEADER..START)?.try_into().ok()?))
}

/// Length of a binary file.
fn needed(triangles: u32) -> u64 {
    START as u64 + u64::from(triangles) * RECORD as u64
}

fn begins_with_solid(bytes: &[u8]) -> bool {
    words(&bytes[..bytes.len().min(HEADER)]).next().is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

fn read_binary(records: &[u8]) -> Result<Soup, SyntaxError> {
    let mut vertices = Vec::with_capacity(records.len() / RECORD * 3);
    for (triangle, record) in records.chunks_exact(RECORD).enumerate() {
        let mut values = record.as_chunks::<4>().0[3..12].iter().map(|bytes| f32::from_le_bytes(*bytes));
        let mut next = || {
            let value = values.next().unwrap_or(0.0);
            if value.is_finite() { Ok(value) } else { Err(SyntaxError::Coordinate { triangle, value }) }
        };
        for _ in 0..3 {
            vertices.push(Vec3::new(next()?, next()?, next()?));
        }
    }
    soup(vertices, 0)
}

fn soup(vertices: Vec<Vec3>, line: usize) -> Result<Soup, SyntaxError> {
    if vertices.len() / 3 > MAX_TRIANGLES {
        return Err(SyntaxError::TooMuch { line });
    }
    let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Ok((vertices, triangles))
}

/// The words of a text file with their lines.
struct Words<'a, I: Iterator<Item = (usize, &'a [u8])>> {
    words: I,
    line: usize,
}

impl<'a, I: Iterator<Item = (usize, &'a [u8])>> Words<'a, I> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let (line, word) = self.words.next()?;
        self.line = line;
        Some(word)
    }

    fn expect(&mut self, expected: &'static str) -> Result<(), SyntaxError> {
        match self.next() {
            Some(word) if word.eq_ignore_ascii_case(expected.as_bytes()) => Ok(()),
            word => Err(SyntaxError::Expected {
                line: self.line,
                expected,
                found: word.map_or(String::new(), shown),
            }),
        }
    }

    fn number(&mut self) -> Result<f32, SyntaxError> {
        let word = self.next().ok_or(SyntaxError::Missing { line: self.line, what: "vertex", needed: 3 })?;
        number(word, self.line)
    }
}

fn read_text(bytes: &[u8]) -> Result<Soup, SyntaxError> {
    // The names after `solid` and `endsolid` are free text: such lines are reduced to their first
    // word.
    let all = lines(bytes).flat_map(|(line, content)| {
        let named =
            |word: &[u8]| word.eq_ignore_ascii_case(b"solid") || word.eq_ignore_ascii_case(b"endsolid");
        let only_first = words(content).next().is_some_and(named);
        words(content).take(if only_first { 1 } else { usize::MAX }).map(move |word| (line, word))
    });
    let mut words = Words { words: all, line: 1 };
    let mut vertices = Vec::new();
    words.expect("solid")?;
    let mut open = true;
    while let Some(word) = words.next() {
        let expected = if open { "facet" } else { "solid" };
        if word.eq_ignore_ascii_case(b"endsolid") && open || word.eq_ignore_ascii_case(b"solid") && !open {
            open = !open;
        } else if open && word.eq_ignore_ascii_case(b"facet") {
            facet(&mut words, &mut vertices)?;
        } else {
            return Err(SyntaxError::Expected { line: words.line, expected, found: shown(word) });
        }
    }
    if open {
        return Err(SyntaxError::Expected { line: words.line, expected: "endsolid", found: String::new() });
    }
    soup(vertices, words.line)
}

fn facet<'a>(
    words: &mut Words<'a, impl Iterator<Item = (usize, &'a [u8])>>,
    vertices: &mut Vec<Vec3>,
) -> Result<(), SyntaxError> {
    words.expect("normal")?;
    // Some programs write `nan` for the normal of a sliver; it is not used anyway.
    for _ in 0..3 {
        words.next();
    }
    words.expect("outer")?;
    words.expect("loop")?;
    for _ in 0..3 {
        words.expect("vertex")?;
        vertices.push(Vec3::new(words.number()?, words.number()?, words.number()?));
    }
    words.expect("endloop")?;
    words.expect("endfacet")
}

/// Writes the mesh as binary STL; reading it gives the same triangles to the bit.
#[must_use]
pub fn write_stl(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(START + mesh.triangle_count() * RECORD);
    bytes.resize(HEADER, 0);
    bytes.extend((mesh.triangle_count() as u32).to_le_bytes());
    for t in 0..mesh.triangle_count() as u32 {
        let [a, b, c] = mesh.triangle(t).corners();
        for point in [mesh.normal(t).unwrap_or(Vec3::ZERO), a, b, c] {
            bytes.extend(point.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid a name with facet in it
        facet normal 0 0 nan
          outer loop
            vertex 0 0 0
            vertex 1 0 0
            vertex 0 1e0 -0.5
          endloop
        endfacet
      endsolid a name";

    #[test]
    fn text_is_read_whatever_its_case() {
        for text in [TEXT.to_owned(), TEXT.to_uppercase(), format!("{TEXT}\n{TEXT}\n")] {
            let (vertices, triangles) = read_stl(text.as_bytes()).unwrap();
            assert_eq!(vertices[2], Vec3::new(0.0, 1.0, -0.5));
            assert_eq!((triangles[0], vertices.len()), ([0, 1, 2], 3 * triangles.len()));
        }
    }

    #[test]
    fn every_cut_through_a_text_is_an_error_or_another_text() {
        let whole = TEXT.find("endsolid").unwrap() + "endsolid".len();
        for end in 0..whole {
            assert!(read_stl(&TEXT.as_bytes()[..end]).is_err(), "{end}");
        }
        let cut = TEXT.replace("endfacet", "facet");
        let error = read_stl(cut.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 8: `endfacet` expected, but there is `facet`");
        let bad = TEXT.replace("1e0", "inf");
        assert_eq!(read_stl(bad.as_bytes()), Err(SyntaxError::Number { line: 6, word: "inf".to_owned() }));
        assert_eq!(read_stl(b"solid x\nendsolid x\n"), Err(SyntaxError::NoFaces));
    }

    fn binary(header: &[u8], count: u32, records: usize) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(HEADER, b' ');
        bytes.extend(count.to_le_bytes());
        for k in 0..records {
            bytes.extend((0..12).flat_map(|c| (c as f32 + k as f32).to_le_bytes()));
            bytes.extend([7, 7]);
        }
        bytes
    }

    #[test]
    fn binary_is_known_by_its_length_even_if_it_begins_like_text() {
        for header in [b"solid binary".as_slice(), b"made by hand"] {
            let (vertices, triangles) = read_stl(&binary(header, 2, 2)).unwrap();
            assert_eq!(
                (triangles.len(), vertices[0], vertices[5]),
                (2, Vec3::new(3.0, 4.0, 5.0), Vec3::new(10.0, 11.0, 12.0))
            );
        }
    }

    #[test]
    fn a_wrong_count_is_an_error_before_memory_is_asked_for() {
        assert_eq!(
            read_stl(&binary(b"x", u32::MAX, 1)),
            Err(SyntaxError::Length {
                triangles: u32::MAX,
                needed: 84 + 50 * u64::from(u32::MAX),
                bytes: 134
            })
        );
        assert!(matches!(read_stl(&binary(b"x", 1, 2)), Err(SyntaxError::Length { .. })));
        assert!(matches!(read_stl(b"short"), Err(SyntaxError::Expected { line: 1, .. })));
        assert_eq!(read_stl(&binary(b"x", 0, 0)), Err(SyntaxError::NoFaces));
        let mut bytes = binary(b"x", 2, 2);
        bytes[START + RECORD + 12..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert_eq!(read_stl(&bytes), Err(SyntaxError::Coordinate { triangle: 1, value: f32::INFINITY }));
    }
}
