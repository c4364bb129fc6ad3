//! No `array::map` in solver kernels.
//!
//! A kernel is compiled for instructions that not every processor has, with everything that is
//! `inline(always)` in it. `array::map` and `array::from_fn` stay calls to code for the baseline,
//! and so does every operation in their closures: rows of friction took 7 % of the instructions of
//! `pile:2000` that way, and no test of results can see it.
//!
//! A line may carry `// check: allow(kernel) reason`.

use crate::finding::Finding;
use crate::rust_source::RustSource;

const CHECK: &str = "kernel";

/// Where kernels are.
const KERNELS: &str = "crates/dynamics/src/solver/";

const ESCAPE: &str = "check: allow(kernel)";

/// Checks all `sources`.
pub(crate) fn check(sources: &[RustSource]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.path.starts_with(KERNELS)) {
        let mut is_marked = false;
        // Depth of braces, of the function that is marked and has begun.
        let mut depth: Option<usize> = None;
        for (line, code) in source.shipped_lines() {
            is_marked |= code.contains("#[inline(always)]");
            if is_marked && depth.is_none() && code.contains('{') {
                (is_marked, depth) = (false, Some(0));
            }
            let Some(open) = depth else { continue };
            let is_excused = source.comments[line - 1].contains(ESCAPE);
            if !is_excused && [".map(", "array::from_fn"].iter().any(|call| code.contains(call)) {
                let message = "stays a call in kernels, and all below it; write it out".to_owned();
                findings.push(Finding::new(CHECK, &source.path, line, message));
            }
            let count = |brace: char| code.matches(brace).count();
            let now = (open + count('{')).saturating_sub(count('}'));
            depth = (now > 0).then_some(now);
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[RustSource::new(path, text)]).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn maps_in_functions_of_kernels_are_found() {
        let text = "#[inline(always)]\nfn f(x: [f32; 3]) -> [f32; 3] {\n    x.map(g)\n}\n\
                    fn h(x: [f32; 3]) -> [f32; 3] {\n    x.map(g)\n}\n";
        assert_eq!(lines("crates/dynamics/src/solver/a.rs", text), [3]);
        assert_eq!(lines("crates/dynamics/src/state/a.rs", text), Vec::<usize>::new());
    }

    #[test]
    fn a_reason_excuses() {
        let text = "#[inline(always)]\nfn f() {\n    x.map(g) // check: allow(kernel) baseline only\n}\n";
        assert_eq!(lines("crates/dynamics/src/solver/a.rs", text), Vec::<usize>::new());
    }
}
