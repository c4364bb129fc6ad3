//! Trees in files, for worlds that are built once and only loaded later.
//!
//! All numbers are little-endian. A header (magic, version, kind, dimensions, limits, four
//! lengths), then the boxes, ids, entries, indices of large boxes and nodes as arrays, then a
//! checksum (64-bit FNV-1a) over everything before it. Ends and volumes of nodes follow from the
//! rest and are not stored.
//!
//! A reader believes nothing: lengths must fit the number of bytes before memory is taken, every
//! index is checked, every box must be listed. What a file cannot break in a checked tree is that
//! walks end and indices are in range; a forged file with a right checksum may still describe cells
//! that do not fit its boxes.

use carom_core::envelope::{Envelope, EnvelopeError, Layout};
use carom_geometry::Aabb;

use super::tree::{CellTree, Kind, Limits, Node};

const VERSION: u32 = 1;
const ENVELOPE: Envelope =
    Envelope { magic: *b"CAROMCT\x1a", version: VERSION, layout: Layout::TrailingFnv1a };
/// Magic, six numbers of 4 bytes, four lengths of 8.
const HEADER: usize = 8 + 6 * 4 + 4 * 8;
const CHECKSUM: usize = 8;

carom_core::error_type! {
    /// Why bytes are no tree.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FileError {
        /// The file begins with something else.
        #[error("not a tree file: it does not begin with the magic bytes")]
        Magic,
        /// A version that is not known.
        #[error("tree file of version {found}: this reader knows version {VERSION}")]
        Version {
            /// Version in the file.
            found: u32,
        },
        /// A tree of another space.
        #[error("tree of {found} dimensions: expected {expected}")]
        Dimensions {
            /// Dimensions in the file.
            found: u32,
            /// Dimensions asked for.
            expected: usize,
        },
        /// A kind of tree that is not known.
        #[error("tree of unknown kind {found}")]
        Kind {
            /// Number in the file.
            found: u32,
        },
        /// Too few or too many bytes.
        #[error("{found} bytes: the header promises {expected}")]
        Length {
            /// Bytes given.
            found: usize,
            /// Bytes expected, as far as known.
            expected: u64,
        },
        /// The bytes are not those that were written.
        #[error("the checksum is wrong: the file is damaged")]
        Checksum,
        /// A part that makes no sense.
        #[error("{part} {index}: {problem}")]
        Content {
            /// What it is part of.
            part: &'static str,
            /// Its number there.
            index: usize,
            /// What is wrong.
            problem: &'static str,
        },
    }
}

fn box_bytes(dimensions: usize) -> u64 {
    8 * dimensions as u64
}

fn node_bytes(dimensions: usize) -> u64 {
    // Cell, cut, offset, depth, first, count.
    box_bytes(dimensions) + 4 * dimensions as u64 + 16
}

/// Reads numbers from front to back; whoever reads has compared the lengths before.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        match self.bytes.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.bytes = rest;
                Ok(*head)
            }
            None => Err(FileError::Length { found: self.bytes.len(), expected: N as u64 }),
        }
    }

    fn word(&mut self) -> Result<u32, FileError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn length(&mut self) -> Result<u64, FileError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn words(&mut self, count: usize) -> Result<Vec<u32>, FileError> {
        (0..count).map(|_| self.word()).collect()
    }

    fn numbers<const D: usize>(&mut self) -> Result<[f32; D], FileError> {
        let mut numbers = [0.0; D];
        for number in &mut numbers {
            *number = f32::from_bits(self.word()?);
        }
        Ok(numbers)
    }

    fn aabb<const D: usize>(&mut self) -> Result<Aabb<D>, FileError> {
        Ok(Aabb { min: self.numbers()?, max: self.numbers()? })
    }
}

