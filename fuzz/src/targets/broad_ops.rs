//! Any bytes as operations on a space: whatever comes, moves and goes, every method reports the
//! pairs that a plain double loop finds, and the changes that lead from one list to the next.

use carom_broadphase::{BoxError, Contract, Filter, Method, Pair, Space};
use carom_geometry::Aabb;

/// Boxes beyond this number are not inserted: the double loop is quadratic.
const MOST: usize = 120;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Some((&mode, bytes)) = bytes.split_first() else { return };
    let Some((&method, bytes)) = bytes.split_first() else { return };
    let method = Method::ALL[usize::from(method) % Method::ALL.len()];
    if mode & 1 == 0 { run::<2>(method, mode, bytes) } else { run::<3>(method, mode, bytes) }
}

fn run<const D: usize>(method: Method, mode: u8, bytes: &[u8]) {
    let mut space = Space::<D>::new(method);
    let mut boxes: Vec<Option<(Aabb<D>, Filter)>> = Vec::new();
    let mut before: Vec<Pair> = Vec::new();
    let mut bytes = bytes.iter().copied();
    while let Some(op) = bytes.next() {
        let mut byte = || bytes.next().unwrap_or(0);
        let pick = |at: u8| (boxes.iter().flatten().count() > 0).then(|| at as usize % boxes.len());
        match op % 8 {
            0..=2 if boxes.len() < MOST => {
                let filter = filter(op, mode);
                let aabb = any_box::<D>(&mut byte, mode);
                match space.insert_filtered(aabb, filter) {
                    Ok(id) => {
                        boxes.resize((id as usize + 1).max(boxes.len()), None);
                        assert!(boxes[id as usize].replace((aabb, filter)).is_none(), "an id given twice");
                    }
                    Err(BoxError::Invalid { axis, .. }) => {
                        assert!(!(aabb.min[axis] <= aabb.max[axis]), "a good box was refused");
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            3 => {
                let Some(at) = pick(byte()) else { continue };
                assert_eq!(space.remove(at as u32).is_ok(), boxes[at].take().is_some());
            }
            4 | 5 => {
                let Some(at) = pick(byte()) else { continue };
                let aabb = any_box::<D>(&mut byte, mode);
                match (space.set_box(at as u32, &aabb), &mut boxes[at]) {
                    (Ok(()), Some(entry)) => entry.0 = aabb,
                    (Err(BoxError::Unknown { .. }), None) => {}
                    (Err(BoxError::Invalid { .. }), Some(_)) => assert!(!aabb.is_valid()),
                    (outcome, entry) => panic!("{outcome:?} for {entry:?}"),
                }
            }
            6 => {
                let Some(at) = pick(byte()) else { continue };
                let filter = filter(byte(), mode);
                if let Some(entry) = &mut boxes[at] {
                    entry.1 = filter;
                    space.set_filter(at as u32, filter).expect("the box is there");
                }
            }
            _ => compare(&mut space, &boxes, &mut before),
        }
    }
    compare(&mut space, &boxes, &mut before);
}

fn filter(byte: u8, mode: u8) -> Filter {
    match (mode & 2, byte >> 5) {
        (0, _) | (_, 0..=3) => Filter::default(),
        (_, 4) => Filter::STATIC,
        (_, high) => Filter {
            is_static: byte & 16 != 0,
            category: u32::from(high),
            mask: u32::from(byte & 7),
            group: i32::from(byte & 3) - 1,
            body: (byte & 8 != 0).then_some(u32::from(byte & 1)),
        },
    }
}

/// A box on a coarse lattice, or, in some modes, of any bits at all.
fn any_box<const D: usize>(byte: &mut impl FnMut() -> u8, mode: u8) -> Aabb<D> {
    let mut number = || {
        if mode & 4 == 0 {
            f32::from(byte() as i8) * 0.25
        } else {
            f32::from_bits(u32::from_le_bytes([byte(), byte(), byte(), byte()]))
        }
    };
    let (mut min, mut max) = ([0.0; D], [0.0; D]);
    for k in 0..D {
        min[k] = number();
        max[k] = if mode & 8 == 0 { min[k] + number().abs().min(1e30) * 0.1 } else { number() };
    }
    Aabb { min, max }
}

fn compare<const D: usize>(
    space: &mut Space<D>,
    boxes: &[Option<(Aabb<D>, Filter)>],
    before: &mut Vec<Pair>,
) {
    let found = space.update().to_vec();
    assert!(found.is_sorted_by(|a, b| a < b), "not ascending, or a pair twice");
    let mut exact = Vec::new();
    for (a, first) in boxes.iter().enumerate() {
        for (b, second) in boxes.iter().enumerate().skip(a + 1) {
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first.0.overlaps(&second.0) && first.1.admits(&second.1) {
                exact.push(Pair::new(a as u32, b as u32));
            }
        }
    }
    if space.contract() == Contract::Exact {
        assert_eq!(found, exact, "pairs");
    } else {
        let missed = exact.iter().find(|pair| found.binary_search(pair).is_err());
        assert_eq!(missed, None, "a pair was missed");
    }
    let changes = space.changes();
    let begun: Vec<Pair> = found.iter().copied().filter(|p| before.binary_search(p).is_err()).collect();
    let ended: Vec<Pair> = before.iter().copied().filter(|p| found.binary_search(p).is_err()).collect();
    assert_eq!((changes.begun, changes.ended), (&begun[..], &ended[..]), "changes");
    *before = found;
}
