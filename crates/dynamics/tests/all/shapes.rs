//! Shapes that come, go and change, and bodies prepared ahead.

use carom_dynamics::{
    BodyDef, Layers, Material, PreparedBody, QueryFilter, Ray, ShapeDef, World, WorldDef, WorldError,
};
use carom_geometry::Pose;
use carom_geometry::mass::MassProperties;
use carom_geometry::shape::HalfSpace;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, cuboid, ground, heap, run};

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::at(Vec3::new(x, y, z))
}

#[test]
fn a_body_built_shape_by_shape_is_the_body_built_at_once() {
    let parts = [
        cuboid(0.5, 0.2, 0.3),
        ball(0.4).local_pose(at(1.0, 0.5, 0.0)),
        cuboid(0.1, 0.9, 0.2).local_pose(at(-0.5, 0.0, 0.7)),
    ];
    let def =
        BodyDef::dynamic().at(1.0, 9.0, 2.0).velocity(Vec3::X).angular_velocity(Vec3::new(0.0, 2.0, 1.0));
    let mut whole = World::new(WorldDef::default());
    let right = whole.add_body(&def, parts.clone()).unwrap();
    let mut world = World::new(WorldDef::default());
    let id = world.add_body(&def, [parts[0].clone()]).unwrap();
    let speed = world.body(id).unwrap().velocity_at(DVec3::new(5.0, 6.0, 7.0));
    let added: Vec<_> = parts[1..].iter().map(|part| world.add_shape(id, part).unwrap()).collect();
    assert_eq!(world.validate(), []);
    let (mine, theirs) = (world.body(id).unwrap(), whole.body(right).unwrap());
    assert_eq!(mine.mass(), theirs.mass());
    assert!((mine.centre_of_mass() - theirs.centre_of_mass()).length() < 1e-6);
    assert!((mine.position() - DVec3::new(1.0, 9.0, 2.0)).length() < 1e-6, "its frame stays");
    assert!((mine.velocity_at(DVec3::new(5.0, 6.0, 7.0)) - speed).length() < 1e-5, "its points move on");
    // And back again.
    for shape in added {
        world.remove_shape(shape).unwrap();
        assert!(world.shape(shape).is_err() && world.remove_shape(shape).is_err());
        assert_eq!(world.validate(), []);
    }
    let mine = world.body(id).unwrap();
    assert!((mine.mass() - 240.0).abs() < 0.01, "{}", mine.mass());
    assert!((mine.centre_of_mass() - DVec3::new(1.0, 9.0, 2.0)).length() < 1e-5);
    let last = mine.shapes().next().unwrap();
    assert!(matches!(world.remove_shape(last), Err(WorldError::NoMass { .. })));
    assert_eq!((world.validate(), world.body(id).unwrap().shapes().count()), (vec![], 1));
    let bottomless = world.add_shape(id, &ShapeDef::new(HalfSpace)).unwrap_err();
    assert!(matches!(bottomless, WorldError::ShapeMass { shape: 1, .. }), "{bottomless}");
}

#[test]
fn a_mass_given_by_hand_stays() {
    let mut world = World::new(WorldDef::default());
    let mass = Some(MassProperties { mass: 7.0, ..MassProperties::default() });
    let id = world.add_body(BodyDef { mass, ..BodyDef::dynamic() }, [ball(0.5)]).unwrap();
    let shape = world.add_shape(id, &cuboid(1.0, 1.0, 1.0)).unwrap();
    assert_eq!(world.body(id).unwrap().mass(), 7.0);
    world.remove_shape(shape).unwrap();
    assert_eq!(world.body(id).unwrap().mass(), 7.0);
}

#[test]
fn a_leg_taken_away_lets_the_table_fall_and_ends_its_touch() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let top = cuboid(1.0, 0.1, 1.0).local_pose(at(0.0, 1.0, 0.0));
    let table = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [top]).unwrap();
    let leg =
        world.add_shape(table, &cuboid(0.3, 0.5, 0.3).local_pose(at(0.0, 0.0, 0.0)).density(9000.0)).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(table).unwrap().is_awake(), "it stands and sleeps");
    world.remove_shape(leg).unwrap();
    assert_eq!(world.validate(), []);
    world.step(DT).unwrap();
    assert_eq!(world.events().touch_end().len(), 1);
    assert!(world.events().touch_end()[0].shapes.contains(&leg));
    run(&mut world, 2.0);
    assert!((world.body(table).unwrap().position().y + 0.9).abs() < 0.02, "the top lies on the ground");
}

