//! Random sequences of operations: after every update the pairs of every method are those of the
//! model, and so are the changes.

use carom_broadphase::{Choice, Filter, Space};
use carom_geometry::Aabb;
use proptest::prelude::*;

use crate::oracle::{Model, choices, compare};
use crate::volumes::tight;

#[derive(Clone, Debug)]
pub(crate) enum Op<const D: usize> {
    Insert(Aabb<D>, Filter),
    /// An element of those alive, taken modulo their number.
    Remove(usize),
    Move(usize, Aabb<D>),
    /// A small step of one box.
    Nudge(usize, [i8; D]),
    /// A step of all boxes.
    MoveAll([i8; D]),
    Refilter(usize, Filter),
    /// Gives tighter volumes: angle, size and radius relative to the box.
    Bound(usize, [f32; 3]),
    /// The method starts again in the middle of the run.
    Renew,
    Update,
}

/// Few different values, so that ties, touching, flat and equal boxes abound; now and then an
/// extreme one.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        12 => (-12i8..12).prop_map(f32::from),
        4 => -12.0f32..12.0,
        1 => prop::sample::select(vec![
            f32::NEG_INFINITY, f32::INFINITY, -f32::MAX, f32::MAX, 0.0, -0.0, 1e-40, -1e30, 1e30, 16_777_216.0, f32::MIN_POSITIVE,
        ]),
    ]
}

pub(crate) fn any_box<const D: usize>() -> impl Strategy<Value = Aabb<D>> {
    let near = prop::array::uniform::<_, D>((coordinate(), 0u8..4)).prop_map(|ends| Aabb {
        min: ends.map(|(low, _)| low),
        max: ends.map(|(low, width)| low + f32::from(width) * 0.5),
    });
    let any = prop::array::uniform::<_, D>((coordinate(), coordinate()))
        .prop_map(|ends| Aabb { min: ends.map(|(a, b)| a.min(b)), max: ends.map(|(a, b)| a.max(b)) });
    prop_oneof![5 => near, 1 => any]
}

fn any_filter() -> impl Strategy<Value = Filter> {
    prop_oneof![
        6 => Just(Filter::default()),
        2 => Just(Filter::STATIC),
        1 => (any::<bool>(), 1u32..4, 0u32..4, -1i32..=1, prop::option::of(0u32..3))
            .prop_map(|(is_static, category, mask, group, body)| Filter { is_static, category, mask, group, body }),
    ]
}

fn ops<const D: usize>(filter: BoxedStrategy<Filter>) -> impl Strategy<Value = Vec<Op<D>>> {
    let step = prop::array::uniform::<_, D>(-3i8..=3);
    let op = prop_oneof![
        8 => (any_box::<D>(), filter.clone()).prop_map(|(aabb, filter)| Op::Insert(aabb, filter)),
        2 => any::<usize>().prop_map(Op::Remove),
        3 => (any::<usize>(), any_box::<D>()).prop_map(|(at, aabb)| Op::Move(at, aabb)),
        6 => (any::<usize>(), step.clone()).prop_map(|(at, step)| Op::Nudge(at, step)),
        1 => step.prop_map(Op::MoveAll),
        1 => (any::<usize>(), filter).prop_map(|(at, filter)| Op::Refilter(at, filter)),
        1 => Just(Op::Renew),
        4 => Just(Op::Update),
    ];
    prop::collection::vec(op, 0..80)
}

fn nudged<const D: usize>(aabb: &Aabb<D>, step: &[i8; D]) -> Aabb<D> {
    let moved = |c: &[f32; D]| std::array::from_fn(|k| c[k] + f32::from(step[k]) * 0.5);
    Aabb { min: moved(&aabb.min), max: moved(&aabb.max) }
}

