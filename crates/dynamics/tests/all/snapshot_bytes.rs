//! Snapshots as bytes: read anywhere they go on to the same bits, and no bytes do harm.

use carom_core::state_hash::StateHasher;
use carom_dynamics::{
    Axis, BodyDef, BodyId, JointDef, JointKind, Motor, ShapeDef, Snapshot, SnapshotError, Spring, World,
    WorldDef,
};
use carom_geometry::Shape;
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::polytope::Polytope;
use carom_geometry::shape::HalfSpace;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid};
use crate::zoo;

/// What a step shows of a world.
fn seen(world: &World) -> (u64, String) {
    let contacts = world.contacts().map(|c| (c.shapes(), c.force().to_array().map(f32::to_bits)));
    let (contacts, joints): (Vec<_>, Vec<_>) = (contacts.collect(), world.broken_joints().to_vec());
    (world.state_hash(), format!("{:?} {contacts:?} {joints:?}", world.events()))
}

fn ground(world: &mut World) {
    let heights: Vec<f32> = (0..21 * 17).map(|k| 0.02 * ((k * 7) % 13) as f32).collect();
    let field = HeightField::new(21, 17, heights, [0.5, 0.5]).unwrap();
    let field = field.with_holes(|column, row| column == 3 && row == 4).unwrap();
    world.add_body(BodyDef::fixed().at(-5.5, 0.0, 0.0), [ShapeDef::new(field)]).unwrap();
    let (vertices, triangles) = generate::terrain(20, 20, 0.5, |x, z| 0.05 * x * z);
    let options = MeshOptions { flat_angle: 0.1, ..MeshOptions::default() };
    let mesh = Shape::from(Mesh::new(vertices, triangles, &options).unwrap());
    for x in [5.5, 20.0] {
        world.add_body(BodyDef::fixed().at(x, 0.0, 0.0), [ShapeDef::new(mesh.clone())]).unwrap();
    }
    world.add_body(BodyDef::fixed().at(0.0, -1.0, 0.0), [ShapeDef::new(HalfSpace)]).unwrap();
}

fn joints(world: &mut World, ids: &[BodyId]) {
    let free =
        Axis::FREE.range(-0.5, 0.5).motor(Motor::new(1.0, f32::INFINITY)).spring(Spring::new(2.0, 0.5));
    let kinds = [
        JointKind::Distance { range: [0.0, f32::INFINITY], spring: Some(Spring::hooke(50.0, 1.0)) },
        JointKind::Ball { cone: Some(1.0), twist: Some([-1.0, 1.0]), friction: 0.1, spring: None },
        JointKind::Hinge(free),
        JointKind::Slider(free),
        JointKind::Fixed { spring: Some(Spring::new(5.0, 1.0)) },
        JointKind::Universal([free, Axis::FREE]),
        JointKind::Wheel { suspension: free, steering: Axis::LOCKED, spin: Axis::FREE },
        JointKind::SixAxis { linear: [Axis::LOCKED, free, Axis::LOCKED], angular: [free; 3] },
    ];
    for (k, kind) in kinds.into_iter().enumerate() {
        let def = JointDef::new(ids[k], ids[k + 1], kind);
        let def = if k == 4 { def.breaks_at(0.5, f32::INFINITY) } else { def };
        world.add_joint(def).unwrap();
    }
    let gone = world.add_joint(JointDef::ball(ids[0], ids[2])).unwrap();
    world.remove_joint(gone).unwrap();
}

