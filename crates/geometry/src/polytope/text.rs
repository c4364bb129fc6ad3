//! Polytopes as text, one line per vertex, half-edge and face:
//!
//! ```text
//! T tolerance
//! V id x y z half-edge
//! HE id pair next head face
//! F id half-edge nx ny nz d
//! ```
//!
//! A plane is n·p + d = 0. Identifiers count from 0 in each kind and lines may come in any order;
//! blank lines and what follows `#` are skipped. `T` may be missing: then the tolerance is that of
//! [`Polytope::from_faces`]. Voronoi planes are not stored but recomputed. Numbers have as many
//! digits as it takes to read the same bits back, so what was written, read and written again is
//! the same text.

use std::fmt::{Display, Write};
use std::str::FromStr;

use super::{FaceId, HalfEdge, HalfEdgeId, Polytope, PolytopeFault, VertexId, build};
use crate::primitive::Plane;
use crate::real::{Real, Vector};

carom_core::error_type! {
    /// Why a text is not a polytope.
    #[derive(Clone, Debug, PartialEq)]
    pub enum TextError {
        /// A line begins with something unknown.
        #[error("line {line}: a line begins with T, V, HE or F, not with \"{word}\"")]
        UnknownKind {
            /// Counted from 1.
            line: usize,
            /// What it begins with.
            word: String,
        },
        /// A line has too few or too many words.
        #[error("line {line}: {kind} takes {wanted} values, not {found}")]
        WrongLength {
            /// Counted from 1.
            line: usize,
            /// The first word.
            kind: &'static str,
            /// How many values belong there.
            wanted: usize,
            /// How many there are.
            found: usize,
        },
        /// A word is not a number, or not a finite one.
        #[error("line {line}: \"{word}\" is not a {wanted}")]
        BadNumber {
            /// Counted from 1.
            line: usize,
            /// The word.
            word: String,
            /// What it should be.
            wanted: &'static str,
        },
        /// An identifier is used twice.
        #[error("line {line}: {kind} {id} is there already")]
        Repeated {
            /// Counted from 1.
            line: usize,
            /// The first word.
            kind: &'static str,
            /// The identifier.
            id: u32,
        },
        /// A line names something beyond the last one of its kind.
        #[error("line {line}: there is no {kind} {id}, they count from 0 to below {count}")]
        OutOfRange {
            /// Counted from 1.
            line: usize,
            /// What is named.
            kind: &'static str,
            /// The identifier.
            id: u32,
            /// How many there are.
            count: usize,
        },
        /// There are no vertices, half-edges or faces.
        #[error("there is no line that begins with {kind}")]
        Missing {
            /// The first word.
            kind: &'static str,
        },
        /// Every line is right, but together they are not a convex polytope.
        #[error(transparent)]
        Fault(#[from] PolytopeFault),
    }
}

impl<S: Real> Polytope<S> {
    /// The polytope as text; see the [module](self).
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "T {:?}", self.tolerance)?;
        for v in self.vertices() {
            let [x, y, z] = self.point(v).to_array();
            writeln!(text, "V {} {x:?} {y:?} {z:?} {}", v.0, self.outgoing(v).0)?;
        }
        for h in self.half_edges() {
            let HalfEdge { head, pair, next, face } = self.half_edge(h);
            writeln!(text, "HE {} {} {} {} {}", h.0, pair.0, next.0, head.0, face.0)?;
        }
        for f in self.faces() {
            let Plane { normal, offset } = self.plane(f);
            let [x, y, z] = normal.to_array();
            writeln!(text, "F {} {} {x:?} {y:?} {z:?} {:?}", f.0, self.first(f).0, -offset)?;
        }
        Ok(())
    }
}

