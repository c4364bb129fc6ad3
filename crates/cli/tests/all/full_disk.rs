//! A disk that is full ends a run with its name, and what was written before can be read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use carom_lab::folder::manifest::Manifest;
use carom_lab::folder::snapshot_step;
use carom_lab::session::saved::Saved;
use carom_recording::track::Recording;

/// A small file system of its own, unmounted in the end.
struct SmallDisk {
    place: tempfile::TempDir,
}

impl SmallDisk {
    /// `None` where nobody lets us mount one.
    fn new(size: &str) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(place.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { place })
    }

    fn path(&self) -> &Path {
        self.place.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

fn recording_below(path: &Path) -> PathBuf {
    let folder = fs::read_dir(path.join("output")).unwrap().next().unwrap().unwrap().path();
    folder.join("recording.crec")
}

#[test]
fn a_full_disk_keeps_what_was_written() {
    for (size, extra) in [("2m", vec![]), ("3m", vec!["--log"]), ("4m", vec!["--snapshot", "50"])] {
        let Some(disk) = SmallDisk::new(size) else {
            eprintln!("skipped: no file system can be mounted here");
            return;
        };
        let arguments = [&["run", "pile:100", "--frames", "100000", "--record"], extra.as_slice()].concat();
        let output = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(arguments)
            .arg("--out")
            .arg(disk.path())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("No space left on device"), "{said}");
        assert!(said.contains("hint: what was written before can be read"), "{said}");
        let mut recording = Recording::open(&recording_below(disk.path())).unwrap();
        assert!(recording.frames() > 60, "{} frames", recording.frames());
        for number in 0..recording.frames() {
            assert_eq!(recording.frame(number).unwrap().bodies().len(), 105, "frame {number}");
        }
        let folder = recording_below(disk.path()).parent().unwrap().to_path_buf();
        assert!(Manifest::read(&folder).is_ok(), "the manifest of the start, or of the end, is whole");
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.extension().is_none_or(|end| end != "new"), "{} is left over", path.display());
            if snapshot_step(&path).is_some() {
                Saved::read(&fs::read(&path).unwrap()).unwrap();
            }
        }
    }
}