/// Everything that a world can hold, in motion and at rest.
fn everything(def: WorldDef) -> World {
    let mut world = World::new(def);
    ground(&mut world);
    let mut numbers = Numbers(5);
    let hull = Shape::from(Polytope::random_on_sphere(30, 0.3, 7).unwrap());
    for k in 0..40u32 {
        let at = DVec3::new(f64::from(k % 8) * 2.5 - 8.0, 0.8 + 0.65 * f64::from(k / 8), f64::from(k % 3));
        let shape = match k % 5 {
            0 => cuboid(0.3, 0.3, 0.3),
            1 => ShapeDef::new(hull.clone()).rolling(0.01),
            2 => capsule(0.2, 0.15).restitution(0.5),
            3 => ball(0.3).group(-2),
            _ => ShapeDef::new(zoo::shape(k, &mut numbers)).density(300.0),
        };
        let is_solid = !matches!(shape.shape, Shape::Mesh(_) | Shape::HeightField(_));
        let kind = if is_solid { BodyDef::dynamic() } else { BodyDef::kinematic().angular_velocity(Vec3::Y) };
        world.add_body(kind.at(at.x, at.y, at.z), [shape]).unwrap();
    }
    let chain: Vec<BodyId> = (0..9)
        .map(|k| {
            let def = if k == 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
            world.add_body(def.at(f64::from(k) * 0.6, 4.0, -3.0), [cuboid(0.25, 0.1, 0.1)]).unwrap()
        })
        .collect();
    joints(&mut world, &chain);
    let slab = [cuboid(1.0, 0.1, 1.0)];
    world.add_body(BodyDef::kinematic().at(0.0, 0.5, 5.0).velocity(Vec3::X * 0.3), slab).unwrap();
    world.add_body(BodyDef::fixed().at(0.0, 1.0, 0.0), [cuboid(2.0, 2.0, 2.0).sensor()]).unwrap();
    // Rests at once, and sleeps before the minute is over.
    world.add_body(BodyDef::dynamic().at(0.0, -0.5, 9.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let bullet = BodyDef::dynamic().bullet().at(-9.0, 2.0, 0.5).velocity(Vec3::X * 150.0);
    world.add_body(bullet, [ball(0.05)]).unwrap();
    let ids: Vec<BodyId> = world.body_ids().collect();
    for frame in 0..60 {
        world.step(DT).unwrap();
        if frame % 12 == 5 {
            world.remove_body(ids[6 + frame / 3]).unwrap();
        }
    }
    world
}

#[test]
fn a_new_world_goes_on_from_bytes_as_the_old_one_does() {
    let mut world = everything(WorldDef::default());
    // Changes that no step has seen are in the snapshot too.
    let id = world.body_ids().nth(9).unwrap();
    world
        .body_mut(id)
        .unwrap()
        .set_pose(DVec3::new(1.0, 3.0, 1.0), carom_geometry::Rotation::IDENTITY)
        .unwrap();
    let (asleep, joints) = (world.report().fell_asleep, world.events().touch_begin().len());
    let bytes = world.snapshot().to_bytes();
    for def in [WorldDef::default(), WorldDef::default().threads(2)] {
        let mut old = everything(WorldDef::default());
        old.body_mut(id)
            .unwrap()
            .set_pose(DVec3::new(1.0, 3.0, 1.0), carom_geometry::Rotation::IDENTITY)
            .unwrap();
        let mut new = World::new(def);
        new.restore(&Snapshot::from_bytes(&bytes).unwrap());
        assert_eq!(new.validate(), []);
        assert_eq!((new.report().fell_asleep, new.events().touch_begin().len()), (asleep, joints));
        let mut sleepers = 0;
        for frame in 0..120 {
            sleepers += old.step(DT).unwrap().fell_asleep;
            new.step(DT).unwrap();
            assert_eq!(new.state_hash(), old.state_hash(), "frame {frame}");
            assert!(seen(&new) == seen(&old), "frame {frame}");
            // Ids go on in the same order.
            if frame == 50 {
                let at = BodyDef::dynamic().at(0.0, 6.0, 0.0);
                let added = [&mut old, &mut new].map(|world| world.add_body(&at, [ball(0.2)]).unwrap());
                assert_eq!(added[0], added[1]);
            }
        }
        assert!(sleepers > 0 && new.report().awake > 0, "some sleep and some do not");
    }
}

#[test]
fn equal_snapshots_are_equal_bytes() {
    let (one, other) = (everything(WorldDef::default()), everything(WorldDef::default().threads(2)));
    let bytes = one.snapshot().to_bytes();
    assert!(bytes == other.snapshot().to_bytes(), "histories that are equal");
    let read = Snapshot::from_bytes(&bytes).unwrap();
    assert!(bytes == read.to_bytes(), "there and back");
    let mut new = World::new(WorldDef::default());
    new.restore(&read);
    assert!(bytes == new.snapshot().to_bytes(), "through a world");
    for seed in 0..4 {
        let bytes = zoo::zoo(DVec3::new(0.0, 1e5, 0.0), seed).snapshot().to_bytes();
        assert!(Snapshot::from_bytes(&bytes).unwrap().to_bytes() == bytes, "zoo {seed}");
    }
}

/// Two boxes of one hull and a ball on a mesh, joined.
fn small() -> World {
    let mut world = World::new(WorldDef::default());
    let (vertices, triangles) = generate::terrain(4, 4, 1.0, |x, z| 0.1 * x * z);
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(mesh)]).unwrap();
    let hull = Shape::from(Polytope::cube(0.25).unwrap());
    let [a, b] = [0.0, 0.6]
        .map(|x| world.add_body(BodyDef::dynamic().at(x, 0.3, 0.0), [ShapeDef::new(hull.clone())]).unwrap());
    world.add_joint(JointDef::ball(a, b).at(DVec3::new(0.3, 0.3, 0.0))).unwrap();
    world.add_body(BodyDef::dynamic().at(0.0, 0.8, 0.0), [ball(0.2)]).unwrap();
    for _ in 0..10 {
        world.step(DT).unwrap();
    }
    world
}