impl<S: Real + FromStr> Polytope<S> {
    /// Reads a polytope; the result fulfils [`Polytope::check`].
    ///
    /// # Errors
    ///
    /// The first line that is not understood, or what is wrong with the whole; see [`TextError`].
    ///
    /// ```
    /// use carom_geometry::polytope::Polytope;
    /// let cube = Polytope::<f32>::cube(0.5).unwrap();
    /// assert_eq!(Polytope::from_text(&cube.to_text()), Ok(cube));
    /// ```
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        let mut vertices = Table::new("V");
        let mut half_edges = Table::new("HE");
        let mut faces = Table::new("F");
        let mut tolerance = None;
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = content.split_whitespace().collect();
            let Some((&kind, words)) = words.split_first() else { continue };
            let words = Words { line: index + 1, words };
            match kind {
                "T" => tolerance = Some(words.tolerance::<S>()?),
                "V" => {
                    words.expect("V", 5)?;
                    let point = S::Vec3::new(words.number(1)?, words.number(2)?, words.number(3)?);
                    vertices.push(&words, (point, words.id(4)?))?;
                }
                "HE" => {
                    words.expect("HE", 5)?;
                    half_edges.push(&words, [words.id(1)?, words.id(2)?, words.id(3)?, words.id(4)?])?;
                }
                "F" => {
                    words.expect("F", 6)?;
                    let normal = S::Vec3::new(words.number(2)?, words.number(3)?, words.number(4)?);
                    faces.push(&words, (words.id(1)?, Plane::new(normal, -words.number::<S>(5)?)))?;
                }
                _ => return Err(TextError::UnknownKind { line: index + 1, word: shortened(kind) }),
            }
        }
        let vertices = vertices.in_order()?;
        let half_edges = half_edges.in_order()?;
        let faces = faces.in_order()?;
        let counts = [("V", vertices.len()), ("HE", half_edges.len()), ("F", faces.len())];
        let ranged = |line: usize, kind: usize, id: u32| {
            let (kind, count) = counts[kind];
            if (id as usize) < count { Ok(id) } else { Err(TextError::OutOfRange { line, kind, id, count }) }
        };
        let links = half_edges.iter().map(|&(line, [pair, next, head, face])| {
            Ok(HalfEdge {
                head: VertexId(ranged(line, 0, head)?),
                pair: HalfEdgeId(ranged(line, 1, pair)?),
                next: HalfEdgeId(ranged(line, 1, next)?),
                face: FaceId(ranged(line, 2, face)?),
            })
        });
        let links = links.collect::<Result<_, TextError>>()?;
        let outgoing = vertices.iter().map(|&(line, (_, h))| ranged(line, 1, h).map(HalfEdgeId));
        let outgoing = outgoing.collect::<Result<_, TextError>>()?;
        let first = faces.iter().map(|&(line, (h, _))| ranged(line, 1, h).map(HalfEdgeId));
        let first = first.collect::<Result<_, TextError>>()?;
        let points: Vec<S::Vec3> = vertices.iter().map(|&(_, (point, _))| point).collect();
        let planes = faces.iter().map(|&(_, (_, plane))| plane).collect();
        let tolerance = tolerance.unwrap_or_else(|| build::default_tolerance::<S>(&points));
        let polytope = Self::assemble_with(points, links, planes, tolerance, outgoing, first);
        polytope.check()?;
        Ok(polytope)
    }
}

/// The values of a line.
struct Words<'a> {
    line: usize,
    words: &'a [&'a str],
}

impl Words<'_> {
    fn expect(&self, kind: &'static str, wanted: usize) -> Result<(), TextError> {
        let found = self.words.len();
        if found == wanted {
            Ok(())
        } else {
            Err(TextError::WrongLength { line: self.line, kind, wanted, found })
        }
    }

    fn bad(&self, index: usize, wanted: &'static str) -> TextError {
        TextError::BadNumber { line: self.line, word: shortened(self.words[index]), wanted }
    }

    fn id(&self, index: usize) -> Result<u32, TextError> {
        self.words[index].parse().map_err(|_| self.bad(index, "whole number"))
    }

    fn number<S: Real + FromStr>(&self, index: usize) -> Result<S, TextError> {
        let wanted = "finite number";
        let value: S = self.words[index].parse().map_err(|_| self.bad(index, wanted))?;
        if value.is_finite() { Ok(value) } else { Err(self.bad(index, wanted)) }
    }

    fn tolerance<S: Real + FromStr>(&self) -> Result<S, TextError> {
        self.expect("T", 1)?;
        let value = self.number::<S>(0)?;
        if value >= S::ZERO { Ok(value) } else { Err(self.bad(0, "tolerance")) }
    }
}

/// A word of a hostile file, cut to a length that fits a message.
fn shortened(word: impl Display) -> String {
    word.to_string().chars().take(40).collect()
}

