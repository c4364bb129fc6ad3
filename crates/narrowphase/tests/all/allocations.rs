//! No query allocates.

use carom_narrowphase::gjk::{self, Cache};
use carom_narrowphase::mpr;

use crate::zoo::{self, Precision};

fn run<S: Precision>(places: u32) -> u64 {
    let zoo = zoo::ordinary();
    let mut touching = 0u32;
    let mut allocations = 0;
    zoo::each_pair::<S>(&zoo, &zoo, places, |a, b, place, _| {
        let (first, second) = (S::shape(a), S::shape(b));
        let measured = allocation_counter::measure(|| {
            let mut cache = Cache::new();
            let found = gjk::proximity(first, second, place, &mut cache);
            gjk::proximity(first, second, &place.inverse(), &mut cache);
            gjk::intersects(first, second, place, &mut cache);
            mpr::penetration(first, second, place, mpr::DEFAULT_RAYS);
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
