//! A step allocates nothing once its buffers have grown.

use carom_dynamics::{BodyDef, WorldDef};

use crate::scenes::{DT, Numbers, ball, capsule, heap, room, run, space};

#[test]
fn a_heap_and_a_gas_in_their_steady_state_allocate_nothing() {
    let (heap, _) = heap(WorldDef::default(), 150);
    let mut gas = space();
    room(&mut gas, 6.0);
    let mut numbers = Numbers(2);
    for k in 0..200 {
        let at = numbers.vector().as_dvec3() * 5.0;
        let shape = if k % 2 == 0 { ball(0.2) } else { capsule(0.3, 0.1) };
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(numbers.vector() * 5.0);
        gas.add_body(def, [shape.friction(0.0).restitution(1.0)]).unwrap();
    }
    for (name, mut world) in [("heap", heap), ("gas", gas)] {
        run(&mut world, 20.0);
        let measured = allocation_counter::measure(|| {
            for _ in 0..100 {
                world.step(DT).unwrap();
            }
        });
        // A buffer may still reach a new record length now and then; anything per step would count a hundred.
        assert!(measured.count_total <= 5, "{name}: {} allocations in 100 steps", measured.count_total);
    }
}