/// Lines of one kind, with their line numbers and identifiers.
struct Table<T> {
    kind: &'static str,
    rows: Vec<(u32, usize, T)>,
}

impl<T> Table<T> {
    fn new(kind: &'static str) -> Self {
        Self { kind, rows: Vec::new() }
    }

    fn push(&mut self, words: &Words<'_>, value: T) -> Result<(), TextError> {
        self.rows.push((words.id(0)?, words.line, value));
        Ok(())
    }

    /// The rows by identifier, which must be 0, 1, 2 and so on.
    fn in_order(mut self) -> Result<Vec<(usize, T)>, TextError> {
        let (kind, count) = (self.kind, self.rows.len());
        if count == 0 {
            return Err(TextError::Missing { kind });
        }
        self.rows.sort_by_key(|row| row.0);
        for pair in self.rows.windows(2) {
            if pair[0].0 == pair[1].0 {
                return Err(TextError::Repeated { line: pair[1].1, kind, id: pair[1].0 });
            }
        }
        match self.rows.last() {
            Some(&(id, line, _)) if id as usize >= count => {
                Err(TextError::OutOfRange { line, kind, id, count })
            }
            _ => Ok(self.rows.into_iter().map(|(_, line, value)| (line, value)).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_read_and_written_again_is_the_same_text() {
        let hulls = [
            Polytope::<f32>::prism(7, 0.1, 0.3).unwrap(),
            Polytope::<f32>::random_on_sphere(300, 1e-30, 1).unwrap(),
            Polytope::<f32>::cube(1e30).unwrap(),
        ];
        for hull in hulls {
            let text = hull.to_text();
            let read = Polytope::<f32>::from_text(&text).unwrap();
            assert_eq!(read, hull);
            assert_eq!(read.to_text(), text);
            let wide = hull.to::<f64>();
            assert_eq!(Polytope::from_text(&wide.to_text()), Ok(wide));
        }
    }

    #[test]
    fn order_of_lines_remarks_and_blanks_do_not_matter() {
        let cube = Polytope::<f32>::cube(1.0).unwrap();
        let text = cube.to_text();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.reverse();
        let shuffled = format!("# a cube\n\n{}   # the end", lines.join("\n\n"));
        assert_eq!(Polytope::from_text(&shuffled), Ok(cube));
        let without: String = text.lines().skip(1).map(|l| format!("{l}\n")).collect();
        assert!(Polytope::<f32>::from_text(&without).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let text = Polytope::<f32>::tetrahedron(1.0).unwrap().to_text();
        let with = |line: usize, replacement: &str| {
            let lines = text.lines().enumerate().map(|(i, l)| if i + 1 == line { replacement } else { l });
            let changed: Vec<&str> = lines.collect();
            Polytope::<f32>::from_text(&changed.join("\n")).unwrap_err()
        };
        assert_eq!(with(2, "W 0"), TextError::UnknownKind { line: 2, word: "W".into() });
        assert_eq!(with(3, "V 1 0 0 0"), TextError::WrongLength { line: 3, kind: "V", wanted: 5, found: 4 });
        let bad = |line, word: &str, wanted| TextError::BadNumber { line, word: word.into(), wanted };
        assert_eq!(with(3, "V 1 0 nan 0 3"), bad(3, "nan", "finite number"));
        assert_eq!(with(3, "V -1 0 0 0 3"), bad(3, "-1", "whole number"));
        assert_eq!(with(1, "T -1"), bad(1, "-1", "tolerance"));
        assert_eq!(with(3, "V 0 0 0 0 3"), TextError::Repeated { line: 3, kind: "V", id: 0 });
        let range = |kind, id, count| TextError::OutOfRange { line: 3, kind, id, count };
        assert_eq!(with(3, "V 4000000000 0 0 0 3"), range("V", 4_000_000_000, 4));
        assert_eq!(with(3, "V 1 0 0 0 12"), range("HE", 12, 12));
        assert!(matches!(with(3, "V 1 0 0 0 0"), TextError::Fault(PolytopeFault::BadVertex { .. })));
        assert!(matches!(with(3, "V 1 9 9 9 3"), TextError::Fault(_)));
        assert_eq!(Polytope::<f32>::from_text(""), Err(TextError::Missing { kind: "V" }));
    }
}
