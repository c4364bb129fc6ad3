//! Queries against looking at every shape.

use carom_dynamics::{BodyDef, QueryFilter, Ray, Sensors, ShapeCast, ShapeDef, ShapeId, World, WorldDef};
use carom_geometry::primitive;
use carom_geometry::shape::{Cuboid, HalfSpace, RayCast, Sphere};
use carom_geometry::{Pose, Rotation, Shape};
use carom_narrowphase::NarrowMethod;
use carom_narrowphase::cast::cast_shape;
use carom_narrowphase::pair::{self, PairCache};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, cuboid, run};
use crate::zoo::{MASSIVE, Member, members, rotation, shape, zoo};

const ALL: QueryFilter<'static> =
    QueryFilter { layers: None, exclude: None, sensors: Sensors::Include, predicate: None };

/// Home, and a hundred kilometres out.
const CENTRES: [DVec3; 2] = [DVec3::ZERO, DVec3::new(1e5, -3e4, 7e4)];

fn slow_ray(member: &Member, ray: &Ray) -> Option<f64> {
    let from = member.rotation.rotate_back((ray.origin - member.position).as_vec3());
    let local = primitive::Ray::new(from, member.rotation.rotate_back(ray.direction.normalize()));
    member.shape.cast_ray(&local, ray.length as f32).map(|hit| f64::from(hit.t))
}

#[test]
fn rays_hit_what_a_look_at_every_shape_finds() {
    for centre in CENTRES {
        for seed in 1..=3 {
            let world = zoo(centre, seed);
            let (members, mut numbers) = (members(&world), Numbers(seed + 100));
            let (mut hits, mut single) = (Vec::new(), 0);
            for _ in 0..600 {
                let origin = centre + (numbers.vector() * 6.0).as_dvec3();
                let ray = Ray::new(origin, numbers.vector() * 2.0, 15.0);
                let mut slow: Vec<(f64, ShapeId)> =
                    members.iter().filter_map(|m| Some((slow_ray(m, &ray)?, m.id))).collect();
                slow.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.index().cmp(&b.1.index())));
                world.ray_hits(&ray, &ALL, &mut hits);
                assert_eq!(hits.len(), slow.len(), "{ray:?}");
                for (hit, (distance, _)) in hits.iter().zip(&slow) {
                    assert!((hit.distance - distance).abs() < 1e-4, "{hit:?}, {distance}");
                    assert!((hit.point - ray.at(hit.distance)).length() < 1e-6);
                    let is_unit = (hit.normal.length() - 1.0).abs() < 1e-5;
                    assert!(
                        is_unit && hit.normal.dot(ray.direction) <= 1e-3 || hit.distance == 0.0,
                        "{hit:?}"
                    );
                }
                let mut found: Vec<ShapeId> = hits.iter().map(|hit| hit.shape).collect();
                let mut right: Vec<ShapeId> = slow.iter().map(|(_, id)| *id).collect();
                found.sort_by_key(|id| id.index());
                right.sort_by_key(|id| id.index());
                assert_eq!(found, right);
                assert_eq!(
                    world.cast_ray(&ray, &ALL).map(|hit| hit.shape),
                    hits.first().map(|hit| hit.shape)
                );
                single += hits.len();
            }
            assert!(single > 300, "the rays must hit something: {single}");
        }
    }
}

