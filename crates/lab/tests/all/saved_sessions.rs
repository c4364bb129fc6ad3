//! A run that is saved and goes on later is the run that was never interrupted.

use std::ops::ControlFlow;

use carom_lab::session::Session;
use carom_lab::session::saved::{Saved, SavedError};
use carom_lab::task::Task;

fn begun(task: &Task, steps: u64) -> Session {
    let mut session = Session::new(task.prepare().unwrap()).unwrap();
    (0..steps).for_each(|_| drop(session.step().unwrap()));
    session
}

#[test]
fn going_on_is_as_if_nothing_had_happened() {
    // The last ones have joints, and bodies that appear and vanish on the way.
    for scene in ["pile:60", "box:200", "box:100?walls=slabs", "joints:8", "large_world:20?balls=20"] {
        let task = Task { scene: scene.into(), frames: Some(121), ..Task::default() };
        let mut whole = begun(&task, 0);
        whole.run(|_, _| ControlFlow::Continue(())).unwrap();
        for steps in [0, 1, 47] {
            let bytes = begun(&task, steps).save(&task);
            let mut woken = Saved::read(&bytes).unwrap().wake(|| {}).unwrap();
            assert_eq!(woken.steps(), steps);
            woken.run(|_, _| ControlFlow::Continue(())).unwrap();
            assert_eq!(woken.state_hash(), whole.state_hash(), "{scene} from step {steps}");
        }
    }
}

#[test]
fn damage_is_told() {
    let task = Task { scene: "pile:6".into(), ..Task::default() };
    let bytes = begun(&task, 3).save(&task);
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
