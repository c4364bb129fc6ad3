//! The targets, one per file, and the table that finds one by its name.

mod broad_ops;
mod config_txt;
mod hull;
mod hull_hull;
mod library_name;
mod manifest_json;
mod mesh_obj;
mod mesh_stl;
mod planar_model;
mod polytope_text;
mod recording_crec;
mod saved_session;
mod scene_binary;
mod scene_dat;
mod scene_text;
mod scene_xml;
mod snapshot_bytes;

/// What a target does with one input; a panic is a failure.
pub(crate) type Target = fn(&[u8]);

/// Every target under the name that `fuzz/run` takes: the name of its file.
const TARGETS: &[(&str, Target)] = &[
    ("broad_ops", broad_ops::fuzz),
    ("config_txt", config_txt::fuzz),
    ("hull", hull::fuzz),
    ("hull_hull", hull_hull::fuzz),
    ("library_name", library_name::fuzz),
    ("manifest_json", manifest_json::fuzz),
    ("mesh_obj", mesh_obj::fuzz),
    ("mesh_stl", mesh_stl::fuzz),
    ("planar_model", planar_model::fuzz),
    ("polytope_text", polytope_text::fuzz),
    ("recording_crec", recording_crec::fuzz),
    ("saved_session", saved_session::fuzz),
    ("scene_binary", scene_binary::fuzz),
    ("scene_dat", scene_dat::fuzz),
    ("scene_text", scene_text::fuzz),
    ("scene_xml", scene_xml::fuzz),
    ("snapshot_bytes", snapshot_bytes::fuzz),
];

/// The target called `name`.
pub(crate) fn find(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}

/// The longest beginning of `bytes` that is text, for targets that read text only.
fn text(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}
