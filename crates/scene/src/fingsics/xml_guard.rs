//! The watchman before the XML parser: one pass over the bytes that lets only harmless,
//! well-behaved XML through.
//!
//! The real parsing is done by `roxmltree`, which is strict where Fingsics' parser is lenient,
//! and which, as any parser, can be made to work hard by a hostile file. The guard therefore
//!
//! * strips a byte-order mark and refuses what is no UTF-8 text (UTF-16, binary data, NUL bytes,
//!   oversized files);
//! * refuses document type definitions, hence all entities and their bombs;
//! * bounds nesting, attributes per element and namespaces, for which the parser needs more than
//!   linear time;
//! * repairs two mistakes that Fingsics ignores: no blank between two attributes, and
//!   `--` in a comment;
//! * cuts off whatever follows the root element.
//!
//! It never recurses and keeps at most [`MAX_XML_DEPTH`] open elements, so that a file of ten
//! million opening tags ends at the first one too many. It does not check names or matching tags;
//! the parser does. Offsets in the repaired text translate back by [`Guarded::original_offset`], so
//! every message refers to the file as it is on disk (without the byte-order mark, which editors do
//! not show either).

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::limits::{MAX_FILE_BYTES, MAX_XML_DEPTH};

/// Most attributes of one element; the format knows thirteen. The parser compares each with each.
const MAX_ATTRIBUTES: usize = 256;
/// Most namespace declarations of one file; the format knows none. The parser searches them for
/// every element.
const MAX_NAMESPACES: usize = 16;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A text that may go to the parser.
#[derive(Debug)]
pub(super) struct Guarded<'t> {
    /// The file's text without byte-order mark; offsets in messages refer to it.
    pub(super) original: &'t str,
    /// What the parser gets.
    pub(super) repaired: Cow<'t, str>,
    /// Where blanks were inserted, as offsets in `repaired`, ascending.
    blanks: Vec<usize>,
    /// Where blanks were missing, as offsets in `original`, ascending.
    pub(super) missing_blanks: Vec<usize>,
    /// Where ignored content after the root element begins, if there is any besides blanks and
    /// comments.
    pub(super) trailing_content: Option<usize>,
}

impl Guarded<'_> {
    /// The place in the original text of an offset in the repaired one.
    pub(super) fn original_offset(&self, repaired_offset: usize) -> usize {
        repaired_offset - self.blanks.partition_point(|&blank| blank < repaired_offset)
    }
}

/// Decodes the bytes of a text file: UTF-8 with or without byte-order mark.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, Diagnostic> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Diagnostic::new(format!(
            "the file has {} bytes, more than the limit of {MAX_FILE_BYTES}",
            bytes.len()
        )));
    }
    if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, b'<', ..] = bytes {
        return Err(Diagnostic::new("the file is encoded in UTF-16").with_hint("save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // Safe to show: the part before the first wrong byte is text.
            let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            if good.contains('\0') {
                return Err(binary(good));
            }
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            let message = format!("byte 0x{byte:02X} is not UTF-8 text");
            return Err(Diagnostic::at(good, good.len(), message)
                .with_hint("save the file as UTF-8; if it is not a text file, it is no scene"));
        }
    };
    if text.contains('\0') { Err(binary(text)) } else { Ok(text) }
}

fn binary(text: &str) -> Diagnostic {
    let offset = text.find('\0').unwrap_or_default();
    Diagnostic::at(text, offset, "a NUL byte: the file holds binary data, not text")
}

/// Checks and repairs the bytes of an XML file.
pub(super) fn guard(bytes: &[u8]) -> Result<Guarded<'_>, Diagnostic> {
    let text = decode(bytes)?;
    let mut scan = Scan { text, at: 0, open: Vec::new(), namespaces: 0, repairs: Repairs::default() };
    let root_end = scan.run()?;
    let Repairs { missing_blanks, comments } = scan.repairs;
    let rest = &text[root_end..];
    let trailing_content = first_content(rest).map(|i| root_end + i);
    let body = &text[..root_end];
    let repaired = if missing_blanks.is_empty() && comments.is_empty() {
        Cow::Borrowed(body)
    } else {
        Cow::Owned(repair(body, &missing_blanks, &comments))
    };
    let blanks = missing_blanks.iter().enumerate().map(|(i, &offset)| offset + i).collect();
    Ok(Guarded { original: text, repaired, blanks, missing_blanks, trailing_content })
}