/// Runs a sequence on one method.
pub(crate) fn run<const D: usize>(choice: &Choice, ops: &[Op<D>]) -> Result<(), String> {
    let mut space = Space::<D>::with_broad_phase(choice.broad_phase());
    let mut model = Model::default();
    let mut before = Vec::new();
    let mut alive: Vec<u32> = Vec::new();
    for op in ops.iter().chain([&Op::Update]) {
        let pick = |at: usize| if alive.is_empty() { None } else { Some(at % alive.len()) };
        match *op {
            Op::Insert(aabb, filter) => {
                let id = space.insert_filtered(aabb, filter).unwrap();
                model.boxes.resize((id as usize + 1).max(model.boxes.len()), None);
                model.bounds.resize(model.boxes.len(), None);
                assert!(model.boxes[id as usize].replace((aabb, filter)).is_none(), "an id was given twice");
                alive.push(id);
            }
            Op::Remove(at) => {
                let Some(at) = pick(at) else { continue };
                let id = alive.swap_remove(at);
                space.remove(id).unwrap();
                model.boxes[id as usize] = None;
                model.bounds[id as usize] = None;
                assert!(space.remove(id).is_err(), "a box was removed twice");
            }
            Op::Move(at, aabb) => {
                let Some(at) = pick(at) else { continue };
                space.set_box(alive[at], &aabb).unwrap();
                model.boxes[alive[at] as usize].as_mut().unwrap().0 = aabb;
            }
            Op::Nudge(at, step) => {
                let Some(at) = pick(at) else { continue };
                let entry = model.boxes[alive[at] as usize].as_mut().unwrap();
                entry.0 = nudged(&entry.0, &step);
                space.set_box(alive[at], &entry.0).unwrap();
            }
            Op::MoveAll(step) => {
                for (id, entry) in model.boxes.iter_mut().enumerate() {
                    let Some((aabb, _)) = entry else { continue };
                    *aabb = nudged(aabb, &step);
                    space.set_box(id as u32, aabb).unwrap();
                }
            }
            Op::Refilter(at, filter) => {
                let Some(at) = pick(at) else { continue };
                space.set_filter(alive[at], filter).unwrap();
                model.boxes[alive[at] as usize].as_mut().unwrap().1 = filter;
            }
            Op::Bound(at, [angle, size, ball]) => {
                let Some(at) = pick(at) else { continue };
                let id = alive[at];
                let Some(bound) = tight(space.table().aabb(id), angle, size, ball) else { continue };
                space.set_bound(id, bound).unwrap();
                model.bounds[id as usize] = Some(bound);
            }
            Op::Renew => space.set_broad_phase(choice.broad_phase()),
            Op::Update => compare(choice, &mut space, &model, &model.pairs(0.0), &mut before)?,
        }
    }
    Ok(())
}

#[test]
fn a_method_that_takes_over_ends_and_keeps_the_pairs_of_the_one_before() {
    let at = |x: f32| Aabb::new([x, 0.0], [x + 1.0, 1.0]);
    let plain = |x: f32| Op::Insert(at(x), Filter::default());
    let stays = [plain(0.0), plain(0.5), Op::Update, Op::Renew];
    let ends = [plain(0.0), plain(0.5), Op::Update, Op::Move(1, at(9.0)), Op::Renew];
    let all_gone = [plain(0.0), plain(0.5), Op::Update, Op::Remove(0), Op::Remove(0), Op::Renew];
    for choice in choices() {
        for ops in [&stays[..], &ends, &all_gone] {
            assert_eq!(run(&choice, ops), Ok(()));
        }
    }
}

proptest! {
    #[test]
    fn plane(ops in ops::<2>(Just(Filter::default()).boxed())) {
        for choice in choices() {
            prop_assert_eq!(run(&choice, &ops), Ok(()));
        }
    }

    #[test]
    fn plane_with_filters(ops in ops::<2>(any_filter().boxed())) {
        for choice in choices() {
            prop_assert_eq!(run(&choice, &ops), Ok(()));
        }
    }

    #[test]
    fn space(ops in ops::<3>(Just(Filter::default()).boxed())) {
        for choice in choices() {
            prop_assert_eq!(run(&choice, &ops), Ok(()));
        }
    }

    #[test]
    fn space_with_filters(ops in ops::<3>(any_filter().boxed())) {
        for choice in choices() {
            prop_assert_eq!(run(&choice, &ops), Ok(()));
        }
    }
}
