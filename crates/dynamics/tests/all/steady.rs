//! A step allocates nothing once its buffers have grown.

use carom_dynamics::{BodyDef, QueryFilter, Ray, ShapeCast, WorldDef};
use carom_geometry::Rotation;
use glam::DVec3;

use crate::scenes::{DT, Numbers, ball, capsule, heap, room, run, space};
use crate::zoo::zoo;

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
    let mut fast = space();
    room(&mut fast, 6.0);
    for k in 0..50 {
        let at = numbers.vector().as_dvec3() * 5.0;
        let shape = if k % 2 == 0 { ball(0.1) } else { capsule(0.2, 0.1) };
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(numbers.vector() * 80.0);
        let def = if k % 5 == 0 { def.bullet() } else { def };
        fast.add_body(def, [shape.friction(0.0).restitution(1.0)]).unwrap();
    }
    for (name, mut world) in [("heap", heap), ("gas", gas), ("shots", fast)] {
        run(&mut world, 20.0);
        let measured = allocation_counter::measure(|| {
            for _ in 0..100 {
                world.step(DT).unwrap();
            }
        });
        // A buffer may still reach a new record length now and then; anything per step would count
        // a hundred.
        assert!(measured.count_total <= 5, "{name}: {} allocations in 100 steps", measured.count_total);
    }
}

#[test]
fn queries_allocate_nothing_but_the_lists_they_are_given() {
    let world = zoo(DVec3::ZERO, 3);
    let (filter, shape) = (QueryFilter::default(), capsule(0.3, 0.2).shape);
    let (mut hits, mut met, mut found) = (Vec::new(), Vec::new(), 0);
    let mut ask = || {
        let mut numbers = Numbers(4);
        for _ in 0..100 {
            let (at, way) = ((numbers.vector() * 5.0).as_dvec3(), numbers.vector() * 9.0);
            let ray = Ray::new(at, way, 12.0);
            found += usize::from(world.cast_ray(&ray, &filter).is_some());
            found += usize::from(world.cast_shape(&ShapeCast::new(&shape, at, way), &filter).is_some());
            found += usize::from(world.closest(at, 9.0, &filter).is_some());
            world.ray_hits(&ray, &filter, &mut hits);
            world.overlapping_shapes(&shape, at, Rotation::IDENTITY, &filter, &mut met);
        }
    };
    // The second time the lists are long enough.
    ask();
    let measured = allocation_counter::measure(&mut ask);
    assert_eq!(measured.count_total, 0);
    assert!(found > 100, "{found}");
}
