//! The table as documentation.

use std::fmt::Write as _;

use super::{Algorithm, Question, RULES, Rule, ShapeKind};

/// The rules as a table in Markdown, one row per rule, and the algorithms with a sentence each:
/// what stands in `docs/narrowphase.md`.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| shapes | with |");
    for question in Question::ALL {
        write_to(&mut out, format_args!(" {} |", question.name()));
    }
    out.push_str("\n|---|---|");
    out.push_str(&"---|".repeat(Question::ALL.len()));
    out.push('\n');
    for (number, rule) in RULES.iter().enumerate() {
        write_to(&mut out, format_args!("| {} | {} |", list(rule.one), partners(number, rule)));
        for algorithm in rule.answers {
            write_to(&mut out, format_args!(" {} |", algorithm.name()));
        }
        out.push('\n');
    }
    out.push_str("\n| algorithm | what it does |\n|---|---|\n");
    for algorithm in Algorithm::ALL {
        write_to(&mut out, format_args!("| {} | {} |\n", algorithm.name(), algorithm.what()));
    }
    out
}

fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
}

/// The kinds on the other side, without those that earlier rules take; all of them in one word.
fn partners(number: usize, rule: &Rule) -> String {
    let is_taken = |kind: ShapeKind| {
        rule.one.iter().all(|&mine| {
            RULES[..number].iter().any(|earlier| {
                earlier.one.contains(&mine) && earlier.other.contains(&kind)
                    || earlier.one.contains(&kind) && earlier.other.contains(&mine)
            })
        })
    };
    if rule.other.len() == ShapeKind::ALL.len() {
        return "anything".to_owned();
    }
    let left: Vec<ShapeKind> = rule.other.iter().copied().filter(|&kind| !is_taken(kind)).collect();
    if left == super::CONVEX { "anything convex and bounded".to_owned() } else { list(&left) }
}

fn list(kinds: &[ShapeKind]) -> String {
    kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}