/// A change of this number needs another version of the state (`STATE` in `snapshot/bytes.rs`) if
/// what is stored has changed, and none if only the scene goes differently. It is the same in every
/// build on every machine.
#[test]
fn the_bytes_are_the_golden_ones() {
    let bytes = small().snapshot().to_bytes();
    let mut hasher = StateHasher::default();
    hasher.write_bytes(&bytes);
    assert_eq!(format!("{} bytes, {:016x}", bytes.len(), hasher.finish()), GOLDEN);
}

const GOLDEN: &str = "6776 bytes, 9052707abe79cf06";

#[test]
fn settings_are_in_the_bytes_if_they_are_wanted() {
    let def = WorldDef { sleep_time: f32::INFINITY, max_pairs: 12_345, ..WorldDef::default() };
    let def = def.substeps(7).length_scale(0.5).events(false).broad("sap".parse().unwrap());
    let mut world = everything(def.clone());
    let plain = world.snapshot().to_bytes();
    let bytes = world.snapshot().with_settings(world.settings()).to_bytes();
    assert!(Snapshot::from_bytes(&plain).unwrap().settings().is_none());
    let snapshot = Snapshot::from_bytes(&bytes).unwrap();
    let mut other = World::from_snapshot(&snapshot);
    let shown = |world: &World| format!("{:?}", WorldDef { clock: def.clock, ..world.settings().clone() });
    assert_eq!(shown(&other), shown(&world));
    for _ in 0..20 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert_eq!(seen(&world), seen(&other));
    }
    // What they say is not believed either.
    let mut numbers = Numbers(3);
    let tail = bytes.len() - plain.len();
    for _ in 0..damages(500) {
        let mut bad = bytes.clone();
        let at = bytes.len() - 8 - tail + below(&mut numbers, tail);
        bad[at] = numbers.0 as u8;
        if let Ok(snapshot) = Snapshot::from_bytes(&sealed(bad)) {
            // It may be refused for too many pairs.
            let _ = World::from_snapshot(&snapshot).step(DT);
        }
    }
}