#[test]
fn a_sleeper_wakes_when_what_it_lies_on_is_put_elsewhere() {
    for kind in [BodyDef::fixed(), BodyDef::kinematic(), BodyDef::dynamic()] {
        let mut world = World::new(WorldDef::default());
        world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
        let table = world.add_body(kind.at(0.0, 0.5, 0.0), [cuboid(1.0, 0.5, 1.0)]).unwrap();
        let cup = world.add_body(BodyDef::dynamic().at(0.0, 1.2, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap();
        run(&mut world, 2.0);
        assert!(!world.body(cup).unwrap().is_awake());
        world.body_mut(table).unwrap().set_pose(DVec3::new(9.0, 0.5, 0.0), Default::default()).unwrap();
        run(&mut world, 2.0);
        assert!((world.body(cup).unwrap().position().y - 0.2).abs() < 0.01, "it fell to the ground");
    }
}

#[test]
fn materials_layers_and_sensors_can_be_changed() {
    let mut world = World::new(WorldDef::default());
    let floor = world.add_body(BodyDef::fixed(), [cuboid(50.0, 1.0, 50.0)]).unwrap();
    let cube = world.add_body(BodyDef::dynamic().at(0.0, 1.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let floor = world.body(floor).unwrap().shapes().next().unwrap();
    let own = world.body(cube).unwrap().shapes().next().unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(cube).unwrap().is_awake());
    // Ice.
    world.shape_mut(floor).unwrap().set_material(Material { friction: 0.0, ..Material::default() }).unwrap();
    assert!(world.body(cube).unwrap().is_awake());
    world.body_mut(cube).unwrap().set_velocity(Vec3::X * 3.0).unwrap();
    run(&mut world, 1.0);
    assert!((world.body(cube).unwrap().velocity().x - 3.0).abs() < 1e-3);
    let bad = Material { friction: f32::NAN, ..Material::default() };
    assert!(
        world
            .shape_mut(floor)
            .unwrap()
            .set_material(bad)
            .err()
            .unwrap()
            .to_string()
            .contains("friction of shape 0")
    );
    // A sensor has no mass: the only shape of a dynamic body cannot become one.
    assert!(matches!(world.shape_mut(own).unwrap().set_sensor(true).err(), Some(WorldError::NoMass { .. })));
    world.shape_mut(floor).unwrap().set_sensor(true).unwrap();
    assert_eq!(world.validate(), []);
    world.step(DT).unwrap();
    assert_eq!((world.events().touch_end().len(), world.events().sensor_begin().len()), (1, 1));
    run(&mut world, 0.2);
    assert!(world.body(cube).unwrap().position().y < 1.4, "it falls through");
    world.shape_mut(floor).unwrap().set_sensor(false).unwrap();
    world.body_mut(cube).unwrap().set_pose(DVec3::Y * 1.5, Default::default()).unwrap();
    run(&mut world, 0.5);
    assert!((world.body(cube).unwrap().position().y - 1.5).abs() < 0.02);
    world.shape_mut(own).unwrap().set_layers(Layers { category: 2, mask: 2, group: 0 });
    assert_eq!(world.validate(), []);
    world.step(DT).unwrap();
    assert_eq!(world.events().touch_end().len(), 1);
    run(&mut world, 0.5);
    assert!(world.body(cube).unwrap().position().y < 1.0);
    assert_eq!(world.validate(), []);
}

#[test]
fn a_batch_is_inserted_as_a_whole_or_not_at_all() {
    let mut world = ground(WorldDef::default());
    let body = |y: f64| (BodyDef::dynamic().at(0.0, y, 0.0), vec![ball(0.3)]);
    let error = world.add_bodies([body(1.0), body(2.0), body(f64::NAN), body(4.0)]).unwrap_err();
    assert!(matches!(error, WorldError::InBatch { index: 2, .. }), "{error}");
    assert_eq!(world.len(), 1);
    let ids = world.add_bodies((1..9).map(|y| body(f64::from(y)))).unwrap();
    let mut one_by_one = ground(WorldDef::default());
    let other: Vec<_> = (1..9)
        .map(|y| {
            let (def, shapes) = body(f64::from(y));
            one_by_one.add_prepared(&PreparedBody::new(def, shapes).unwrap())
        })
        .collect();
    assert_eq!(ids, other);
    run(&mut world, 1.0);
    run(&mut one_by_one, 1.0);
    assert_eq!(world.state_hash(), one_by_one.state_hash());
}

#[test]
fn worlds_and_prepared_bodies_can_go_to_other_threads() {
    fn can<T: Send + Sync>() {}
    can::<PreparedBody>();
    can::<World>();
}

#[test]
fn a_world_that_is_changed_in_every_way_stays_valid() {
    let (mut world, mut ids) = heap(WorldDef::default(), 40);
    let mut numbers = Numbers(11);
    for round in 0..150usize {
        world.step(DT).unwrap();
        assert_eq!(world.validate(), [], "round {round}");
        let id = ids[round * 7 % ids.len()];
        match round % 6 {
            0 => drop(world.add_shape(id, &ball(0.1).local_pose(Pose::at(numbers.vector() * 0.3))).unwrap()),
            1 => {
                let shape = world.body(id).unwrap().shapes().next().unwrap();
                // Refused if it is the last one.
                let _ = world.remove_shape(shape);
            }
            2 => {
                let shape = world.body(id).unwrap().shapes().next().unwrap();
                let layers = Layers { category: 1 << (round % 3), mask: 7, group: round as i32 / 6 % 3 - 1 };
                world.shape_mut(shape).unwrap().set_layers(layers);
            }
            3 => {
                let shape = world.body(id).unwrap().shapes().next().unwrap();
                let _ = world.shape_mut(shape).unwrap().set_sensor(round % 4 == 1);
            }
            4 => {
                ids.retain(|other| *other != id);
                world.remove_body(id).unwrap();
                ids.push(world.add_body(BodyDef::dynamic().at(0.0, 3.0, 0.0), [ball(0.2)]).unwrap());
            }
            _ => drop(
                world
                    .body_mut(id)
                    .unwrap()
                    .set_pose((numbers.vector() + Vec3::Y * 2.0).as_dvec3(), Default::default()),
            ),
        }
        assert_eq!(world.validate(), [], "round {round}, after the change");
    }
}

#[test]
fn cylinders_and_cones_stand_along_any_axis() {
    use carom_geometry::shape::{Child, Cone, Cylinder, ShapeError};
    type Along = fn(f32, f32) -> Result<Child, ShapeError>;
    let all: [[Along; 3]; 2] = [
        [Cylinder::along_x, Cylinder::along_y, Cylinder::along_z],
        [Cone::along_x, Cone::along_y, Cone::along_z],
    ];
    for (kind, along) in all.into_iter().enumerate() {
        for (axis, along) in along.into_iter().enumerate() {
            assert!(along(-1.0, 1.0).is_err());
            let mut world = World::new(WorldDef::default());
            let shape = ShapeDef::new(along(1.0, 0.2).unwrap());
            let body = world.add_body(BodyDef::dynamic(), [shape]).unwrap();
            // A ray along each axis meets it at its end or at its side.
            for k in 0..3 {
                let mut from = DVec3::ZERO;
                from[k] = 5.0;
                let direction = -from.as_vec3().normalize();
                let hit = world.cast_ray(&Ray::new(from, direction, 9.0), &QueryFilter::default()).unwrap();
                let wide = if kind == 0 { 0.2 } else { 0.1 };
                let expected = if k == axis { 4.0 } else { 5.0 - wide };
                assert!((hit.distance - expected).abs() < 1e-5, "{axis} {k}: {}", hit.distance);
            }
            let centre = world.body(body).unwrap().centre_of_mass();
            assert!((centre[axis] - if kind == 0 { 0.0 } else { -0.5 }).abs() < 1e-6, "{centre}");
        }
    }
}
