//! "Did you mean …?": the known name nearest to a misspelt one.

/// Longest word compared; longer ones are no typing mistakes, and the cost is quadratic.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if one is near: at most a third of its letters (and at least
/// one) differ. Case and the difference of `-` and `_` cost nothing. The first of equals wins.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    let allowed = (word.len() / 3).max(1);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let known = folded(candidate);
            // Somebody who types the start of a long name means it.
            let begun = word.len() >= 3 && known.starts_with(&word);
            let distance = if begun { 1 } else { edit_distance(&word, &known)? };
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn folded(word: &str) -> Vec<char> {
    word.chars().map(|c| if c == '_' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`; none for
/// very long words.
fn edit_distance(a: &[char], b: &[char]) -> Option<usize> {
    if a.len().max(b.len()) > LONGEST {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let keys = ["position", "velocity", "angular-velocity", "angular-velocity-degrees", "colour", "box"];
        assert_eq!(nearest("color", keys), Some("colour"));
        assert_eq!(nearest("psoition", keys), Some("position"));
        assert_eq!(nearest("Angular_Velocity_Degrees", keys), Some("angular-velocity-degrees"));
        assert_eq!(nearest("bx", keys), Some("box"));
        assert_eq!(nearest("vel", keys), Some("velocity"), "a start");
        assert_eq!(nearest("temperature", keys), None);
        assert_eq!(nearest("", keys), None);
        assert_eq!(nearest(&"x".repeat(10_000), keys), None);
    }
}