#[test]
fn shared_geometry_is_written_once_and_is_shared_again() {
    let mut world = World::new(WorldDef::default());
    let hull = Shape::from(Polytope::random_on_sphere(200, 1.0, 3).unwrap());
    let mut sizes = Vec::new();
    for k in 0..3 {
        let at = BodyDef::fixed().at(3.0 * f64::from(k), 0.0, 0.0);
        world.add_body(at, [ShapeDef::new(hull.clone())]).unwrap();
        sizes.push(world.snapshot().to_bytes().len());
    }
    assert!(sizes[0] > 20_000 && sizes[1] - sizes[0] < 500 && sizes[2] - sizes[1] < 500, "{sizes:?}");
    let mut other = World::new(WorldDef::default());
    other.restore(&Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    let hulls: Vec<_> = zoo::members(&other).into_iter().map(|member| member.shape).collect();
    for pair in hulls.windows(2) {
        let [Shape::Polytope(a), Shape::Polytope(b)] = pair else { panic!("hulls") };
        assert!(std::sync::Arc::ptr_eq(a, b));
    }
}

/// How many damaged copies are tried: with `CAROM_LONG` a hundred times as many.
fn damages(ordinarily: u32) -> u32 {
    if std::env::var_os("CAROM_LONG").is_some() { 100 * ordinarily } else { ordinarily }
}

fn below(numbers: &mut Numbers, count: usize) -> usize {
    numbers.next();
    ((numbers.0 >> 33) % count as u64) as usize
}

/// Some bytes are lost, changed, or moved.
fn damaged(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bad = bytes.to_vec();
    match below(numbers, 4) {
        0 => bad.truncate(below(numbers, bytes.len())),
        1 => {
            let at = below(numbers, bytes.len());
            bad[at] ^= 1 << below(numbers, 8);
        }
        2 => {
            for _ in 0..4 {
                let at = below(numbers, bytes.len());
                bad[at] = numbers.0 as u8;
            }
        }
        _ => {
            // A word of the kind that breaks readers.
            let at = below(numbers, bytes.len() - 4);
            let words = [0, 1, u32::MAX, u32::MAX - 1, 0x7F80_0000, 0x7FC0_0000, 0x7F7F_FFFF, 1 << 31];
            bad[at..at + 4].copy_from_slice(&words[below(numbers, 8)].to_le_bytes());
        }
    }
    bad
}

#[test]
fn no_damage_gets_past_the_checksum() {
    let bytes = small().snapshot().to_bytes();
    let mut numbers = Numbers(1);
    for _ in 0..damages(2_000) {
        let bad = damaged(&bytes, &mut numbers);
        assert!(bad == bytes || Snapshot::from_bytes(&bad).is_err());
    }
    for at in 0..bytes.len() {
        assert!(Snapshot::from_bytes(&bytes[..at]).is_err());
    }
}

/// Gives bytes the checksum that they should have.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len().saturating_sub(8);
    let mut hasher = StateHasher::default();
    hasher.write_bytes(&bytes[..end]);
    bytes.truncate(end);
    bytes.extend(hasher.finish().to_le_bytes());
    bytes
}

/// Bytes made on purpose: what is read as a snapshot can be stepped.
#[test]
fn what_is_taken_for_a_snapshot_is_a_world() {
    let mut numbers = Numbers(2);
    for bytes in [small().snapshot().to_bytes(), everything(WorldDef::default()).snapshot().to_bytes()] {
        let (mut taken, count) = (0, damages(1_500));
        for _ in 0..count {
            let bad = sealed(damaged(&bytes, &mut numbers));
            let Ok(snapshot) = Snapshot::from_bytes(&bad) else { continue };
            taken += 1;
            let mut world = World::new(WorldDef::default());
            world.restore(&snapshot);
            assert_eq!(world.validate(), []);
            for _ in 0..3 {
                world.step(DT).unwrap();
            }
        }
        assert!(taken > 0 && taken < count, "{taken} of {count}");
    }
}

#[test]
fn errors_tell_what_is_wrong_and_where() {
    let bytes = small().snapshot().to_bytes();
    let told = |bytes: &[u8]| Snapshot::from_bytes(bytes).err().map(|error| error.to_string());
    assert!(matches!(Snapshot::from_bytes(b""), Err(SnapshotError::Magic { .. })));
    assert!(matches!(Snapshot::from_bytes(b"PNG and more"), Err(SnapshotError::Magic { .. })));
    let mut other = bytes.clone();
    other[10] = 9;
    let version = "the state is of version 9, and this engine reads version 6: write it with the same engine";
    assert_eq!(told(&other).as_deref(), Some(version));
    let mut other = bytes.clone();
    other[100] ^= 16;
    assert!(matches!(Snapshot::from_bytes(&other), Err(SnapshotError::Checksum { .. })));
    let mut other = bytes.clone();
    other[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let left = bytes.len() - 12 - 4 - 8;
    let length = format!(
        "bodies.cold.slots, at byte 12: a list of 4294967295 entries does not fit into the {left} bytes that are left"
    );
    assert_eq!(told(&sealed(other)), Some(length));
    let mut other = bytes.clone();
    other.splice(bytes.len() - 8..bytes.len() - 8, [0; 3]);
    assert_eq!(told(&sealed(other)).as_deref(), Some("3 bytes are left after the state"));
    let cut = sealed(bytes[..bytes.len() - 40].to_vec());
    assert!(matches!(Snapshot::from_bytes(&cut), Err(SnapshotError::Value(_))), "{:?}", told(&cut));
}
