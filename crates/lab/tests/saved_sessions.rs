//! A run that is saved and goes on later is the run that was never interrupted.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

use carom_lab::session::Session;
use carom_lab::session::saved::{Saved, SavedError, save};
use carom_lab::task::Task;

fn begun(task: &Task, steps: u64) -> Session {
    let mut session = task.prepare().unwrap().session().unwrap();
    (0..steps).for_each(|_| drop(session.step().unwrap()));
    session
}

#[test]
fn going_on_is_as_if_nothing_had_happened() {
    // The last ones have joints, and bodies that appear and vanish on the way.
    for scene in ["pile:60", "box:200", "box:100?walls=slabs", "joints:8", "large_world:20?balls=20"] {
        let task = Task { scene: scene.into(), frames: Some(121), ..Task::default() };
        let mut whole = begun(&task, 0);
        whole.run(&mut []).unwrap();
        for steps in [0, 1, 47] {
            let bytes = save(&begun(&task, steps), &task);
            let mut woken = Saved::read(&bytes).unwrap().wake(|| {}).unwrap();
            assert_eq!(woken.steps(), steps);
            woken.run(&mut []).unwrap();
            assert_eq!(
                woken.simulation().state_hash(),
                whole.simulation().state_hash(),
                "{scene} from step {steps}"
            );
        }
    }
}

#[test]
fn damage_is_told() {
    let task = Task { scene: "pile:6".into(), ..Task::default() };
    let bytes = save(&begun(&task, 3), &task);
    for length in 0..bytes.len().min(2000) {
        assert!(Saved::read(&bytes[..length]).is_err(), "cut at {length}");
    }
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert!(Saved::read(&changed).is_err(), "changed at {at}");
    }
    assert!(matches!(Saved::read(b"<config>"), Err(SavedError::Foreign)));
}
