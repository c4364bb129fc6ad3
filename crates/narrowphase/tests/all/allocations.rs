//! No query allocates.

use carom_narrowphase::alternatives::mpr;
use carom_narrowphase::gjk::{self, SimplexCache};

use crate::zoo::{self, Precision};

fn run<S: Precision>(places: u32) -> u64 {
    let zoo = zoo::ordinary();
    let mut touching = 0u32;
    let mut allocations = 0;
    zoo::each_pair::<S>(&zoo, &zoo, places, |a, b, pose, _| {
        let (first, second) = (S::shape(a), S::shape(b));
        let measured = allocation_counter::measure(|| {
            let mut cache = SimplexCache::new();
            let found = gjk::proximity(first, second, pose, &mut cache);
            gjk::proximity(first, second, &pose.inverse(), &mut cache);
            gjk::intersects(first, second, pose, &mut cache);
            mpr::penetration(first, second, pose, mpr::DEFAULT_RAYS);
            touching += u32::from(found.distance < S::ZERO);
        });
        allocations += measured.count_total;
    });
    assert!(touching > 50, "some must overlap");
    allocations
}

#[test]
fn iterative_queries_allocate_nothing() {
    assert_eq!(run::<f32>(1000), 0);
    assert_eq!(run::<f64>(1000), 0);
}