impl<const D: usize> CellTree<D> {
    /// The tree as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ENVELOPE.begin();
        let word = |out: &mut Vec<u8>, word: u32| out.extend_from_slice(&word.to_le_bytes());
        for value in [self.kind as u32, D as u32, self.limits.leaf, self.limits.depth, 0] {
            word(&mut out, value);
        }
        for length in [self.boxes.len(), self.items.len(), self.large.len(), self.nodes.len()] {
            out.extend_from_slice(&(length as u64).to_le_bytes());
        }
        let numbers =
            |out: &mut Vec<u8>, numbers: &[f32]| numbers.iter().for_each(|n| word(out, n.to_bits()));
        for aabb in &self.boxes {
            numbers(&mut out, &aabb.min);
            numbers(&mut out, &aabb.max);
        }
        for &value in self.ids.iter().chain(&self.items).chain(&self.large) {
            word(&mut out, value);
        }
        for node in &self.nodes {
            numbers(&mut out, &node.cell.min);
            numbers(&mut out, &node.cell.max);
            numbers(&mut out, &node.cut);
            numbers(&mut out, &[node.offset]);
            [node.depth, node.first, node.count].into_iter().for_each(|value| word(&mut out, value));
        }
        ENVELOPE.finish(out)
    }

    /// The tree that was saved as these bytes.
    ///
    /// # Errors
    /// If they are no tree of `D` dimensions, or damaged; see [`FileError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let shortest = FileError::Length { found: bytes.len(), expected: (HEADER + CHECKSUM) as u64 };
        let unsealed = |error| match error {
            EnvelopeError::Magic => FileError::Magic,
            EnvelopeError::Version { found } => FileError::Version { found },
            EnvelopeError::Truncated { .. } => shortest.clone(),
            EnvelopeError::Checksum { .. } => FileError::Checksum,
        };
        let mut reader = Reader { bytes: ENVELOPE.check_start(bytes).map_err(unsealed)? };
        if bytes.len() < HEADER + CHECKSUM {
            return Err(shortest);
        }
        let [kind, dimensions, leaf, depth, _] = {
            let mut header = [0; 5];
            for value in &mut header {
                *value = reader.word()?;
            }
            header
        };
        if dimensions as usize != D {
            return Err(FileError::Dimensions { found: dimensions, expected: D });
        }
        let kind = Kind::ALL
            .into_iter()
            .find(|known| *known as u32 == kind)
            .ok_or(FileError::Kind { found: kind })?;
        let lengths = [reader.length()?, reader.length()?, reader.length()?, reader.length()?];
        // Saturating: a length that does not fit is not the length of these bytes either.
        let sizes = [box_bytes(D) + 4, 4, 4, node_bytes(D)];
        let content =
            lengths.iter().zip(sizes).fold(0u64, |sum, (n, size)| sum.saturating_add(n.saturating_mul(size)));
        let expected = content.saturating_add((HEADER + CHECKSUM) as u64);
        if expected != bytes.len() as u64 {
            return Err(FileError::Length { found: bytes.len(), expected });
        }
        ENVELOPE.open(bytes).map_err(unsealed)?;
        let [boxes, items, large, nodes] = lengths.map(|n| n as usize);
        let mut tree = Self::empty(kind, Limits { leaf, depth });
        tree.boxes = (0..boxes).map(|_| reader.aabb()).collect::<Result<_, _>>()?;
        tree.ids = reader.words(boxes)?;
        tree.items = reader.words(items)?;
        tree.large = reader.words(large)?;
        tree.nodes = (0..nodes).map(|_| read_node(&mut reader)).collect::<Result<_, _>>()?;
        tree.check()?;
        tree.finish();
        Ok(tree)
    }

    /// Checks what came from outside.
    fn check(&self) -> Result<(), FileError> {
        let bad = |part, index, problem| Err(FileError::Content { part, index, problem });
        if let Some(index) = self.boxes.iter().position(|aabb| !aabb.is_valid()) {
            return bad("box", index, "NaN, or the minimum above the maximum");
        }
        if let Some(index) = self.ids.windows(2).position(|pair| pair[0] >= pair[1]) {
            return bad("id", index + 1, "not above the one before it");
        }
        let mut listed = vec![false; self.boxes.len()];
        let mut mark = |list: &[u32], part| {
            for (index, &at) in list.iter().enumerate() {
                match listed.get_mut(at as usize) {
                    Some(seen) => *seen = true,
                    None => return bad(part, index, "names a box that is not there"),
                }
            }
            Ok(())
        };
        mark(&self.items, "entry")?;
        mark(&self.large, "large box")?;
        if let Some(index) = self.large.windows(2).position(|pair| pair[0] >= pair[1]) {
            return bad("large box", index + 1, "not above the one before it");
        }
        let mut next = 0;
        for (index, node) in self.nodes.iter().enumerate() {
            let above = if index == 0 { 0 } else { self.nodes[index - 1].depth.saturating_add(1) };
            if node.depth > above || (index > 0 && node.depth == 0) {
                return bad("node", index, "has no parent");
            }
            if node.count > 0 && node.first as usize != next || node.count as usize > self.items.len() - next
            {
                return bad("node", index, "its entries do not follow those of the node before it");
            }
            next += node.count as usize;
            let list = if node.count > 0 { &self.items[node.items()] } else { &[] };
            if list.windows(2).any(|pair| pair[0] >= pair[1]) {
                return bad("node", index, "its entries are not in ascending order");
            }
        }
        if next != self.items.len() {
            return bad("entry", next, "belongs to no node");
        }
        match listed.iter().position(|seen| !seen) {
            Some(index) => bad("box", index, "stands in no node"),
            None => Ok(()),
        }
    }
}

fn read_node<const D: usize>(reader: &mut Reader) -> Result<Node<D>, FileError> {
    let mut node = Node::new(reader.aabb()?, 0);
    node.cut = reader.numbers()?;
    [node.offset] = reader.numbers()?;
    node.depth = reader.word()?;
    node.first = reader.word()?;
    node.count = reader.word()?;
    if node.count == 0 {
        node.first = 0;
    }
    Ok(node)
}
