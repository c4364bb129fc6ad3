//! A run that is saved and goes on later is the run that was never interrupted.

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
    for (scene, solver) in [
        ("pile:60", "soft-step"),
        ("box:200", "fingsics"),
        ("box:200", "soft-step"),
        ("box:100?walls=slabs", "soft-step"),
        ("joints:8", "soft-step"),
        ("large_world:20?balls=20", "soft-step"),
    ] {
        let solver = Some(solver.parse().unwrap());
        let task = Task { scene: scene.into(), frames: Some(121), solver, ..Task::default() };
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

/// The same session as versions wrote it that left the solver out of the task.
fn without_solver(bytes: &[u8]) -> Vec<u8> {
    let (head, body) = bytes.split_at(16);
    let length = u64::from_le_bytes(body[16..24].try_into().unwrap()) as usize;
    let mut task: serde_json::Value = serde_json::from_slice(&body[24..24 + length]).unwrap();
    assert!(task.as_object_mut().unwrap().remove("solver").is_some());
    let task = task.to_string();
    let length_bytes = (task.len() as u64).to_le_bytes();
    let body = [&body[..16], &length_bytes, task.as_bytes(), &body[24 + length..]].concat();
    [&head[..12], &carom_core::envelope::crc32(&body).to_le_bytes(), &body].concat()
}

#[test]
fn older_files_without_a_solver_go_on_with_the_one_they_had() {
    for solver in ["soft-step", "fingsics"] {
        let task = Task { scene: "box:20".into(), solver: Some(solver.parse().unwrap()), ..Task::default() };
        let older = without_solver(&save(&begun(&task, 5), &task));
        let woken = Saved::read(&older).unwrap().wake(|| {}).unwrap();
        assert_eq!((woken.info().name.as_str(), woken.steps()), (solver, 5));
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
