//! The checks, one per file. Each is a pure function from what was read to its findings.

mod comment_width;
mod dependency_rows;
mod direction;
mod document_paths;
mod file_size;
mod float_rules;
mod kernel_calls;
mod layers;
mod leftovers;
mod licences;
mod module_style;
mod unsafe_list;

use crate::finding::Finding;
use crate::repository::Repository;

/// All findings, ordered by place.
pub(crate) fn run_all(repository: &Repository) -> Vec<Finding> {
    let files = &repository.files;
    let manifest_text = |path: &str| repository.text(path).to_owned();
    let has_scalar_glam = repository.text("Cargo.toml").contains("scalar-math");
    let mut findings = [
        direction::check(&repository.packages, &manifest_text),
        kernel_calls::check(&repository.rust),
        layers::check(&repository.rust),
        unsafe_list::check(&repository.rust, &repository.packages, repository.text(unsafe_list::LIST)),
        float_rules::check(&repository.rust, has_scalar_glam),
        file_size::check(files, repository.text(file_size::LIST)),
        document_paths::check(files, &|path| repository.root.join(path).exists()),
        leftovers::check(files, &repository.rust),
        dependency_rows::check(files),
        licences::check(&repository.licensed, repository.text(licences::DENY)),
        module_style::check(files),
        comment_width::check(files, &repository.rust),
    ]
    .concat();
    findings.sort();
    findings.dedup();
    findings
}