#[test]
fn shapes_are_stopped_by_what_a_look_at_every_shape_finds() {
    for centre in CENTRES {
        let world = zoo(centre, 5);
        let (members, mut numbers) = (members(&world), Numbers(23));
        let mut stopped = 0;
        for round in 0..500 {
            let mover = shape(round % MASSIVE, &mut numbers);
            let position = centre + (numbers.vector() * 6.0).as_dvec3();
            let mut cast = ShapeCast::new(&mover, position, numbers.vector() * 12.0);
            cast = cast.rotated(rotation(&mut numbers));
            let mut first = f32::INFINITY;
            for member in &members {
                let place = member.seen(position, cast.rotation);
                let way = member.rotation.rotate_back(cast.displacement);
                if let Some(found) = cast_shape(&member.shape, &mover, &place, way, &cast.options) {
                    first = first.min(found.hit.fraction);
                }
            }
            let hit = world.cast_shape(&cast, &ALL);
            match hit {
                None => assert!(first.is_infinite(), "{cast:?}: {first}"),
                Some(hit) => {
                    stopped += 1;
                    assert!((hit.fraction - first).abs() < 1e-4, "{cast:?}: {hit:?}, {first}");
                    assert!((hit.normal.length() - 1.0).abs() < 1e-4);
                }
            }
        }
        assert!(stopped > 150, "{stopped}");
    }
}

