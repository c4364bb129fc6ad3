//! What every swarm promises.

use carom_core::state_hash::StateHasher;

use super::*;

const MANY: &str = "400";

fn request(entry: &Entry, d: usize, rest: &str) -> String {
    format!("{}:{MANY}?d={d}{rest}", entry.name)
}

fn plane(request: &str) -> Swarm<2> {
    match build(request).unwrap() {
        AnySwarm::Plane(swarm) => swarm,
        AnySwarm::Space(_) => panic!("{request} lies in space"),
    }
}

fn space(request: &str) -> Swarm<3> {
    match build(request).unwrap() {
        AnySwarm::Space(swarm) => swarm,
        AnySwarm::Plane(_) => panic!("{request} lies in the plane"),
    }
}

/// FNV-1a over the bits of all coordinates.
fn hash<const D: usize>(swarm: &Swarm<D>) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.write(swarm.boxes().iter().flat_map(|b| b.min.into_iter().chain(b.max)));
    hasher.finish()
}

fn after<const D: usize>(mut swarm: Swarm<D>, frames: usize) -> Swarm<D> {
    (0..frames).for_each(|_| swarm.step());
    swarm
}

/// Fingerprints of all boxes after ten frames, in the plane and in space. They hold the promise
/// that a swarm is the same on every platform and for ever: figures measured on it stay comparable.
const GOLDENS: [(&str, u64, u64); 12] = [
    ("brownian", 0xe582_3042_4f80_8c08, 0xe71e_4b2f_758e_4766),
    ("freefall-ghost", 0xac4c_de10_5d75_5a92, 0xbe57_709b_0afb_2d7f),
    ("gravity-ghost", 0x8b65_0baa_7ab5_c4fe, 0xf263_4b97_9771_e3ef),
    ("at-rest", 0x1ce7_9b59_84b7_5c88, 0x7170_28c1_ddfb_4106),
    ("tenth-moving", 0x28cd_0470_2675_68da, 0x4064_f3eb_48a9_1bb7),
    ("one-huge", 0xf640_9052_2b89_b827, 0x2e4c_ceda_6a33_2889),
    ("line", 0x6663_8725_b6ae_39b7, 0x1c25_487a_7c9e_2806),
    ("plane", 0x32dd_6d3b_611b_fb87, 0x37d4_2123_171c_a3ed),
    ("clusters", 0x41d2_4d43_acbb_74a5, 0x4472_8017_8a96_39aa),
    ("sizes", 0xda58_e3a4_0714_3f52, 0x88a8_dce1_b1d8_6510),
    ("churn", 0xb552_f0fd_3757_593e, 0x997c_e0fd_778d_f217),
    ("teleports", 0xfbfc_d190_2fe3_7a6b, 0x940d_6e3b_1cc7_ad46),
];

#[test]
fn ten_frames_have_the_same_bits_for_ever() {
    let found: Vec<(&str, u64, u64)> = SWARMS
        .iter()
        .map(|entry| {
            let flat = hash(&after(plane(&request(entry, 2, "")), 10));
            (entry.name, flat, hash(&after(space(&request(entry, 3, "")), 10)))
        })
        .collect();
    assert_eq!(found, GOLDENS, "{found:#018x?}");
}

/// Follows a swarm and checks every frame; returns how many boxes moved in each.
fn watch<const D: usize>(what: &str, mut swarm: Swarm<D>, frames: usize) -> Vec<usize> {
    let walls = swarm.walls();
    let slack = walls.max.iter().fold(0.0f32, |most, w| most.max(*w)) * 1e-6;
    let mut moved = Vec::new();
    for frame in 0..frames {
        let before = swarm.boxes().to_vec();
        swarm.step();
        let changes = swarm.changes();
        assert!(changes.moved.is_sorted_by(|a, b| a < b), "{what}: moved ids ascend");
        assert!(
            changes.removed.iter().rev().eq(&changes.inserted),
            "{what}: removed and inserted mirror each other"
        );
        for (id, (old, new)) in before.iter().zip(swarm.boxes()).enumerate() {
            let id = id as u32;
            let listed = changes.moved.binary_search(&id).is_ok();
            let replaced = changes.removed.contains(&id);
            assert!(!(listed && replaced), "{what}, frame {frame}: box {id} moved and was replaced");
            assert!(
                replaced || listed == (old != new),
                "{what}, frame {frame}: box {id} was moved in secret"
            );
            assert!(
                new.is_valid() && walls.grown(slack).contains(new),
                "{what}, frame {frame}: {new:?} left {walls:?}"
            );
        }
        moved.push(changes.moved.len());
    }
    moved
}

