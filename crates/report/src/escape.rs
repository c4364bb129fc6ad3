//! Text that comes from outside, made harmless for each kind of file.
//!
//! Everything a model holds may be hostile: a scene can be called anything. Each function here
//! takes any string and gives one that shows the same characters, and nothing but characters.

/// For XML and HTML, in text and in quoted attributes. Characters that XML forbids become U+FFFD.
pub(crate) fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' => safe.push(c),
            '\r' => safe.push('\n'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// One line of Markdown: line breaks become spaces, so nothing can begin a block, and a cell of a
/// table stays one.
pub(crate) fn markdown(text: &str) -> String {
    let line = one_line(text);
    let mut safe = String::with_capacity(line.len());
    let mut before = ' ';
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let inside_word =
            c == '_' && before.is_alphanumeric() && letters.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '\\' | '`' | '*' | '[' | ']' | '>' | '#' | '|' | '~' | '$' | '^' | '@' => safe.extend(['\\', c]),
            '_' if !inside_word => safe.push_str("\\_"),
            c => safe.push(c),
        }
        before = c;
    }
    guard_beginning(safe)
}

/// Keeps the beginning of a line from being read as a list, a rule or an underline.
fn guard_beginning(mut line: String) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_item = matches!(line.as_bytes().get(digits + 1), None | Some(b' '));
    let place = match line.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 && is_item => Some(digits),
        Some(b'-' | b'+' | b'=' | b':') if digits == 0 => Some(0),
        _ => None,
    };
    if let Some(place) = place {
        line.insert(place, '\\');
    }
    line
}

/// A fenced block of Markdown that no text in it can end.
pub(crate) fn markdown_code(text: &str, language: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    let text: String = text.replace("\r\n", "\n").chars().map(visible).collect();
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// All white space as single spaces, control characters as U+FFFD.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c != '\u{a0}' && c.is_whitespace()).collect();
    words
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .map(visible)
        .collect()
}

/// The paragraphs of a text: what empty lines keep apart.
pub(crate) fn paragraphs(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines() {
        if line.trim().is_empty() {
            all.push(String::new());
        } else if let Some(last) = all.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    all.into_iter().map(|text| one_line(&text)).filter(|text| !text.is_empty()).collect()
}

fn visible(c: char) -> char {
    if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_not_obeyed() {
        assert_eq!(xml("<b>\"a\" & 'b'</b>\0"), "&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;\u{fffd}");
        assert_eq!(
            markdown("a|b *c* [x](y) <i> &amp; `d`"),
            r"a\|b \*c\* \[x\](y) &lt;i> &amp;amp; \`d\`".replace('>', r"\>")
        );
        assert_eq!(markdown("box_pruning _x_"), r"box_pruning \_x\_");
    }

    #[test]
    fn no_line_begins_a_block() {
        for (text, safe) in [
            ("# head\n\n- item", r"\# head - item"),
            ("- item", r"\- item"),
            ("12. item", r"12\. item"),
            ("12.", r"12\."),
            ("1.5 ms", "1.5 ms"),
            ("> quote", r"\> quote"),
            ("--- ", r"\---"),
        ] {
            assert_eq!(markdown(text), safe);
        }
    }

    #[test]
    fn no_text_ends_its_fence() {
        assert_eq!(markdown_code("a\n```\nb", ""), "````\na\n```\nb\n````\n");
        assert_eq!(markdown_code("carom list\n", "sh"), "```sh\ncarom list\n```\n");
    }

    #[test]
    fn empty_lines_part_paragraphs() {
        assert_eq!(paragraphs("one\ntwo\n \n\nthree "), ["one two", "three"]);
        assert!(paragraphs(" \n").is_empty());
    }
}
