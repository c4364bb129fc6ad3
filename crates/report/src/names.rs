//! File names from names of figures: safe on every system, no two alike.

/// Longer names are cut: some systems allow 255 bytes with the path of the folder before them.
const MAX_LENGTH: usize = 80;

/// Names that Windows keeps for devices, whatever their ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Gives out names and remembers them.
#[derive(Debug)]
pub(crate) struct Names {
    taken: Vec<String>,
}

impl Names {
    /// Nothing is taken but the name of the report itself.
    pub(crate) fn new() -> Self {
        Self { taken: vec!["report".to_owned()] }
    }

    /// A stem for `wish`, or for `otherwise` if nothing of the wish can be kept.
    pub(crate) fn take(&mut self, wish: &str, otherwise: &str) -> String {
        let mut stem = safe(wish);
        if stem.is_empty() {
            stem = otherwise.to_owned();
        }
        let mut name = stem.clone();
        let mut number = 2;
        // Some systems do not tell A from a.
        while self.taken.contains(&name.to_ascii_lowercase()) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        self.taken.push(name.to_ascii_lowercase());
        name
    }
}

/// Letters, digits, `_`, `-` and inner dots of `wish`; anything else becomes a dash.
fn safe(wish: &str) -> String {
    let mut stem = String::new();
    for c in wish.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') {
            stem.push(c);
        } else if !stem.ends_with('-') {
            stem.push('-');
        }
        if stem.len() == MAX_LENGTH {
            break;
        }
    }
    let stem = stem.trim_matches(['-', '.']);
    let first = stem.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |kind| {
        first.strip_prefix(kind).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    if DEVICES.contains(&&*first) || numbered("com") || numbered("lpt") {
        return format!("x-{stem}");
    }
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        let mut names = Names::new();
        let given = [
            "../../etc/passwd",
            "time per frame",
            "Time-Per-Frame",
            "",
            "nul.txt",
            "report",
            "COM1",
            "ünïcödé",
            ".hidden",
        ]
        .map(|wish| names.take(wish, "figure-1"));
        assert_eq!(
            given,
            [
                "etc-passwd",
                "time-per-frame",
                "Time-Per-Frame-2",
                "figure-1",
                "x-nul.txt",
                "report-2",
                "x-COM1",
                "n-c-d",
                "hidden"
            ]
        );
        assert!(names.take(&"x".repeat(500), "").len() <= MAX_LENGTH);
    }
}
