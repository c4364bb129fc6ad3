//! Trees in files: they come back as they were, and bad files are refused without harm.

use carom_broadphase::broad_phase::Hierarchy;
use carom_broadphase::partition::{CellTree, FileError, Kind, Limits};
use carom_geometry::Aabb;

use super::Random;
use super::scenes::{SCENES, Scene, boxes};

fn tree(kind: Kind, scene: Scene, count: usize) -> CellTree<3> {
    let all = boxes::<3>(scene, count, &mut Random::new(6));
    CellTree::build(kind, &all, Limits { leaf: 4, depth: 8 }).unwrap()
}

#[test]
fn a_loaded_tree_is_the_saved_one_with_its_pairs_and_answers() {
    for kind in Kind::ALL {
        for scene in SCENES {
            let saved = tree(kind, scene, 200);
            let loaded = CellTree::<3>::from_bytes(&saved.to_bytes()).unwrap();
            assert!(loaded == saved, "{kind:?}, {scene:?}");
            assert_eq!(loaded.pairs(), saved.pairs());
            assert!(saved.pairs().len() > 20);
            let query = Aabb::new([1.0; 3], [5.0, 2.0, 6.0]);
            let mut found = Vec::new();
            loaded.collect(|volume| volume.overlaps(&query), &mut found);
            let all = boxes::<3>(scene, 200, &mut Random::new(6));
            let right: Vec<u32> =
                (0..all.len() as u32).filter(|&id| all[id as usize].overlaps(&query)).collect();
            assert_eq!(found, right, "{kind:?}, {scene:?}");
            let mut visited = Vec::new();
            loaded.descend(&mut |volume| volume.overlaps(&query), &mut |id| visited.push(id));
            assert!(right.iter().all(|id| visited.contains(id)));
        }
    }
    let empty = CellTree::<2>::build(Kind::Octree, &[], Limits::default()).unwrap();
    assert_eq!(CellTree::from_bytes(&empty.to_bytes()), Ok(empty));
}

#[test]
fn every_shorter_file_and_every_flipped_bit_is_noticed() {
    for kind in [Kind::Octree, Kind::LooseOctree, Kind::Bsp] {
        let bytes = tree(kind, Scene::Floor, 12).to_bytes();
        for length in 0..bytes.len() {
            assert!(
                CellTree::<3>::from_bytes(&bytes[..length]).is_err(),
                "{length} of {} bytes",
                bytes.len()
            );
        }
        let mut damaged = bytes.clone();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                damaged[at] ^= 1 << bit;
                assert!(CellTree::<3>::from_bytes(&damaged).is_err(), "bit {bit} of byte {at}");
                damaged[at] ^= 1 << bit;
            }
        }
        let mut longer = bytes;
        longer.push(0);
        assert!(matches!(CellTree::<3>::from_bytes(&longer), Err(FileError::Length { .. })));
    }
}

/// The checksum as documented: 64-bit FNV-1a over what stands before it.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let sum = bytes[..end]
        .iter()
        .fold(0xCBF2_9CE4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn forged_files_are_refused_or_harmless() {
    let bytes = tree(Kind::Octree, Scene::Lattice, 10).to_bytes();
    assert_eq!(sealed(bytes.clone()), bytes);
    let mut refused = 0;
    for at in 8..bytes.len() - 8 {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut forged = bytes.clone();
            forged[at] = value;
            match CellTree::<3>::from_bytes(&sealed(forged)) {
                Ok(tree) => {
                    // Whatever it says: walks end, indices are good.
                    let mut all = Vec::new();
                    tree.collect(|_| true, &mut all);
                    assert!(all.len() == tree.len() && tree.pairs().len() <= 45);
                    assert_eq!(tree.statistics().boxes, 10);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 500, "only {refused} refused");
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let bytes = tree(Kind::Octree, Scene::Even, 10).to_bytes();
    let message = |bytes: &[u8]| CellTree::<3>::from_bytes(bytes).unwrap_err().to_string();
    let with = |at: usize, value: u8| {
        let mut changed = bytes.clone();
        changed[at] = value;
        sealed(changed)
    };
    assert_eq!(message(b"CAROM"), "not a tree file: it does not begin with the magic bytes");
    assert_eq!(message(&with(8, 9)), "tree file of version 9: this reader knows version 1");
    assert_eq!(message(&with(12, 77)), "tree of unknown kind 77");
    assert_eq!(message(&with(16, 2)), "tree of 2 dimensions: expected 3");
    // The number of boxes as large as can be: no memory is asked for.
    assert!(message(&with(39, 0xFF)).contains("the header promises"), "{}", message(&with(39, 0xFF)));
    // The first box: 64 bytes of header, then its lowest x.
    assert_eq!(message(&with(64 + 3, 0x7F)), "box 0: NaN, or the minimum above the maximum");
    let ids = 64 + 10 * 24;
    assert_eq!(message(&with(ids + 4, 0)), "id 1: not above the one before it");
    assert_eq!(message(&with(ids + 10 * 4 + 3, 1)), "entry 0: names a box that is not there");
}
