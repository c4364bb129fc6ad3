//! Any bytes as the state of a world, with the checksum that they should have: no panic, what is
//! read survives being written and read again, and it can be stepped.

use carom_core::state_hash::StateHasher;
use carom_dynamics::{Snapshot, World, WorldDef};

/// Length of what every snapshot begins with: the mark and two versions. The fuzzer need not find
/// them.
const HEADER: usize = 12;

/// One input.
pub(crate) fn fuzz(state: &[u8]) {
    let _ = Snapshot::from_bytes(state);
    let mut bytes = Snapshot::default().to_bytes();
    bytes.truncate(HEADER);
    bytes.extend(state);
    let mut hasher = StateHasher::default();
    hasher.write_bytes(&bytes);
    bytes.extend(hasher.finish().to_le_bytes());
    let Ok(snapshot) = Snapshot::from_bytes(&bytes) else { return };
    let written = snapshot.to_bytes();
    let again = Snapshot::from_bytes(&written).expect("what the writer writes can be read");
    assert_eq!(again.to_bytes(), written);
    let mut world = World::new(WorldDef::default());
    world.restore(&snapshot);
    assert_eq!(world.validate(), []);
    for _ in 0..3 {
        world.step(1.0 / 60.0).expect("the length is good");
    }
}
