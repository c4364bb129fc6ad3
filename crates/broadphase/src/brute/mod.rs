//! Brute force: every pair is looked at. Slow, obviously right, the oracle of all other methods.

use crate::finder::{Contract, Counters, Finder, Found, Outcome};
use crate::method::About;
use crate::{Method, Pair, Table, Workers};

pub(crate) fn about(method: Method) -> About {
    let (name, what) = match method {
        Method::None => ("none", "Every pair goes on."),
        Method::Sphere => ("sphere", "Every pair of bounding spheres is tested."),
        Method::Obb => ("obb", "Every pair of oriented boxes is tested."),
        _ => ("aabb", "Every pair of boxes is tested."),
    };
    About { name, what, contract: "", cost: "O(n²)", best: "", options: &[] }
}

pub(crate) fn finder<const D: usize>(method: Method) -> Box<dyn Finder<D>> {
    let _ = method;
    Box::new(AllBoxes::default())
}

/// `aabb`.
#[derive(Clone, Debug, Default)]
pub struct AllBoxes {
    counters: Counters,
}

impl<const D: usize> Finder<D> for AllBoxes {
    fn update(&mut self, table: &Table<D>, _: &Workers, found: &mut Found) -> Outcome {
        let ids: Vec<u32> = table.ids().collect();
        for (i, &a) in ids.iter().enumerate() {
            for &b in &ids[i + 1..] {
                self.counters.box_tests += 1;
                if table.aabb(a).overlaps(table.aabb(b)) && table.admits(a, b) {
                    found.pairs.push(Pair { a, b });
                }
            }
        }
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        0
    }

    fn contract(&self) -> Contract {
        Contract::Exact
    }
}
