//! The example at the front of the project is the one that is compiled and run as the documentation
//! of this crate.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

fn rust_code(text: &str) -> &str {
    let start = text.find("```rust\n").expect("there is an example") + "```rust\n".len();
    let length = text[start..].find("```").expect("it ends");
    &text[start..start + length]
}

#[test]
fn the_project_shows_the_example_that_is_tested() {
    assert_eq!(rust_code(include_str!("../../../README.md")), rust_code(include_str!("../README.md")));
}
