//! Tighter volumes: methods and refinements that use them, against plain formulas in double
//! precision.

use carom_broadphase::refine::Refinement;
use carom_broadphase::{Bound, Choice, Filter, Space};
use carom_geometry::bounds::{Kdop, Obb};
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::contract::{Op, any_box, run};

/// Gap relative to the sizes that may be overlooked: above 160ε, what the oriented boxes promise.
const SLACK: f64 = 4e-5;
/// Gap that may be overlooked anyway, metres.
const LEAST: f64 = 1e-17;
/// Beyond it k-DOPs are infinite, metres.
const FAR: f64 = 1e29;

/// Do two volumes overlap? `None` overlaps everything.
pub(crate) fn overlap(by: Refinement, a: Option<Bound>, b: Option<Bound>, generously: bool) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    let slack = if generously { (SLACK, LEAST) } else { (0.0, 0.0) };
    match by {
        Refinement::Sphere => {
            let distance = (b.obb.centre.as_dvec3() - a.obb.centre.as_dvec3()).length();
            distance <= (f64::from(a.radius) + f64::from(b.radius)) * (1.0 + slack.0) + slack.1
        }
        Refinement::Obb => {
            let grown = |obb: &Obb| {
                let sum = f64::from(obb.half.x) + f64::from(obb.half.y) + f64::from(obb.half.z);
                obb.to::<f64>().grown(slack.0 * sum + slack.1)
            };
            grown(&a.obb).overlaps(&grown(&b.obb))
        }
        Refinement::Kdop14 => slabs_overlap(&Kdop::<7>::DIRECTIONS, &a, &b, slack),
        Refinement::Kdop18 => slabs_overlap(&Kdop::<9>::DIRECTIONS, &a, &b, slack),
        Refinement::Kdop26 => slabs_overlap(&Kdop::<13>::DIRECTIONS, &a, &b, slack),
    }
}

/// Do the parts that box and sphere have in common overlap along each direction, as far as box and
/// sphere alone tell?
fn slabs_overlap(directions: &[[i8; 3]], a: &Bound, b: &Bound, slack: (f64, f64)) -> bool {
    let size = |bound: &Bound| {
        let (c, h) = (bound.obb.centre.as_dvec3().abs(), bound.obb.half.as_dvec3());
        c.element_sum() + h.element_sum() + f64::from(bound.radius)
    };
    let sizes = size(a) + size(b);
    if slack.0 > 0.0 && sizes > FAR {
        return true;
    }
    directions.iter().all(|direction| {
        let d = DVec3::from_array(direction.map(f64::from));
        let reach = |bound: &Bound| {
            let of_axis =
                |k: usize| (d.dot(bound.obb.axes.columns[k].as_dvec3()) * f64::from(bound.obb.half[k])).abs();
            (of_axis(0) + of_axis(1) + of_axis(2)).min(d.length() * f64::from(bound.radius))
        };
        let gap = d.dot(b.obb.centre.as_dvec3() - a.obb.centre.as_dvec3()).abs() - reach(a) - reach(b);
        gap <= slack.0 * sizes + slack.1
    })
}

/// A turned box in the middle of a box, and a sphere that may be smaller than the one around it;
/// flat in the plane.
pub(crate) fn tight<const D: usize>(aabb: &Aabb<D>, angle: f32, shrink: f32, ball: f32) -> Option<Bound> {
    let whole = Bound::of_box(aabb)?;
    let axis = if D == 2 { Vec3::Z } else { Vec3::new(0.6, 0.0, 0.8) };
    let pose = Pose::new(whole.obb.centre, Rotation::about_axis(axis, angle));
    let obb = Obb::of_pose(&pose, whole.obb.half * shrink);
    Some(Bound { obb, radius: whole.radius * shrink * ball })
}

fn ops<const D: usize>() -> impl Strategy<Value = Vec<Op<D>>> {
    let tight = (-3.0f32..3.0, 0.3f32..1.0, prop_oneof![Just(1.0f32), 0.5f32..1.0]);
    let op = prop_oneof![
        6 => any_box::<D>().prop_map(|aabb| Op::Insert(aabb, Filter::default())),
        1 => any::<usize>().prop_map(Op::Remove),
        3 => (any::<usize>(), any_box::<D>()).prop_map(|(at, aabb)| Op::Move(at, aabb)),
        6 => (any::<usize>(), tight).prop_map(|(at, (angle, size, ball))| Op::Bound(at, [angle, size, ball])),
        1 => Just(Op::Renew),
        3 => Just(Op::Update),
    ];
    prop::collection::vec(op, 0..60)
}

/// Inner methods that answer with lists, with differences, and with all pairs.
fn tight_choices() -> Vec<Choice> {
    let refined = ["aabb", "sap", "none", "incremental-sap"]
        .iter()
        .flat_map(|inner| Refinement::ALL.map(|by| format!("{inner}+{}", by.name())));
    let names = ["sphere", "obb", "sapobb", "sphere+obb", "obb+kdop14", "sapobb+kdop26"].map(String::from);
    names.into_iter().chain(refined).map(|name| name.parse().unwrap()).collect()
}

proptest! {
    #[test]
    fn tight_volumes_of_the_plane(ops in ops::<2>()) {
        for choice in tight_choices() {
            prop_assert_eq!(run(&choice, &ops), Ok(()));
        }
    }

    #[test]
    fn tight_volumes_of_space(ops in ops::<3>()) {
        for choice in tight_choices() {
            prop_assert_eq!(run(&choice, &ops), Ok(()));
        }
    }
}

