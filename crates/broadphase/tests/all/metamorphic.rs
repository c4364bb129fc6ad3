//! What must not matter does not matter: where the scene lies, how boxes are numbered, which way an
//! axis points, and in how many updates boxes got where they are.

use carom_broadphase::{Choice, Contract, Pair, Space};
use carom_geometry::Aabb;
use proptest::prelude::*;

use crate::oracle::choices;

/// Boxes on a raster of eighths within ±16: sums below are exact.
fn boxes<const D: usize>() -> impl Strategy<Value = Vec<Aabb<D>>> {
    let span = (-100i16..100, 0i16..24);
    let one = prop::array::uniform::<_, D>(span).prop_map(|spans| Aabb {
        min: spans.map(|(low, _)| f32::from(low) * 0.125),
        max: spans.map(|(low, width)| f32::from(low + width) * 0.125),
    });
    prop::collection::vec(one, 0..200)
}

fn pairs<const D: usize>(choice: &Choice, updates: &[Vec<Aabb<D>>]) -> Option<Vec<Pair>> {
    let mut space = Space::<D>::with_broad_phase(choice.broad_phase());
    for (index, boxes) in updates.iter().enumerate() {
        if index == 0 {
            for aabb in boxes {
                space.insert(*aabb).unwrap();
            }
        } else {
            space.set_boxes(boxes).unwrap();
        }
        space.update();
    }
    (space.contract() == Contract::Exact).then(|| space.pairs().to_vec())
}

fn mapped<const D: usize>(boxes: &[Aabb<D>], map: impl Fn(&Aabb<D>) -> Aabb<D>) -> Vec<Aabb<D>> {
    boxes.iter().map(map).collect()
}

fn check<const D: usize>(
    boxes: &[Aabb<D>],
    later: &[Aabb<D>],
    shift: [i8; D],
    stride: usize,
) -> Result<(), TestCaseError> {
    let count = boxes.len().min(later.len());
    let (boxes, later) = (&boxes[..count], &later[..count]);
    for choice in choices() {
        let Some(plain) = pairs(&choice, &[later.to_vec()]) else { continue };
        let moved = |c: &[f32; D]| std::array::from_fn(|k| c[k] + f32::from(shift[k]));
        let translated = mapped(later, |b| Aabb { min: moved(&b.min), max: moved(&b.max) });
        prop_assert_eq!(pairs(&choice, &[translated]), Some(plain.clone()), "{}: translated", choice);

        let mirrored = mapped(later, |b| Aabb { min: b.max.map(|c| -c), max: b.min.map(|c| -c) });
        prop_assert_eq!(pairs(&choice, &[mirrored]), Some(plain.clone()), "{}: mirrored", choice);

        // Box i gets number i · stride modulo a prime beyond the count; the gaps are closed by
        // order.
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&i| i * stride % 211);
        let permuted: Vec<Aabb<D>> = order.iter().map(|&i| later[i]).collect();
        let mut back: Vec<Pair> = pairs(&choice, &[permuted])
            .unwrap_or_default()
            .into_iter()
            .map(|p| Pair::new(order[p.a as usize] as u32, order[p.b as usize] as u32))
            .collect();
        back.sort_unstable();
        prop_assert_eq!(&back, &plain, "{}: numbered otherwise", choice);

        let halfway: Vec<Aabb<D>> = boxes
            .iter()
            .zip(later)
            .map(|(a, b)| Aabb {
                min: std::array::from_fn(|k| (a.min[k] + b.min[k]) * 0.5),
                max: std::array::from_fn(|k| (a.max[k] + b.max[k]) * 0.5),
            })
            .collect();
        let at_once = pairs(&choice, &[boxes.to_vec(), later.to_vec()]);
        let in_two = pairs(&choice, &[boxes.to_vec(), halfway, later.to_vec()]);
        prop_assert_eq!(at_once, Some(plain.clone()), "{}: moved", choice);
        prop_assert_eq!(in_two, Some(plain.clone()), "{}: moved in two steps", choice);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(16), ..ProptestConfig::default() })]

    #[test]
    fn plane(a in boxes::<2>(), b in boxes::<2>(), shift in prop::array::uniform2(any::<i8>()), stride in 1usize..210) {
        check(&a, &b, shift, stride)?;
    }

    #[test]
    fn space(a in boxes::<3>(), b in boxes::<3>(), shift in prop::array::uniform3(any::<i8>()), stride in 1usize..210) {
        check(&a, &b, shift, stride)?;
    }
}