#[test]
fn boxes_stay_inside_and_their_moves_are_told() {
    for entry in SWARMS {
        let mixtures: &[&str] = match entry.parameters.iter().any(|p| p.name == "objects") {
            true => &["", "&objects=assorted"],
            false => &[""],
        };
        for rest in mixtures {
            let (flat, full) = (request(entry, 2, rest), request(entry, 3, rest));
            watch(&flat, plane(&flat), 60);
            watch(&full, space(&full), 60);
        }
        for n in [1, 2, 7] {
            for d in [2, 3] {
                let tiny = format!("{}:{n}?d={d}", entry.name);
                if d == 2 {
                    watch(&tiny, plane(&tiny), 30)
                } else {
                    watch(&tiny, space(&tiny), 30)
                };
            }
        }
    }
}

#[test]
fn each_swarm_does_what_its_name_says() {
    let moved = |text: &str, frames| watch(text, space(text), frames);
    assert!(moved("brownian:500", 20).iter().all(|&m| m == 500));
    assert!(moved("at-rest:500", 5).iter().all(|&m| m == 0));
    assert!(moved("tenth-moving:500", 20).iter().all(|&m| m == 50));
    assert!(moved("tenth-moving:500?share=0.5", 5).iter().all(|&m| m == 250));
    assert!(moved("teleports:500", 20).iter().all(|&m| m == 5));
    assert!(moved("gravity-ghost:300", 200).iter().all(|&m| m == 300), "it never rests");
    assert!(moved("churn:500", 20).iter().all(|&m| m == 495));
    let churn = after(space("churn:500"), 3);
    assert_eq!((churn.changes().removed.len(), churn.changes().inserted.len()), (5, 5));

    let falling = moved("freefall-ghost:300", 400);
    assert_eq!((falling[0], falling[399]), (300, 0), "all fall, and come to rest");
    assert!(watch("flat fall", plane("freefall-ghost:300?d=2"), 400)[399] == 0);

    let edge = |b: &Aabb<3>, k: usize| b.max[k] - b.min[k];
    let huge = space("one-huge:800");
    assert!((edge(&huge.boxes()[0], 0) - huge.walls().max[0]).abs() < 1e-3, "half of the world");
    assert!(huge.boxes()[1..].iter().all(|b| edge(b, 0) < 1.8));
    for axis in 0..3 {
        let line = after(space(&format!("line:200?axis={}", ["x", "y", "z"][axis])), 5);
        let middle = |b: &Aabb<3>, k: usize| b.min[k] + b.max[k];
        let on_line = |b: &Aabb<3>| (0..3).all(|k| k == axis || middle(b, k) == 0.0);
        assert!(line.boxes().iter().all(on_line));
        let plane = after(space(&format!("plane:200?axis={}", ["x", "y", "z"][axis])), 5);
        assert!(plane.boxes().iter().all(|b| middle(b, axis) == 0.0));
    }
}

#[test]
fn a_million_boxes_are_as_dense_as_a_thousand() {
    let pairs_per_box = |text: &str| {
        let swarm = space(text);
        let mut boxes = swarm.boxes().to_vec();
        boxes.sort_by(|a, b| a.min[0].total_cmp(&b.min[0]));
        let mut pairs = 0;
        for (i, a) in boxes.iter().enumerate() {
            pairs +=
                boxes[i + 1..].iter().take_while(|b| b.min[0] <= a.max[0]).filter(|b| a.overlaps(b)).count();
        }
        pairs as f64 / boxes.len() as f64
    };
    let (few, many) = (pairs_per_box("brownian:1000"), pairs_per_box("brownian:20000"));
    assert!((0.1..0.6).contains(&few) && (0.1..0.6).contains(&many), "{few} and {many} pairs per box");
}

#[test]
fn mistakes_are_named() {
    let message = |request: &str| build(request).map(|_| ()).unwrap_err().to_string();
    assert_eq!(message("brownian:many"), "scene `brownian`: n = `many` is not a whole number");
    assert_eq!(message("brownian?d=4"), "scene `brownian`: d = `4` is not between 2 and 3");
    assert_eq!(
        message("at-rest?speed=1"),
        "scene `at-rest` has no parameter `speed`; it has n, d, density, objects, seed"
    );
    assert_eq!(message("line?d=2&axis=z"), "scene `line`: axis = `z` is no direction of the plane");
    assert!(message("browning").starts_with("no library scene is called `browning`; there are brownian, "));
    assert!(knows("churn:5?nonsense") && !knows("box:5"));
}
