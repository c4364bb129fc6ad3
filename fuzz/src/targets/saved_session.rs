//! Any bytes as a snapshot of a run, and any bytes behind a right checksum: no panic, and what was
//! read, if it is small, wakes or says why not, and wakes again after it was saved.

use carom_lab::session::saved::{Saved, save};

/// First bytes of every snapshot, with the version.
const MARK: &[u8; 12] = b"CAROMRUN\x01\0\0\0";
/// Larger worlds, longer ways back and more threads would test patience.
const BODIES: usize = 8;
const STEPS: u64 = 4;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    check(bytes);
    let mut enveloped = MARK.to_vec();
    enveloped.extend(crc32fast::hash(bytes).to_le_bytes());
    enveloped.extend(bytes);
    check(&enveloped);
    // A snapshot that was changed, its checksum put right.
    if let Some((head, body)) = bytes.split_at_checked(MARK.len() + 4) {
        let mut mended = head[..MARK.len()].to_vec();
        mended.extend(crc32fast::hash(body).to_le_bytes());
        mended.extend(body);
        check(&mended);
    }
}

fn check(bytes: &[u8]) {
    let Ok(saved) = Saved::read(bytes) else { return };
    let is_small = saved.scene.bodies.len() <= BODIES
        && saved.scene.bodies.iter().all(|body| body.shapes.len() <= BODIES)
        && saved.scene.events.is_empty()
        && saved.steps <= STEPS
        && saved.task.threads <= 2;
    if !is_small {
        return;
    }
    let task = saved.task.clone();
    let Ok(session) = saved.wake(|| {}) else { return };
    let again = Saved::read(&save(&session, &task)).expect("what is saved can be read");
    let woken = again.wake(|| {}).expect("what is saved wakes");
    assert_eq!(woken.simulation().state_hash(), session.simulation().state_hash());
}