/// Offset of the first thing after the root that is neither blank nor a complete comment.
fn first_content(rest: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += rest[at..].len() - rest[at..].trim_start().len();
        match rest[at..].strip_prefix("<!--").and_then(|comment| comment.find("-->")) {
            Some(length) => at += 4 + length + 3,
            None => return (at < rest.len()).then_some(at),
        }
    }
}

/// Inserts the missing blanks and empties the comments, line breaks excepted.
fn repair(body: &str, missing_blanks: &[usize], comments: &[Range<usize>]) -> String {
    let mut repaired = String::with_capacity(body.len() + missing_blanks.len());
    let mut copied = 0;
    let mut comments = comments.iter().peekable();
    let mut copy_until = |end: usize, repaired: &mut String| {
        while let Some(comment) = comments.next_if(|c| c.end <= end) {
            repaired.push_str(&body[copied..comment.start]);
            // One blank per byte keeps all offsets.
            repaired.extend(body[comment.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            copied = comment.end;
        }
        repaired.push_str(&body[copied..end]);
        copied = end;
    };
    for &offset in missing_blanks {
        copy_until(offset, &mut repaired);
        repaired.push(' ');
    }
    copy_until(body.len(), &mut repaired);
    repaired
}

/// What must be changed before the parser accepts the text.
#[derive(Default)]
struct Repairs {
    missing_blanks: Vec<usize>,
    /// Insides of comments that hold `--` or end with `-`.
    comments: Vec<Range<usize>>,
}

/// The pass itself.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// Offsets of the open elements' tags; never longer than the depth limit.
    open: Vec<usize>,
    namespaces: usize,
    repairs: Repairs,
}

impl Scan<'_> {
    /// Scans up to the end of the root element and returns its offset.
    fn run(&mut self) -> Result<usize, Diagnostic> {
        while let Some(step) = self.text[self.at..].find('<') {
            self.at += step;
            let rest = &self.text[self.at..];
            if rest.starts_with("<!--") {
                self.comment()?;
            } else if rest.starts_with("<![CDATA[") {
                self.skip_past("]]>", "this CDATA section never ends")?;
            } else if rest.starts_with("<?") {
                self.skip_past("?>", "this processing instruction never ends")?;
            } else if rest.starts_with("<!") {
                return Err(self.declaration());
            } else if rest.starts_with("</") {
                let tag = self.at;
                self.skip_past(">", "this tag never ends; is the file cut short?")?;
                if self.open.pop().is_none() {
                    return Err(self.remark(tag, "this closing tag belongs to no element"));
                }
                if self.open.is_empty() {
                    return Ok(self.at);
                }
            } else if self.opening_tag()? && self.open.is_empty() {
                return Ok(self.at);
            }
        }
        Err(match self.open.last() {
            Some(&tag) => {
                let message = format!("the file ends before <{}> is closed", self.tag_name(tag));
                self.remark(tag, message).with_hint("is the file cut short?")
            }
            None if self.text.trim().is_empty() => Diagnostic::new("the file is empty"),
            None => self.remark(0, "no XML element in the file: this is not a scene"),
        })
    }

    fn remark(&self, offset: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self.text, offset, message)
    }

    fn tag_name(&self, tag: usize) -> &str {
        let name = &self.text[tag + 1..];
        let end = name.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=' | '<'));
        &name[..name.floor_char_boundary(end.unwrap_or(name.len()).min(80))]
    }

    fn skip_past(&mut self, end: &str, message: &str) -> Result<(), Diagnostic> {
        match self.text[self.at..].find(end) {
            Some(length) => {
                self.at += length + end.len();
                Ok(())
            }
            None => Err(self.remark(self.at, message)),
        }
    }

    fn comment(&mut self) -> Result<(), Diagnostic> {
        let inside = self.at + 4;
        let Some(length) = self.text[inside..].find("-->") else {
            return Err(self.remark(self.at, "this comment never ends"));
        };
        let comment = &self.text[inside..inside + length];
        if comment.contains("--") || comment.ends_with('-') {
            self.repairs.comments.push(inside..inside + length);
        }
        self.at = inside + length + 3;
        Ok(())
    }

    /// The error for `<!` that starts neither comment nor CDATA.
    fn declaration(&self) -> Diagnostic {
        let word: String =
            self.text[self.at + 2..].chars().take_while(char::is_ascii_alphabetic).take(20).collect();
        match word.to_ascii_uppercase().as_str() {
            "DOCTYPE" | "ENTITY" | "ELEMENT" | "ATTLIST" | "NOTATION" => self
                .remark(self.at, format!("<!{word}: document type definitions and entities are not accepted"))
                .with_hint("delete the declaration; scenes need none"),
            _ => self.remark(self.at, format!("`<!{word}` is not XML that a scene may hold")),
        }
    }

    /// Scans an opening tag; true if it closed its element itself.
    fn opening_tag(&mut self) -> Result<bool, Diagnostic> {
        let tag = self.at;
        let bytes = self.text.as_bytes();
        let mut attributes = 0;
        let mut i = tag + 1;
        loop {
            match bytes.get(i) {
                Some(b'>') => {
                    self.at = i + 1;
                    let closed = bytes[i - 1] == b'/';
                    if !closed {
                        self.open(tag)?;
                    }
                    return Ok(closed);
                }
                Some(&quote @ (b'"' | b'\'')) => {
                    attributes += 1;
                    if attributes > MAX_ATTRIBUTES {
                        return Err(
                            self.remark(i, format!("more than {MAX_ATTRIBUTES} attributes on one element"))
                        );
                    }
                    self.count_namespace(tag, i)?;
                    let Some(length) = self.text[i + 1..].find(char::from(quote)) else {
                        return Err(
                            self.remark(i, "this attribute value never ends; is a quotation mark missing?")
                        );
                    };
                    i += length + 2;
                    // A blank, the end of the tag, or the next attribute glued to this one.
                    if bytes
                        .get(i)
                        .is_some_and(|&b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>' | b'<'))
                    {
                        self.repairs.missing_blanks.push(i);
                    }
                }
                Some(b'<') => {
                    let message = format!("`<` inside the tag <{}>; is a `>` missing?", self.tag_name(tag));
                    return Err(self.remark(i, message));
                }
                Some(_) => i += 1,
                None => {
                    let message = format!("the file ends inside the tag <{}>", self.tag_name(tag));
                    return Err(self.remark(tag, message).with_hint("is the file cut short?"));
                }
            }
        }
    }

    fn open(&mut self, tag: usize) -> Result<(), Diagnostic> {
        if self.open.len() >= MAX_XML_DEPTH {
            let message = format!("elements are nested deeper than {MAX_XML_DEPTH} levels");
            return Err(self.remark(tag, message));
        }
        self.open.push(tag);
        Ok(())
    }

    /// Counts the attribute whose value opens at `quote` if it declares a namespace.
    fn count_namespace(&mut self, tag: usize, quote: usize) -> Result<(), Diagnostic> {
        let before = self.text[tag..quote].trim_end_matches(|c: char| c == '=' || c.is_ascii_whitespace());
        let name_start =
            before.rfind(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\'')).map_or(0, |i| i + 1);
        self.namespaces += usize::from(before[name_start..].starts_with("xmlns"));
        if self.namespaces > MAX_NAMESPACES {
            return Err(self.remark(quote, format!("more than {MAX_NAMESPACES} namespace declarations")));
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "xml_guard_tests.rs"]
mod tests;
