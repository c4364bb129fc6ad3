//! The attributes of one XML element, read by type with Fingsics' leniency.
//!
//! Each getter asks for one attribute by name and gives its value or the default. What is left
//! unasked when [`Attributes::finish`] is called is unknown to the format and earns a warning, so
//! the list of known names is nowhere but in the calls themselves.

use roxmltree::{Attribute, Node};

use super::c_number::{is_c_space, scan_bool, scan_f32, scan_f64};
use super::remarks::{Remarks, shorten};
use super::xml_guard::Guarded;

/// The attributes of an element that have not been asked for yet.
pub(super) struct Attributes<'r, 'g, 'n> {
    element: &'n str,
    rest: Vec<Attribute<'n, 'n>>,
    guarded: &'g Guarded<'g>,
    remarks: &'r mut Remarks<'g>,
}

impl<'r, 'g, 'n> Attributes<'r, 'g, 'n> {
    pub(super) fn of(node: Node<'n, 'n>, guarded: &'g Guarded<'g>, remarks: &'r mut Remarks<'g>) -> Self {
        Self { element: node.tag_name().name(), rest: node.attributes().collect(), guarded, remarks }
    }

    /// A single number, read as `scanf("%f")` does. Unreadable: the default, with a warning.
    /// Infinite or NaN: an error.
    pub(super) fn number(&mut self, name: &str, default: f32) -> f32 {
        let Some((text, offset)) = self.take(name) else { return default };
        let Some(scanned) = scan_f32(text) else {
            let message = format!("{name}={} is no number; {default} is used", quote(text));
            self.remarks.warn(offset, message);
            return default;
        };
        if !scanned.value.is_finite() {
            self.remarks.error(offset, format!("{name}={} is not a finite number", quote(text)));
            return default;
        }
        self.warn_about_junk(name, &text[scanned.consumed..], offset + scanned.consumed);
        scanned.value
    }

    /// A truth value. Unreadable: the default, with a warning.
    pub(super) fn truth(&mut self, name: &str, default: bool) -> bool {
        let Some((text, offset)) = self.take(name) else { return default };
        scan_bool(text).unwrap_or_else(|| {
            let message = format!("{name}={} is neither true nor false; {default} is used", quote(text));
            self.remarks.warn(offset, message);
            default
        })
    }

    /// Three numbers between commas. White space does not count, not even inside a number; each
    /// piece is read as `strtod` does and then rounded to `f32`. Fewer than three, or an unreadable
    /// piece: an error.
    pub(super) fn triplet(&mut self, name: &str, default: [f32; 3]) -> [f32; 3] {
        match self.take(name) {
            Some((text, offset)) => self.parse_triplet(name, text, offset).unwrap_or(default),
            None => default,
        }
    }

    /// Three whole numbers from 0 to 255; fractions are cut off. Outside that range: an error.
    pub(super) fn colour(&mut self, name: &str, default: [u8; 3]) -> [u8; 3] {
        let Some((text, offset)) = self.take(name) else { return default };
        let Some(values) = self.parse_triplet(name, text, offset) else { return default };
        if values.iter().any(|v| !(0.0..=255.0).contains(v)) {
            self.remarks.error(offset, format!("{name}={}: each part must lie in 0 to 255", quote(text)));
            return default;
        }
        values.map(|v| v as u8)
    }

    /// Remarks on everything that was not asked for.
    pub(super) fn finish(self) {
        for attribute in self.rest {
            let offset = self.guarded.original_offset(attribute.range().start);
            let message =
                format!("unknown attribute `{}` of <{}> is ignored", shorten(attribute.name()), self.element);
            self.remarks.warn(offset, message);
        }
    }

    /// Removes an attribute from the rest: its value and the value's place in the file.
    fn take(&mut self, name: &str) -> Option<(&'n str, usize)> {
        let index = self.rest.iter().position(|a| a.name() == name && a.namespace().is_none())?;
        let attribute = self.rest.remove(index);
        Some((attribute.value(), self.guarded.original_offset(attribute.range_value().start)))
    }

    fn parse_triplet(&mut self, name: &str, text: &str, offset: usize) -> Option<[f32; 3]> {
        let mut values = [0.0; 3];
        let mut place = offset;
        let mut pieces = text.split(',');
        for (i, value) in values.iter_mut().enumerate() {
            let Some(piece) = pieces.next() else {
                self.remarks.error(offset, format!("{name}={} has {i} of 3 numbers", quote(text)));
                return None;
            };
            *value = self.parse_piece(name, text, piece, place)?;
            place += piece.len() + 1;
        }
        if pieces.next().is_some() {
            let message = format!("{name}={}: everything after the third number is ignored", quote(text));
            self.remarks.warn(place, message);
        }
        Some(values)
    }

    fn parse_piece(&mut self, name: &str, whole: &str, piece: &str, offset: usize) -> Option<f32> {
        let dense: String = piece.chars().filter(|c| !c.is_ascii() || !is_c_space(*c as u8)).collect();
        let Some(scanned) = scan_f64(&dense) else {
            let message = format!("{name}={}: {} is no number", quote(whole), quote(piece));
            self.remarks.error(offset, message);
            return None;
        };
        let value = scanned.value as f32;
        if !value.is_finite() {
            let message = format!("{name}={}: {} is not a finite number", quote(whole), quote(piece));
            self.remarks.error(offset, message);
            return None;
        }
        self.warn_about_junk(name, &dense[scanned.consumed..], offset);
        Some(value)
    }

    fn warn_about_junk(&mut self, name: &str, junk: &str, offset: usize) {
        if !junk.bytes().all(is_c_space) {
            self.remarks.warn(offset, format!("{name}: {} after the number is ignored", quote(junk.trim())));
        }
    }
}

/// A value in quotation marks, shortened if long.
fn quote(text: &str) -> String {
    format!("\"{}\"", shorten(text))
}