#[test]
fn a_shape_that_stops_touches_what_it_hit() {
    let world = zoo(CENTRES[1], 6);
    let mut numbers = Numbers(29);
    let ball = Shape::from(Sphere::new(0.4).unwrap());
    let mut checked = 0;
    for _ in 0..200 {
        let position = CENTRES[1] + (numbers.vector() * 6.0).as_dvec3();
        let cast = ShapeCast::new(&ball, position, numbers.vector() * 12.0);
        let Some(hit) = world.cast_shape(&cast, &ALL).filter(|hit| !hit.at_start) else { continue };
        checked += 1;
        let at = position + (cast.displacement * hit.fraction).as_dvec3();
        assert!(((at - hit.point).length() - 0.4).abs() < 1e-3, "{hit:?}");
        assert!((at - hit.point - (hit.normal * 0.4).as_dvec3()).length() < 2e-3, "{hit:?}");
        let near = world.closest(at, 1.0, &ALL).unwrap();
        assert!((near.distance - 0.4).abs() < 1e-3, "{near:?}, {hit:?}");
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn overlaps_are_what_a_look_at_every_shape_finds() {
    for centre in CENTRES {
        let world = zoo(centre, 7);
        let (members, mut numbers, mut found) = (members(&world), Numbers(31), Vec::new());
        let mut met = 0;
        for round in 0..500 {
            let (mover, turned) = (shape(round % MASSIVE, &mut numbers), rotation(&mut numbers));
            let position = centre + (numbers.vector() * 5.0).as_dvec3();
            world.overlapping_shapes(&mover, position, turned, &ALL, &mut found);
            // The slow twin asks for the distance, where there is one.
            for member in &members {
                let place = member.seen(position, turned);
                let near = pair::proximity(
                    &member.shape,
                    &mover,
                    &place,
                    1.0,
                    NarrowMethod::Auto,
                    &mut PairCache::default(),
                );
                if let Ok(near) = near {
                    let distance = near.map_or(1.0, |near| near.distance);
                    let is_found = found.contains(&member.id);
                    assert!(
                        distance.abs() < 1e-4 || is_found == (distance < 0.0),
                        "{:?}: {distance}",
                        member.id
                    );
                }
            }
            assert!(found.is_sorted_by_key(|id| id.index()));
            met += found.len();
        }
        assert!(met > 200, "{met}");
    }
}

#[test]
fn boxes_and_points_find_what_is_there() {
    let mut world = World::new(WorldDef::default());
    let ids: Vec<_> = (0..10)
        .map(|k| {
            world.add_body(BodyDef::fixed().at(f64::from(k), 0.0, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap()
        })
        .collect();
    let mut found = Vec::new();
    world.shapes_in_box(DVec3::new(1.5, -1.0, -1.0), DVec3::new(4.8, 1.0, 1.0), &ALL, &mut found);
    let bodies: Vec<_> = found.iter().map(|id| world.shape(*id).unwrap().body().unwrap()).collect();
    assert_eq!(bodies, ids[2..=5]);
    world.shapes_at(DVec3::new(7.1, 0.1, -0.1), &ALL, &mut found);
    assert_eq!(found.len(), 1);
    world.shapes_at(DVec3::new(7.3, 0.1, -0.1), &ALL, &mut found);
    assert!(found.is_empty());
}

/// The signed distance by going through triangles and children one by one.
fn slow_distance(shape: &Shape, point: Vec3) -> f32 {
    let one = |shape: &Shape| {
        let dot = Shape::from(Sphere::new(0.0).unwrap());
        let place = Pose::at(point);
        pair::proximity(shape, &dot, &place, f32::INFINITY, NarrowMethod::Auto, &mut PairCache::default())
            .unwrap()
            .map_or(f32::INFINITY, |near| near.distance)
    };
    match shape {
        Shape::Compound(compound) => compound
            .children()
            .iter()
            .map(|child| slow_distance(&child.shape, child.pose.undo(point)))
            .fold(f32::INFINITY, f32::min),
        Shape::Mesh(mesh) => (0..mesh.triangle_count() as u32)
            .map(|t| one(&Shape::Triangle(mesh.triangle(t))))
            .fold(f32::INFINITY, f32::min),
        Shape::HeightField(field) => (0..field.triangle_count() as u32)
            .map(|t| one(&Shape::Triangle(field.triangle(t))))
            .fold(f32::INFINITY, f32::min),
        other => one(other),
    }
}

#[test]
fn the_nearest_shape_is_the_nearest_of_all() {
    for centre in CENTRES {
        let world = zoo(centre, 8);
        let (members, mut numbers) = (members(&world), Numbers(37));
        let mut inside = 0;
        for _ in 0..200 {
            let point = centre + (numbers.vector() * 5.0).as_dvec3();
            let slow = members
                .iter()
                .map(|m| slow_distance(&m.shape, m.rotation.rotate_back((point - m.position).as_vec3())))
                .fold(f32::INFINITY, f32::min);
            let near = world.closest(point, 30.0, &ALL).unwrap();
            assert!((near.distance - slow).abs() < 1e-4, "{near:?}, {slow}");
            assert!(((near.point - point).length() - f64::from(slow.abs())).abs() < 1e-3, "{near:?}");
            inside += usize::from(slow < 0.0);
            if slow > 0.1 {
                assert_eq!(world.closest(point, slow * 0.99, &ALL), None);
                assert!(world.closest(point, slow * 1.01, &ALL).is_some());
            }
        }
        assert!(inside > 3, "{inside}");
    }
}

#[test]
fn filters_choose() {
    let mut world = World::new(WorldDef::default());
    let mut add =
        |x: f64, shape: ShapeDef| world.add_body(BodyDef::fixed().at(x, 0.0, 0.0), [shape]).unwrap();
    let gate = add(1.0, cuboid(0.1, 1.0, 1.0).sensor());
    let ghost = add(2.0, cuboid(0.1, 1.0, 1.0).layers(2, 2));
    let wall = add(3.0, cuboid(0.1, 1.0, 1.0));
    let last = add(4.0, cuboid(0.1, 1.0, 1.0));
    let ray = Ray::new(DVec3::ZERO, Vec3::X, 10.0);
    let first = |filter: &QueryFilter<'_>| world.cast_ray(&ray, filter).map(|hit| hit.body);
    let plain = QueryFilter::default();
    assert_eq!(first(&plain), Some(ghost));
    assert_eq!(first(&plain.sensors(Sensors::Include)), Some(gate));
    assert_eq!(first(&plain.sensors(Sensors::Only)), Some(gate));
    assert_eq!(first(&plain.layers(1, 1)), Some(wall), "the ghost is in another layer");
    assert_eq!(first(&plain.layers(1, u32::MAX)), Some(wall), "the ghost's mask does not know the ray");
    assert_eq!(first(&plain.layers(2, 2)), Some(ghost));
    assert_eq!(first(&plain.exclude(ghost)), Some(wall));
    let far = |id: ShapeId| world.shape(id).unwrap().body() == Some(last);
    assert_eq!(first(&plain.predicate(&far)), Some(last));
    assert_eq!(first(&plain.predicate(&far).exclude(last)), None);
    let mut hits = Vec::new();
    world.cast_rays(&[ray, Ray::new(DVec3::ZERO, -Vec3::X, 10.0)], &plain, &mut hits);
    assert_eq!((hits.len(), hits[0].unwrap().body, hits[1]), (2, ghost, None));
}

#[test]
fn a_ray_from_afar_is_as_good_as_one_from_near() {
    let mut world = World::new(WorldDef::default());
    let ball = ball(0.5);
    world.add_body(BodyDef::fixed().at(1e5, 2e4, -3e4), [ball]).unwrap();
    let centre = DVec3::new(1e5, 2e4, -3e4);
    let from = centre - DVec3::new(8000.0, 0.0, 0.25);
    let hit = world.cast_ray(&Ray::new(from, Vec3::X, 1e4), &QueryFilter::default()).unwrap();
    let right = 8000.0 - (0.25f64 - 0.0625).sqrt();
    assert!((hit.distance - right).abs() < 1e-6, "{}", hit.distance - right);
}

#[test]
fn what_is_not_finite_finds_nothing() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let filter = QueryFilter::default();
    for ray in [
        Ray::new(DVec3::NAN, Vec3::X, 1.0),
        Ray::new(DVec3::Y, Vec3::ZERO, 1.0),
        Ray::new(DVec3::Y, Vec3::NAN, 1.0),
        Ray::new(DVec3::Y, -Vec3::Y, f64::NAN),
        Ray::new(DVec3::Y, -Vec3::Y, -1.0),
    ] {
        assert_eq!(world.cast_ray(&ray, &filter), None, "{ray:?}");
    }
    let endless = Ray::new(DVec3::Y, -Vec3::Y, f64::INFINITY);
    assert!((world.cast_ray(&endless, &filter).unwrap().distance - 1.0).abs() < 1e-6);
    let cube = Shape::from(Cuboid::new(Vec3::ONE).unwrap());
    assert_eq!(world.cast_shape(&ShapeCast::new(&cube, DVec3::NAN, Vec3::X), &filter), None);
    assert_eq!(world.cast_shape(&ShapeCast::new(&cube, DVec3::ZERO, Vec3::NAN), &filter), None);
    assert_eq!(world.closest(DVec3::NAN, 1.0, &filter), None);
    assert_eq!(world.closest(DVec3::Y, f32::NAN, &filter), None);
    let mut found = vec![];
    world.overlapping_shapes(&cube, DVec3::ZERO, Rotation { xyz: Vec3::NAN, w: 1.0 }, &filter, &mut found);
    assert!(found.is_empty());
}

/// Impacts send bodies farther than their boxes foresaw; longer steps leave paths behind.
#[test]
fn boxes_contain_their_shapes_after_every_step() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let heavy =
        world.add_body(BodyDef::dynamic().at(-3.0, 0.0, 0.0), [ball(0.5).density(1e5).restitution(1.0)]);
    world.body_mut(heavy.unwrap()).unwrap().set_velocity(Vec3::X * 30.0).unwrap();
    let light: Vec<_> = (0..6)
        .map(|k| {
            world.add_body(BodyDef::dynamic().at(f64::from(k), 0.0, 0.0), [ball(0.3).density(1.0)]).unwrap()
        })
        .collect();
    for round in 0..60 {
        world.step(if round % 7 == 3 { 3.0 * DT } else { 0.3 * DT }).unwrap();
        for member in members(&world) {
            let fat = world.fat_box(member.id).unwrap();
            let reach = if light.contains(&member.body) { 0.3 } else { 0.5 };
            for axis in 0..3 {
                let at = member.position[axis];
                assert!(
                    fat.min[axis] <= at - reach && at + reach <= fat.max[axis],
                    "{:?}: {fat:?}, {at}",
                    member.id
                );
            }
        }
    }
    run(&mut world, 0.1);
}
