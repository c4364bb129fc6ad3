//! Names of output folders and files, as Fingsics lays them out.
//!
//! `output/<scene>--<time>/` for a run, `benchmarks/<scene>_<method>--<time>/` for a benchmark
//! (what else it measured, which Fingsics has not, goes to `measurements/<scene>--<time>/`),
//! `testing/results/<scene>_test.csv` for tests; time is local, `YYYY-MM-DD--HH-MM-SS`.

use std::path::{Path, PathBuf};

use crate::Method;

/// Local time as output folders carry it.
#[must_use]
pub fn timestamp() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%d--%H-%M-%S").to_string()
}

/// Folder of a run.
#[must_use]
pub fn run_folder(base: &Path, scene: &str, time: &str) -> PathBuf {
    base.join("output").join(format!("{}--{time}", file_name(scene)))
}

/// Folder of Fingsics' reports of a benchmark; `method` is Fingsics' name of the broad
/// phase.
#[must_use]
pub fn bench_folder(base: &Path, scene: &str, method: &str, time: &str) -> PathBuf {
    base.join("benchmarks").join(format!("{}_{}--{time}", file_name(scene), file_name(method)))
}

/// Folder of everything that a benchmark measured.
#[must_use]
pub fn measurement_folder(base: &Path, scene: &str, time: &str) -> PathBuf {
    base.join("measurements").join(format!("{}--{time}", file_name(scene)))
}

/// File of a test result.
#[must_use]
pub fn test_file(base: &Path, scene: &str) -> PathBuf {
    base.join("testing").join("results").join(format!("{}_test.csv", file_name(scene)))
}

/// Makes the folder, with a number behind its name if there is one already: two runs that begin in
/// the same second share nothing.
///
/// # Errors
/// If the disk says no.
pub fn make_own(path: &Path) -> std::io::Result<PathBuf> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let others = (2u32..).map(|k| path.with_file_name(format!("{name}--{k}")));
    for own in std::iter::once(path.to_path_buf()).chain(others) {
        match std::fs::create_dir(&own) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| own),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

/// A method's name in Fingsics' folders and summaries; methods it does not have keep ours.
#[must_use]
pub fn original_name(method: Method) -> &'static str {
    match method {
        Method::None => "None",
        Method::Aabb => "AABB",
        Method::Obb => "OBB",
        Method::Sap => "SAP",
        Method::SapObb => "SAPOBB",
        other => other.name(),
    }
}

/// A scene name made fit for a file name on every system.
fn file_name(scene: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = scene.trim().chars().map(safe).collect();
    let name = name.trim_matches('.');
    if name.is_empty() { "scene".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_follow_the_original() {
        let base = Path::new("base");
        assert_eq!(run_folder(base, "ramp", "T"), base.join("output/ramp--T"));
        assert_eq!(
            bench_folder(base, "ramp", original_name(Method::SapObb), "T"),
            base.join("benchmarks/ramp_SAPOBB--T")
        );
        assert_eq!(measurement_folder(base, "box:9", "T"), base.join("measurements/box-9--T"));
        assert_eq!(test_file(base, "ramp"), base.join("testing/results/ramp_test.csv"));
    }

    #[test]
    fn no_scene_name_leaves_its_folder() {
        for hostile in ["../../etc", "a/b", "C:\\x", "..", "", "box:10?seed=1"] {
            let folder = run_folder(Path::new("base"), hostile, "T");
            assert_eq!(folder.parent(), Some(Path::new("base/output")), "{hostile}");
        }
    }

    #[test]
    fn taken_names_get_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let wanted = folder.path().join("deep/ramp--T");
        for expected in ["ramp--T", "ramp--T--2", "ramp--T--3"] {
            let made = make_own(&wanted).unwrap();
            assert!(made == wanted.with_file_name(expected) && made.is_dir(), "{}", made.display());
        }
    }

    #[test]
    fn time_has_the_original_form() {
        let time = timestamp();
        assert_eq!(time.len(), "2021-10-21--12-00-00".len());
        assert_eq!(time.matches("--").count(), 1);
    }
}
