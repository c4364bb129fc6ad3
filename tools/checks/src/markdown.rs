//! The little of Markdown the checks need: links, inline code, headings and table rows, each with
//! its line number.
//!
//! Fenced and indented-by-fence code blocks are skipped: they hold commands and sample output, not
//! statements about the repository.

/// A piece of text and its line, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The text.
    pub(crate) text: String,
    /// The line.
    pub(crate) line: usize,
}

/// Targets of the links `[text](target)` and of the definitions `[label]: target`.
pub(crate) fn links(text: &str) -> Vec<Spot> {
    let mut found = Vec::new();
    for (line, content) in prose(text) {
        let content = without_inline_code(content);
        for (at, _) in content.match_indices("](") {
            let rest = &content[at + 2..];
            if let Some(end) = rest.find(')') {
                // A title may follow the target: [text](target "title").
                let target = rest[..end].split_whitespace().next().unwrap_or_default();
                found.push(Spot { text: target.trim_matches(['<', '>']).to_owned(), line });
            }
        }
        if content.starts_with('[')
            && let Some((_, target)) = content.split_once("]: ")
        {
            found.push(Spot { text: target.split_whitespace().next().unwrap_or_default().to_owned(), line });
        }
    }
    found
}

/// The contents of `inline code`.
pub(crate) fn inline_code(text: &str) -> Vec<Spot> {
    let mut found = Vec::new();
    for (line, content) in prose(text) {
        let pieces: Vec<_> = content.split('`').collect();
        // Odd pieces stand between two backticks; a last odd piece has no closing one.
        for piece in pieces.iter().take(pieces.len() - 1).skip(1).step_by(2) {
            found.push(Spot { text: (*piece).to_owned(), line });
        }
    }
    found
}

/// The anchors of the file: its headings as GitHub names them, and explicit `id="…"` or `name="…"`.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, content) in prose(text) {
        let hashes = content.chars().take_while(|&c| c == '#').count();
        if (1..=6).contains(&hashes) && content[hashes..].starts_with(' ') {
            let slug = slug(content[hashes..].trim());
            let same = found.iter().filter(|known| **known == slug).count();
            found.push(if same == 0 { slug } else { format!("{slug}-{same}") });
        }
        for key in ["id=\"", "name=\""] {
            for (at, _) in content.match_indices(key) {
                let value = content[at + key.len()..].split('"').next().unwrap_or_default();
                found.push(value.to_owned());
            }
        }
    }
    found
}

/// The first cell of every table row, backticks removed; headers and rules included.
pub(crate) fn first_cells(text: &str) -> Vec<Spot> {
    prose(text)
        .filter_map(|(line, content)| {
            let cell = content.trim().strip_prefix('|')?.split('|').next()?;
            Some(Spot { text: cell.trim().trim_matches('`').to_owned(), line })
        })
        .collect()
}

/// The lines outside fenced code blocks, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_fence = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_fence ^= is_fence;
        (!is_fence && !in_fence).then_some((index + 1, line))
    })
}

fn without_inline_code(line: &str) -> String {
    // A link text may be code, as in [`World`](world.md): only the code is dropped, the brackets
    // stay.
    line.split('`').step_by(2).collect()
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(spots: Vec<Spot>) -> Vec<String> {
        spots.into_iter().map(|spot| spot.text).collect()
    }

    #[test]
    fn links_are_found_in_every_form() {
        let text = "See [a](docs/a.md) and [`B`](b.md#c \"title\").\n[label]: d.md\n```\n[no](e.md)\n```\n`[no](f.md)`\n";
        assert_eq!(texts(links(text)), ["docs/a.md", "b.md#c", "d.md"]);
    }

    #[test]
    fn inline_code_stands_between_two_backticks() {
        assert_eq!(texts(inline_code("a `b` c `d e` and a lone ` here")), ["b", "d e"]);
        assert_eq!(texts(inline_code("no code")), Vec::<String>::new());
    }

    #[test]
    fn headings_become_anchors_as_on_github() {
        let text = "# What it is\n## 2. C++ & *Rust*\n### Same\n### Same\n<a id=\"own\"></a>\n#hash\n";
        assert_eq!(anchors(text), ["what-it-is", "2-c--rust", "same", "same-1", "own"]);
    }

    #[test]
    fn the_first_cell_names_the_row() {
        assert_eq!(
            texts(first_cells("| crate | why |\n|---|---|\n| `glam` | vectors |\n")),
            ["crate", "---", "glam"]
        );
    }
}
