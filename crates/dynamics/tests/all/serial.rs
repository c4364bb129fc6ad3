//! Definitions through `serde`: as text and back, with nothing lost, and nothing bad let in.

use carom_dynamics::{
    Axis, BodyDef, BodyId, CombineRule, JointDef, JointKind, LockedAxes, Material, Motor, ShapeDef, Spring,
    World, WorldDef,
};
use carom_geometry::mass::MassProperties;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use glam::{DVec3, Vec3};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn through<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn bodies_come_back_as_they_were() {
    let def = BodyDef::kinematic()
        .position(DVec3::new(0.1, 1e8 / 3.0, -2.0))
        .rotated(Rotation::about_axis(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7))
        .mass(MassProperties::diagonal(3.0, Vec3::X, Vec3::splat(0.1)))
        .locked(LockedAxes::PLANAR)
        .max_speed(f32::INFINITY)
        .linear_damping(0.1)
        .user_data(u64::MAX);
    assert_eq!(through(&def), def);
    let short: BodyDef = serde_json::from_str(r#"{"kind": "Static", "gravity_scale": 0.5}"#).unwrap();
    assert_eq!(short, BodyDef::fixed().gravity_scale(0.5));
}

#[test]
fn shapes_come_back_as_they_were() {
    let hull = Polytope::random_on_sphere(30, 1.0, 3).unwrap();
    let shapes: [Shape; 9] = [
        Sphere::new(0.3).unwrap().into(),
        Capsule::along_x(0.5, 0.1).unwrap().into(),
        Tile::new(1.0, 2.0).unwrap().into(),
        Cuboid::new(Vec3::new(0.1, 0.2, 0.3)).unwrap().into(),
        Cylinder::new(0.4, 0.2).unwrap().into(),
        Cone::new(0.4, 0.2).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.1, 0.2, 0.3)).unwrap().into(),
        HalfSpace.into(),
        hull.into(),
    ];
    for shape in shapes {
        let place = Pose::new(Vec3::Y, Rotation::about_axis(Vec3::Z, 0.3));
        let material = Material {
            friction: 0.1,
            restitution: 0.2,
            rolling: 0.3,
            friction_rule: CombineRule::Multiply,
            restitution_rule: CombineRule::Average,
            surface_velocity: Vec3::new(1.0, 0.0, -2.0),
        };
        let def = ShapeDef::new(shape).local_pose(place).material(material).sensor().group(-3);
        assert_eq!(format!("{:?}", through(&def)), format!("{def:?}"));
    }
    let bad = |text: &str| serde_json::from_str::<Shape>(text).unwrap_err().to_string();
    assert!(
        bad(r#"{"sphere": {"radius": -1.0}}"#).contains("radius"),
        "{}",
        bad(r#"{"sphere": {"radius": -1.0}}"#)
    );
    assert!(serde_json::from_str::<Shape>(r#"{"bytes": [9, 1, 2, 3]}"#).is_err());
    assert!(serde_json::from_str::<Rotation>("[0.0, 0.0, 0.0, 0.0]").is_err());
    assert_eq!(serde_json::from_str::<Rotation>("[0, 0, 0, 2]").unwrap(), Rotation::IDENTITY);
}

#[test]
fn joints_come_back_as_they_were() {
    let ids = [BodyId::from_bits(3), BodyId::from_bits(7 << 32 | 4)];
    let axis = Axis::FREE
        .range(-1.0, f32::INFINITY)
        .motor(Motor::new(1.0, f32::INFINITY))
        .spring(Spring::hooke(5.0, 0.1));
    let ball = JointKind::Ball {
        cone: Some(0.5),
        twist: Some([f32::NEG_INFINITY, 1.0]),
        friction: 0.1,
        spring: None,
    };
    let kinds = [
        JointDef::rope(ids[0], ids[1], [DVec3::X, DVec3::Y], 2.0),
        JointDef::spring(ids[0], ids[1], [DVec3::X, DVec3::Y], Spring::new(2.0, 0.5)),
        JointDef::new(ids[0], ids[1], ball).frames([Pose::IDENTITY; 2]),
        JointDef::hinge(ids[0], ids[1], axis).at(DVec3::ONE).breaks_at(5.0, f32::INFINITY),
        JointDef::new(ids[0], ids[1], JointKind::SixAxis { linear: [axis; 3], angular: [Axis::LOCKED; 3] })
            .at(DVec3::ZERO)
            .enabled(false)
            .user_data(9),
    ];
    for def in kinds {
        assert_eq!(through(&def), def);
    }
    // An anchor that was not given is not NaN in the text.
    let def = JointDef::fixed(ids[0], ids[1]);
    let text = serde_json::to_string(&def).unwrap();
    assert!(text.contains("\"anchors\":[null,null]"), "{text}");
    assert_eq!(format!("{:?}", through(&def)), format!("{def:?}"));
}

#[test]
fn settings_come_back_as_they_were() {
    let def = WorldDef { sleep_time: f32::INFINITY, ..WorldDef::default() }.substeps(6).length_scale(0.3);
    let shown =
        |def: &WorldDef| format!("{:?}", WorldDef { clock: WorldDef::default().clock, ..def.clone() });
    assert_eq!(shown(&through(&def)), shown(&def));
    let short: WorldDef = serde_json::from_str(r#"{"gravity": [0, -1.62, 0], "broad": "sap"}"#).unwrap();
    assert_eq!(World::new(short.clone()).settings().gravity.y, -1.62);
    assert_eq!((short.substeps, short.broad.to_string().as_str()), (4, "sap"));
    assert!(serde_json::from_str::<WorldDef>(r#"{"broad": "no such thing"}"#).is_err());
    assert!(serde_json::from_str::<WorldDef>(r#"{"sleep_time": "soon"}"#).is_err());
}
