//! Comment lines fit into a hundred columns, so that two files fit side by side on a screen.
//!
//! The formatter sees to code, which may be wider; it leaves comments alone on a stable compiler.
//! What cannot be broken is free: rows of tables, code blocks inside documentation, and lines with
//! an address or a path that alone is too long.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::rust_source::RustSource;

const CHECK: &str = "comment";

/// Widest line that holds a comment and nothing else, characters.
const MAX_COLUMNS: usize = 100;

/// Checks the comment lines of `sources`; `files` (path → text) has their lines as written.
pub(crate) fn check(files: &BTreeMap<String, String>, sources: &[RustSource]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        let Some(text) = files.get(&source.path) else { continue };
        let mut in_block = false;
        for (index, line) in text.lines().enumerate() {
            let is_comment = source.code.get(index).is_some_and(|code| code.trim().is_empty())
                && source.comments.get(index).is_some_and(|comment| !comment.trim().is_empty());
            if !is_comment {
                in_block = false;
                continue;
            }
            let words = line.trim_start().trim_start_matches(['/', '!']).trim_start();
            if words.starts_with("```") {
                in_block = !in_block;
            }
            let columns = line.chars().count();
            if columns > MAX_COLUMNS && !in_block && !is_unbreakable(words) {
                let message = format!("a comment of {columns} columns, at most {MAX_COLUMNS}");
                findings.push(Finding::new(CHECK, &*source.path, index + 1, message));
            }
        }
    }
    findings
}

/// Whether the text of a comment has no place to be broken.
fn is_unbreakable(words: &str) -> bool {
    words.starts_with('|') || words.contains("://") || !words.trim_end().contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let files = BTreeMap::from([("a.rs".to_owned(), text.to_owned())]);
        check(&files, &[RustSource::new("a.rs", text)]).iter().map(|f| f.line).collect()
    }

    #[test]
    fn wide_comments_are_found() {
        let wide = format!(
            "// {}\n//! {}\nfn f() {{}}\n    /// {}\n",
            "x ".repeat(48),
            "y ".repeat(60),
            "z ".repeat(60)
        );
        assert_eq!(lines(&wide), [2, 4]);
    }

    #[test]
    fn code_and_strings_are_free() {
        let code = format!("let a = \"{}\"; // why\n", "x ".repeat(60));
        assert_eq!(lines(&code), [0; 0]);
        assert_eq!(lines(&format!("let a = \"\n// {}\n\";\n", "x ".repeat(60))), [0; 0]);
    }

    #[test]
    fn tables_blocks_and_addresses_are_free() {
        let long = "x ".repeat(60);
        assert_eq!(lines(&format!("/// | {long} |\n")), [0; 0]);
        assert_eq!(lines(&format!("/// ```\n/// {long}\n/// ```\n/// {long}\n")), [4]);
        assert_eq!(lines(&format!("// https://example.org/{}\n", "x".repeat(100))), [0; 0]);
    }
}
