//! A Rust file seen as three parallel lists of lines: code, comments, and whether the line is test
//! code.
//!
//! The lexer knows just enough Rust to tell code from comments, strings and character literals, and
//! blanks what is not code with spaces, so line numbers and columns stay. A full parser (`syn`)
//! would be exact also inside macros, at the price of a dependency; no rule here needs more than
//! tokens.

/// A Rust file, split for the checks.
pub(crate) struct RustSource {
    /// Path from the root of the repository.
    pub(crate) path: String,
    /// Code of each line; comments and the contents of literals are blanks.
    pub(crate) code: Vec<String>,
    /// Comment text of each line; code is blanks.
    pub(crate) comments: Vec<String>,
    /// Whether the line belongs to an item under `#[cfg(test)]`, or the file to a `tests` or
    /// `benches` folder.
    pub(crate) is_test: Vec<bool>,
    /// Modules declared as `#[cfg(test)] mod name;`, which live in files of their own.
    pub(crate) test_modules: Vec<String>,
}

impl RustSource {
    /// Splits `text`, the file at `path`.
    pub(crate) fn new(path: impl Into<String>, text: &str) -> Self {
        let path = path.into();
        let (code, comments) = split(text);
        let (mut is_test, test_modules) = test_regions(&code);
        if in_test_folder(&path) {
            is_test.fill(true);
        }
        let lines = |s: &str| s.lines().map(str::to_owned).collect::<Vec<_>>();
        Self { path, code: lines(&code), comments: lines(&comments), is_test, test_modules }
    }

    /// The lines of code with their numbers from 1, test code left out.
    pub(crate) fn shipped_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.code.iter().zip(&self.is_test).enumerate();
        lines.filter(|(_, (_, is_test))| !**is_test).map(|(i, (line, _))| (i + 1, line.as_str()))
    }

    /// The prefixes of the paths where the modules declared as `#[cfg(test)] mod name;` live.
    pub(crate) fn test_module_prefixes(&self) -> Vec<String> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let stem = file.trim_end_matches(".rs");
        let base = match stem {
            "lib" | "main" | "mod" => folder.to_owned(),
            _ => format!("{folder}/{stem}"),
        };
        self.test_modules.iter().map(|name| format!("{base}/{name}")).collect()
    }
}

/// Whether `path` lies in a folder of tests or benchmarks.
pub(crate) fn in_test_folder(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| part == "tests" || part == "benches")
}

/// The positions at which `word` stands alone in `line`: no letter, digit or underscore on either
/// side.
pub(crate) fn find_word<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        !line[..at].chars().next_back().is_some_and(is_part)
            && !line[at + word.len()..].chars().next().is_some_and(is_part)
    })
}

/// Code and comments of `text`, each with everything else blanked; both keep every line break.
fn split(text: &str) -> (String, String) {
    let chars: Vec<char> = text.chars().collect();
    let mut out =
        Split { code: String::with_capacity(text.len()), comments: String::with_capacity(text.len()) };
    let mut at = 0;
    while at < chars.len() {
        let next = chars.get(at + 1).copied();
        let end = match chars[at] {
            '/' if next == Some('/') => end_of_line(&chars, at),
            '/' if next == Some('*') => end_of_block_comment(&chars, at),
            '"' => end_of_string(&chars, at),
            'r' | 'b' | 'c' if !follows_word(&chars, at) => match prefixed_string(&chars, at) {
                Some(end) => end,
                None => {
                    out.code(chars[at]);
                    at += 1;
                    continue;
                }
            },
            '\'' => match end_of_char_literal(&chars, at) {
                Some(end) => end,
                None => {
                    out.code('\'');
                    at += 1;
                    continue;
                }
            },
            c => {
                out.code(c);
                at += 1;
                continue;
            }
        };
        let is_comment = chars[at] == '/';
        for &c in &chars[at..end] {
            if is_comment {
                out.comment(c);
            } else {
                out.blank(c);
            }
        }
        at = end;
    }
    (out.code, out.comments)
}

struct Split {
    code: String,
    comments: String,
}

impl Split {
    fn code(&mut self, c: char) {
        self.code.push(c);
        self.comments.push(if c == '\n' { '\n' } else { ' ' });
    }

    fn comment(&mut self, c: char) {
        self.comments.push(c);
        self.code.push(if c == '\n' { '\n' } else { ' ' });
    }

    fn blank(&mut self, c: char) {
        let c = if c == '\n' { '\n' } else { ' ' };
        self.code.push(c);
        self.comments.push(c);
    }
}

fn follows_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn end_of_line(chars: &[char], at: usize) -> usize {
    chars[at..].iter().position(|&c| c == '\n').map_or(chars.len(), |n| at + n)
}

/// Block comments nest in Rust.
fn end_of_block_comment(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    chars.len()
}

