//! How a scene is laid out as TOML: what a person would have typed.
//!
//! The `toml` crate's own writer gives every nested table a header, which makes five lines of a
//! sphere. This one writes `[[body]]` and `[solver]` headers at the top level only, and below them
//! one line per key: `shape.sphere = { radius = 0.5 }`. What is too wide for a line takes one per
//! entry.
//!
//! The wire types are first turned into a [`Node`] tree by a small serde serialiser
//! ([`super::node`]).

use std::fmt::Write as _;

use super::node::Node;

/// Widest list written on one line, characters; longer ones take one line per entry.
const LINE_WIDTH: usize = 90;

/// The whole document.
pub(super) fn document(root: &Node) -> String {
    let mut out = String::new();
    let Node::Table(entries) = root else { return out };
    for (key, value) in entries {
        if !value.is_table() && !value.is_list_of_tables() {
            line(&mut out, key, value);
        }
    }
    for (key, value) in entries {
        match value {
            Node::Table(inner) => match inner.as_slice() {
                [(only, Node::Table(deepest))] => section(&mut out, &format!("[{key}.{only}]"), deepest),
                _ => section(&mut out, &format!("[{key}]"), inner),
            },
            Node::List(items) if value.is_list_of_tables() => {
                let header = format!("[[{key}]]");
                for item in items {
                    if let Node::Table(inner) = item {
                        section(&mut out, &header, inner);
                    }
                }
            }
            _ => {}
        }
    }
    out
}

fn section(out: &mut String, header: &str, entries: &[(&'static str, Node)]) {
    out.push('\n');
    out.push_str(header);
    out.push('\n');
    for (key, value) in entries {
        match value {
            // A list of one table is written as the table: the reader takes both.
            Node::List(items) if value.is_list_of_tables() && items.len() == 1 => dotted(out, key, &items[0]),
            Node::Table(_) => dotted(out, key, value),
            _ => line(out, key, value),
        }
    }
}

/// `shape.sphere = { radius = 0.5 }`: the table's keys, one line each.
fn dotted(out: &mut String, key: &str, table: &Node) {
    match table {
        Node::Table(entries) if !entries.is_empty() => {
            for (inner, value) in entries {
                line(out, &format!("{key}.{inner}"), value);
            }
        }
        other => line(out, key, other),
    }
}

/// One `key = value` line, or several where the value is too wide: a list by its entries, a table
/// by its keys.
fn line(out: &mut String, key: &str, value: &Node) {
    let start = out.len();
    out.push_str(key);
    out.push_str(" = ");
    let value_start = out.len();
    inline(out, value);
    if out.len() - value_start > LINE_WIDTH {
        match value {
            Node::List(items) => {
                out.truncate(value_start);
                tall_list(out, items);
            }
            Node::Table(_) => {
                out.truncate(start);
                dotted(out, key, value);
                return;
            }
            Node::Absent | Node::Scalar(_) => {}
        }
    }
    out.push('\n');
}

/// Numbers are packed to the line width, everything else takes a line per entry.
fn tall_list(out: &mut String, items: &[Node]) {
    out.push_str("[\n");
    let mut column = 0;
    for item in items {
        let packed = matches!(item, Node::Scalar(_));
        let start = out.len();
        out.push_str(if column == 0 { "  " } else { " " });
        inline(out, item);
        out.push(',');
        column += out.len() - start;
        if !packed || column > LINE_WIDTH {
            out.push('\n');
            column = 0;
        }
    }
    out.push_str(if column == 0 { "]" } else { "\n]" });
}

fn inline(out: &mut String, value: &Node) {
    match value {
        Node::Absent => {}
        Node::Scalar(text) => out.push_str(text),
        Node::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                inline(out, item);
            }
            out.push(']');
        }
        Node::Table(entries) if entries.is_empty() => out.push_str("{}"),
        Node::Table(entries) => {
            for (i, (key, value)) in entries.iter().enumerate() {
                out.push_str(if i == 0 { "{ " } else { ", " });
                out.push_str(key);
                out.push_str(" = ");
                inline(out, value);
            }
            out.push_str(" }");
        }
    }
}

/// An `f32` in the fewest digits that give it back. Whole numbers lose their point: `5`, not `5.0`.
///
/// TOML numbers are read as `f64` and then rounded to `f32`. The shortest digits of an `f32`
/// survive that double rounding for every value but one, ±7.038531e-26 (all 2³² were tried); it
/// gets the digits of the `f64`.
pub(super) fn number(value: f32) -> String {
    let text = short(&format!("{value:?}"));
    let survives = text.parse::<f64>().is_ok_and(|wide| (wide as f32).to_bits() == value.to_bits());
    if survives || !value.is_finite() { text } else { wide_number(f64::from(value)) }
}

/// An `f64` in the fewest digits that give it back.
pub(super) fn wide_number(value: f64) -> String {
    short(&format!("{value:?}"))
}

fn short(debug: &str) -> String {
    match debug.strip_suffix(".0") {
        // The integer 0 has no sign.
        Some(whole) if whole != "-0" => whole.to_owned(),
        _ if debug == "NaN" => "nan".to_owned(),
        _ => debug.to_owned(),
    }
}

/// A TOML basic string. Descriptions may have several lines; escapes keep them on one.
pub(super) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_come_back_to_the_bit() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0.0"),
            (5.0, "5"),
            (-9.81, "-9.81"),
            (0.1, "0.1"),
            (16_777_216.0, "16777216"),
            (1e-45, "1e-45"),
            (f32::MAX, "3.4028235e38"),
            (f32::MIN_POSITIVE, "1.1754944e-38"),
        ] {
            assert_eq!(number(value), text);
        }
        // The shortest digits of this one, read as f64 and rounded, give its neighbour.
        let rare = f32::from_bits(0x15ae_43fd);
        assert_eq!(format!("{rare:?}"), "7.038531e-26");
        assert_eq!((number(rare).parse::<f64>().unwrap() as f32).to_bits(), 0x15ae_43fd);
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string("a\"b\\c\nd\u{1}é"), "\"a\\\"b\\\\c\\nd\\u0001é\"");
    }
}
