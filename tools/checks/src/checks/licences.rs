//! Every crate that we build, ours and others, is under a licence that goes with ours (MIT or
//! Apache 2.0 as the user chooses).
//!
//! The licences are those that `cargo metadata` names. `deny.toml` has the same list for
//! `cargo deny`, which reads the texts too and knows advisories; this check needs nothing but
//! cargo, so it always runs.

use crate::finding::Finding;
use crate::manifest::Licensed;

const CHECK: &str = "licence";

/// The list for `cargo deny`.
pub(crate) const DENY: &str = "deny.toml";

/// Licences by their SPDX names that ask for no more than a notice.
const ACCEPTED: &[&str] = &[
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "MIT",
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Zlib",
];

/// Checks the licences of `packages`, and that `deny`, the text of [`DENY`], has the same list.
pub(crate) fn check(packages: &[Licensed], deny: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let message = match &package.licence {
            None => format!("`{}` {} names no licence", package.name, package.version),
            Some(licence) if !is_accepted(licence) => {
                format!("`{}` {} is under {licence}, which is not in the list", package.name, package.version)
            }
            Some(_) => continue,
        };
        findings.push(Finding::new(CHECK, "Cargo.lock", 1, message));
    }
    for licence in ACCEPTED.iter().filter(|licence| !deny.contains(&format!("\"{licence}\""))) {
        findings.push(Finding::new(CHECK, DENY, 1, format!("`{licence}` is missing")));
    }
    findings
}

/// Whether an SPDX expression can be met with accepted licences: one of each `OR`, all of each
/// `AND`.
fn is_accepted(expression: &str) -> bool {
    // Old manifests write `MIT/Apache-2.0`.
    let expression = expression.replace('/', " OR ");
    any_of(expression.trim())
}

fn any_of(expression: &str) -> bool {
    split(expression, " OR ").iter().any(|part| all_of(part))
}

fn all_of(expression: &str) -> bool {
    split(expression, " AND ").iter().all(|part| {
        let part = part.trim();
        match part.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            Some(inner) => any_of(inner),
            None => ACCEPTED.contains(&part),
        }
    })
}

/// Splits at `operator` where it stands outside parentheses.
fn split<'a>(expression: &'a str, operator: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in expression.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && at >= start && expression[at..].starts_with(operator) => {
                parts.push(&expression[start..at]);
                start = at + operator.len();
            }
            _ => {}
        }
    }
    parts.push(&expression[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_choice_is_enough_and_all_of_a_sum_are_needed() {
        for good in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(is_accepted(good), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND (GPL-3.0 OR LGPL-3.0)", ""] {
            assert!(!is_accepted(bad), "{bad}");
        }
    }

    #[test]
    fn a_package_without_a_licence_is_named() {
        let package = |licence: Option<&str>| Licensed {
            name: "stranger".to_owned(),
            version: "1.0.0".to_owned(),
            licence: licence.map(str::to_owned),
        };
        let deny = format!("{ACCEPTED:?}");
        assert_eq!(check(&[package(Some("MIT"))], &deny), []);
        assert!(check(&[package(None)], &deny)[0].message.contains("names no licence"));
        assert!(check(&[package(Some("GPL-3.0"))], &deny)[0].message.contains("GPL-3.0"));
        assert_eq!(check(&[], "").len(), ACCEPTED.len());
    }
}