/// End of the string whose opening quote stands at `quote`.
fn end_of_string(chars: &[char], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// End of `r"…"`, `r#"…"#`, `b"…"`, `br"…"`, `c"…"`, `cr"…"` or `b'…'` at `start`; `None` for a
/// plain word.
fn prefixed_string(chars: &[char], start: usize) -> Option<usize> {
    let mut at = start;
    if matches!(chars[at], 'b' | 'c') {
        at += 1;
        match chars.get(at)? {
            '"' => return Some(end_of_string(chars, at)),
            '\'' => return end_of_char_literal(chars, at),
            'r' => {}
            _ => return None,
        }
    }
    at += 1;
    let hashes = chars[at..].iter().take_while(|&&c| c == '#').count();
    at += hashes;
    if chars.get(at) != Some(&'"') {
        return None;
    }
    at += 1;
    while at < chars.len() {
        if chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// End of the character literal at `quote`; `None` if the quote starts a lifetime.
fn end_of_char_literal(chars: &[char], quote: usize) -> Option<usize> {
    match chars.get(quote + 1)? {
        '\\' => {
            let close = chars.get(quote + 3..)?.iter().position(|&c| c == '\'')?;
            Some(quote + 3 + close + 1)
        }
        _ => (chars.get(quote + 2) == Some(&'\'')).then_some(quote + 3),
    }
}

/// Which lines of `code` belong to items under `#[cfg(test)]`, and the out-of-line modules among
/// these items.
fn test_regions(code: &str) -> (Vec<bool>, Vec<String>) {
    let mut is_test = vec![false; code.lines().count()];
    let mut modules = Vec::new();
    for (start, _) in code.match_indices("#[cfg(") {
        let Some(length) = code[start..].find(']') else { continue };
        let attribute = &code[start..start + length];
        if find_word(attribute, "test").next().is_none() || attribute.contains("not(test") {
            continue;
        }
        let after = start + length + 1;
        let Some(stop) = code[after..].find(['{', ';']) else { continue };
        let end = if code[after + stop..].starts_with('{') {
            end_of_braces(code, after + stop)
        } else {
            if let Some(name) = module_name(&code[after..after + stop]) {
                modules.push(name);
            }
            after + stop
        };
        let line_of = |at: usize| code[..at].matches('\n').count();
        let last = line_of(end).min(is_test.len().saturating_sub(1));
        is_test[line_of(start)..=last].fill(true);
    }
    (is_test, modules)
}

fn module_name(item: &str) -> Option<String> {
    let at = find_word(item, "mod").next()?;
    Some(item[at + "mod".len()..].trim().to_owned())
}

fn end_of_braces(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + at;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(text: &str) -> String {
        RustSource::new("a.rs", text).code.join("\n")
    }

    #[test]
    fn comments_strings_and_characters_are_not_code() {
        let text = "let a = \"x.sin()\"; // y.cos()\nlet b = 'q'; /* z /* n */ w */ let c = r#\"un\"safe\"#;";
        let code = code_of(text);
        for gone in ["sin", "cos", "q", "z", "w", "un", "safe"] {
            assert_eq!(find_word(&code, gone).next(), None, "{gone} in {code}");
        }
        assert!(code.contains("let c ="));
    }

    #[test]
    fn escapes_and_byte_literals_end_where_rust_ends_them() {
        let code = code_of(r#"f("\"", b'\'', '\u{1F600}', b"\\", c"z", br"\"); g"#);
        assert_eq!(code, "f(    ,      ,            ,      ,     ,      ); g");
    }

    #[test]
    fn lifetimes_are_code() {
        assert_eq!(code_of("fn f<'a>(x: &'a str) {}"), "fn f<'a>(x: &'a str) {}");
    }

    #[test]
    fn columns_and_lines_stay() {
        let source = RustSource::new("a.rs", "a /* x\ny */ b\n\"p\nq\" c");
        assert_eq!(source.code, ["a     ", "     b", "  ", "   c"]);
        assert_eq!(source.comments[1].trim(), "y */");
    }

    #[test]
    fn test_modules_are_marked_to_their_closing_brace() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { if x { } }\n}\nfn c() {}\n";
        assert_eq!(RustSource::new("src/a.rs", text).is_test, [false, true, true, true, true, false]);
        let not_test = "#[cfg(not(test))]\nfn a() {}\n";
        assert_eq!(RustSource::new("src/a.rs", not_test).is_test, [false, false]);
    }

    #[test]
    fn test_modules_in_files_of_their_own_are_known_by_path() {
        let source = RustSource::new("crates/a/src/sweep.rs", "#[cfg(test)]\nmod oracle;\nfn a() {}\n");
        assert_eq!(source.test_module_prefixes(), ["crates/a/src/sweep/oracle"]);
        assert_eq!(source.is_test, [true, true, false]);
        let root = RustSource::new("crates/a/src/lib.rs", "#[cfg(test)] mod oracle;");
        assert_eq!(root.test_module_prefixes(), ["crates/a/src/oracle"]);
    }

    #[test]
    fn folders_of_tests_are_all_test() {
        assert!(in_test_folder("crates/a/tests/b.rs"));
        assert!(in_test_folder("crates/a/benches/b.rs"));
        assert!(!in_test_folder("crates/a/src/tests.rs"));
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(find_word("unsafe_code unsafe", "unsafe").collect::<Vec<_>>(), [12]);
    }
}