/// A refinement that lets everything pass would satisfy half of the contract.
#[test]
fn each_refinement_leaves_out_what_only_it_can() {
    let cube = |x: f32, y: f32| Aabb::new([x, y, 0.0], [x + 2.0, y + 2.0, 2.0]);
    // Unit balls in boxes that overlap at a corner.
    let pairs = |choice: &str, diagonal: bool| {
        let mut space = Space::<3>::with_broad_phase(choice.parse::<Choice>().unwrap().broad_phase());
        for corner in [0.0, 1.6] {
            let id = space.insert(cube(corner, corner)).unwrap();
            let whole = Bound::of_box(&cube(corner, corner)).unwrap();
            let mut bound = Bound { radius: 1.0, ..whole };
            if diagonal {
                // A thin plank across the other diagonal.
                let pose =
                    Pose::new(whole.obb.centre, Rotation::about_axis(Vec3::Z, -std::f32::consts::FRAC_PI_4));
                bound = Bound::of_obb(Obb::of_pose(&pose, Vec3::new(1.2, 0.1, 1.0)));
            }
            space.set_bound(id, bound).unwrap();
        }
        space.update().len()
    };
    // The centres are 1.6 √2 = 2.26 apart.
    let expected = [
        ("", 1, 1),
        ("+sphere", 0, 1),
        ("+obb", 1, 0),
        ("+kdop14", 1, 0),
        ("+kdop18", 0, 0),
        ("+kdop26", 0, 0),
    ];
    for (refinement, balls, planks) in expected {
        let choice = format!("sap{refinement}");
        assert_eq!((pairs(&choice, false), pairs(&choice, true)), (balls, planks), "{choice}");
    }
    assert_eq!((pairs("sphere", false), pairs("obb", true), pairs("sapobb", true)), (0, 0, 0));
}

#[test]
fn bounds_that_change_alone_change_the_pairs() {
    for name in ["sphere", "obb", "sapobb", "sap+sphere", "incremental-sap+kdop14", "aabb+kdop26"] {
        let mut space = Space::<2>::with_broad_phase(name.parse::<Choice>().unwrap().broad_phase());
        let a = space.insert(Aabb::new([0.0, 0.0], [2.0, 2.0])).unwrap();
        let _ = space.insert(Aabb::new([1.8, 0.0], [3.8, 2.0])).unwrap();
        assert_eq!(space.update().len(), 1, "{name}");
        let whole = Bound::of_box(&Aabb::new([0.0, 0.0], [2.0, 2.0])).unwrap();
        let obb = Obb { half: whole.obb.half * 0.1, ..whole.obb };
        space.set_bound(a, Bound::of_obb(obb)).unwrap();
        assert_eq!(space.update().len(), 0, "{name}");
        assert_eq!(space.changes().ended.len(), 1, "{name}");
        space.set_bound(a, whole).unwrap();
        assert_eq!(space.update().len(), 1, "{name}");
    }
}

/// Sizes whose squares underflow, or overflow.
#[test]
fn boxes_of_any_size_keep_their_pairs() {
    for size in [1e-38f32, 1e-30, 4e-24, 4e-23, 1e-20, 1e-19, 1e-10, 1e10, 1e16, 1e19, 1e25, 1e37] {
        for name in ["sphere", "obb", "sapobb", "sap+sphere", "sap+kdop14", "sap+kdop18", "sap+kdop26"] {
            let mut space = Space::<3>::with_broad_phase(name.parse::<Choice>().unwrap().broad_phase());
            for at in [0.0f32, 0.98, 5.0] {
                let low = [at * size, 0.0, 0.0];
                space.insert(Aabb::new(low, [low[0] + size, size, size])).unwrap();
            }
            let pairs = space.update().to_vec();
            assert!(pairs.contains(&carom_broadphase::Pair { a: 0, b: 1 }), "{name} at {size}");
            // What is below the least size of a method, or above the largest, may be let through.
            let is_common = (1e-10..=1e16).contains(&size);
            assert!(!is_common || pairs.len() == 1, "{name} at {size}: {pairs:?}");
        }
    }
}

/// A bound that is no number, or smaller than nothing, is the caller's mistake, but must not cost a
/// pair or a panic.
#[test]
fn bounds_that_are_no_numbers_overlap_everything() {
    for name in ["sphere", "obb", "sapobb", "sap+sphere", "sap+kdop14", "sap+kdop26"] {
        let mut space = Space::<3>::with_broad_phase(name.parse::<Choice>().unwrap().broad_phase());
        let aabb = Aabb::new([0.0; 3], [1.0; 3]);
        let a = space.insert(aabb).unwrap();
        space.insert(Aabb::new([0.5; 3], [1.5; 3])).unwrap();
        let mut bound = Bound::of_box(&aabb).unwrap();
        bound.obb.centre.y = f32::NAN;
        bound.radius = f32::NAN;
        space.set_bound(a, bound).unwrap();
        assert_eq!(space.update().len(), 1, "{name}");
    }
}

/// Boxes that share one corner, at places where sums of coordinates are rounded.
#[test]
fn boxes_that_touch_at_a_corner_keep_their_pairs() {
    for name in ["sphere", "obb", "sapobb", "sap+sphere", "sap+kdop14", "sap+kdop18", "sap+kdop26"] {
        let mut space = Space::<3>::with_broad_phase(name.parse::<Choice>().unwrap().broad_phase());
        let count = 200u16;
        for i in 0..count {
            // Far from each other, so that every box touches one other.
            let number = |k: u16| f32::from(i) * 40.0 + (f32::from(i * 3 + k) * 0.618_034).fract() * 3.0;
            let corner = [number(0), number(1), number(2)];
            let reach = |sign: f32| corner.map(|c| c + sign * 2.7);
            space.insert(Aabb::new(reach(-1.0), corner)).unwrap();
            space.insert(Aabb::new(corner, reach(1.0))).unwrap();
        }
        assert_eq!(space.update().len(), usize::from(count), "{name}");
    }
}
