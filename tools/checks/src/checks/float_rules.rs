//! No operation in simulation code whose bits depend on the platform.
//!
//! A run must give the same bits in debug and release on every architecture. Fused multiply-add,
//! approximate reciprocals and the transcendental functions of the standard library (which come
//! from the platform's C library) break that, and so do the functions and the SIMD types of glam
//! built on them; iterating a hash map breaks it on one machine already. Tests may use all of them
//! as oracles.
//!
//! A line may carry `// check: allow(float) reason`, on itself or on a line of its own just above.

use crate::finding::Finding;
use crate::rust_source::{RustSource, find_word};

const CHECK: &str = "float";

/// Folders of code that decides what happens in a simulation.
const SIMULATION: &[&str] = &[
    "crates/core/src/",
    "crates/geometry/src/",
    "crates/broadphase/src/",
    "crates/narrowphase/src/",
    "crates/dynamics/src/",
    "crates/scene/src/",
];

/// Those among them where the order of a hash map could reach the results.
const ORDERED: &[&str] =
    &["crates/core/src/", "crates/broadphase/src/", "crates/narrowphase/src/", "crates/dynamics/src/"];

/// Methods of `f32` and `f64` that are left to the platform.
#[rustfmt::skip]
const PLATFORM_METHODS: &[&str] = &[
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log",
    "log10", "log2", "powf", "powi", "cbrt", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "hypot",
];

/// Parts of names of fused or approximate operations.
const APPROXIMATE: &[&str] = &["mul_add", "fmadd", "rsqrt", "_rcp", "recip_approx"];

/// Methods of glam that call the functions above.
const GLAM_METHODS: &[&str] =
    &["slerp", "angle_between", "to_axis_angle", "to_euler", "to_scaled_axis", "rotate_towards", "to_angle"];

/// Beginnings of constructors of glam that call them.
const GLAM_CONSTRUCTORS: &[&str] = &[
    "from_axis_angle",
    "from_scaled_axis",
    "from_rotation_x",
    "from_rotation_y",
    "from_rotation_z",
    "from_euler",
];

/// Types of glam whose sums are grouped as the SIMD unit of the platform likes it.
const GLAM_SIMD: &[&str] = &["Vec3A", "Vec4", "Quat", "Mat2", "Mat3A", "Mat4", "Affine2", "Affine3A"];

const ESCAPE: &str = "check: allow(float)";

/// Checks all `sources`. With `has_scalar_glam` glam is built without SIMD types, so these are free
/// to use.
pub(crate) fn check(sources: &[RustSource], has_scalar_glam: bool) -> Vec<Finding> {
    let lies_in = |source: &RustSource, folders: &[&str]| folders.iter().any(|f| source.path.starts_with(f));
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| lies_in(source, SIMULATION)) {
        let mut faults = Vec::new();
        for (line, code) in source.shipped_lines() {
            faults.extend(faults_of_line(code).into_iter().map(|fault| (line, fault)));
            if lies_in(source, ORDERED) {
                let maps = ["HashMap", "HashSet"].into_iter().filter(|m| find_word(code, m).next().is_some());
                faults.extend(
                    maps.map(|m| (line, format!("`{m}` has no fixed order; sort, or use an indexed table"))),
                );
            }
        }
        if !has_scalar_glam {
            faults.extend(simd_imports(source));
        }
        findings.extend(judge(source, &faults));
    }
    findings
}

fn faults_of_line(code: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for name in APPROXIMATE.iter().filter(|name| code.contains(**name)) {
        faults.push(format!("`{name}` is fused or approximate: other bits on other platforms"));
    }
    let is_call = |at: usize, name: &str| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        (before.ends_with('.') && after.starts_with('('))
            || before.ends_with("f32::")
            || before.ends_with("f64::")
    };
    for name in PLATFORM_METHODS.iter().chain(GLAM_METHODS) {
        if find_word(code, name).any(|at| is_call(at, name)) {
            faults.push(format!(
                "`{name}` is left to the platform; take it from `carom_core::trig` or do without"
            ));
        }
    }
    let is_glam_type = |before: &str| {
        ["Quat::", "Mat2::", "Mat3::", "Mat4::", "Mat3A::", "Affine2::", "Affine3A::", "Vec2::"]
            .iter()
            .any(|name| before.ends_with(name))
    };
    for name in GLAM_CONSTRUCTORS.iter().chain(&["from_angle"]) {
        if find_word(code, name).any(|at| is_glam_type(&code[..at])) {
            faults.push(format!("glam's `{name}` calls the platform's sine and cosine"));
        }
    }
    faults
}

/// Uses of glam's SIMD types, seen where they are imported (`use glam::{…};`) or named in full
/// (`glam::Quat`).
fn simd_imports(source: &RustSource) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut in_import = false;
    for (line, code) in source.shipped_lines() {
        in_import |= code.contains("use glam::");
        for name in GLAM_SIMD {
            if find_word(code, name).any(|at| in_import || code[..at].ends_with("glam::")) {
                let message = format!("glam's `{name}` sums in the order of the platform's SIMD unit");
                faults.push((line, message));
            }
        }
        in_import &= !code.contains(';');
    }
    faults
}

/// Turns faults into findings, less those excused; an excuse needs a reason and a fault.
fn judge(source: &RustSource, faults: &[(usize, String)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut excused = Vec::new();
    for (index, comment) in source.comments.iter().enumerate() {
        let Some((_, reason)) = comment.split_once(ESCAPE) else { continue };
        let line = index + 1;
        let alone = source.code[index].trim().is_empty();
        let target = if alone { line + 1 } else { line };
        if reason.trim().is_empty() {
            findings.push(Finding::new(
                CHECK,
                &*source.path,
                line,
                format!("`{ESCAPE}` needs a reason after it"),
            ));
        }
        if !faults.iter().any(|(at, _)| *at == target) {
            findings.push(Finding::new(
                CHECK,
                &*source.path,
                line,
                format!("`{ESCAPE}` excuses nothing: remove it"),
            ));
        }
        excused.push(target);
    }
    for (line, message) in faults.iter().filter(|(line, _)| !excused.contains(line)) {
        findings.push(Finding::new(CHECK, &*source.path, *line, message.clone()));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[RustSource::new(path, text)], false).iter().map(|f| f.line).collect()
    }

    #[test]
    fn platform_functions_are_found_as_method_and_as_path() {
        for line in
            ["x.sin()", "a.atan2(b)", "xs.map(f32::exp)", "f64::powi(x, 2)", "x.hypot(y)", "p.slerp(q, t)"]
        {
            assert_eq!(lines("crates/dynamics/src/a.rs", line), [1], "{line}");
        }
    }

    #[test]
    fn fused_and_approximate_operations_are_found() {
        for line in
            ["a.mul_add(b, c)", "_mm_rcp_ps(a)", "_mm256_fmadd_ps(a, b, c)", "x.rsqrt()", "x.recip_approx()"]
        {
            assert_eq!(lines("crates/geometry/src/a.rs", line), [1], "{line}");
        }
    }

    #[test]
    fn own_functions_and_exact_ones_are_free() {
        for line in
            ["trig::sin(x)", "sin_cos(x)", "x.sqrt()", "body.expect(y)", "x.log_line()", "let sin = 1.0;"]
        {
            assert_eq!(lines("crates/geometry/src/a.rs", line), [0; 0], "{line}");
        }
    }

    #[test]
    fn other_crates_tests_comments_and_strings_are_free() {
        assert_eq!(lines("crates/lab/src/a.rs", "x.sin()"), [0; 0]);
        assert_eq!(lines("crates/geometry/tests/a.rs", "x.sin()"), [0; 0]);
        assert_eq!(lines("crates/geometry/src/a.rs", "// x.sin()\nf(\"x.sin()\")"), [0; 0]);
        assert_eq!(
            lines("crates/geometry/src/a.rs", "#[cfg(test)]\nmod tests {\n x.sin()\n}\n y.cos()"),
            [5]
        );
    }

    #[test]
    fn hash_maps_are_found_where_order_matters() {
        assert_eq!(lines("crates/broadphase/src/a.rs", "use std::collections::HashMap;"), [1]);
        assert_eq!(lines("crates/scene/src/a.rs", "use std::collections::HashMap;"), [0; 0]);
    }

    #[test]
    fn glam_is_watched() {
        assert_eq!(
            lines("crates/dynamics/src/a.rs", "use glam::{\n    Quat,\n    Vec3,\n};\nlet q: Quat;"),
            [2]
        );
        assert_eq!(lines("crates/dynamics/src/a.rs", "let r = glam::Mat3::from_rotation_x(a);"), [1]);
        let scalar = [RustSource::new("crates/dynamics/src/a.rs", "use glam::Quat;")];
        assert_eq!(check(&scalar, true), []);
    }

    #[test]
    fn an_escape_needs_a_reason_and_a_fault() {
        let path = "crates/geometry/src/a.rs";
        assert_eq!(lines(path, "x.sin() // check: allow(float) drawing only"), [0; 0]);
        assert_eq!(lines(path, "// check: allow(float) drawing only\nx.sin()"), [0; 0]);
        assert_eq!(lines(path, "x.sin() // check: allow(float)"), [1], "no reason");
        assert_eq!(lines(path, "x.sqrt() // check: allow(float) why"), [1], "nothing to excuse");
    }
}
