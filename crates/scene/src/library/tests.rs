//! Every library scene is sound, survives both file forms, and never changes by accident.

use carom_core::envelope::fnv1a;
use carom_core::state_hash::StateHasher;

use super::*;
use crate::model::{Action, Body, BodyKind, Orientation, ShapeKind};
use crate::native;
use crate::validate::validate;

fn spatial(request: &str) -> Scene {
    match build(request).unwrap_or_else(|e| panic!("{e}")) {
        SceneSource::Spatial(scene) => scene,
        SceneSource::Planar(_) => panic!("{request} is flat"),
    }
}

/// FNV-1a of the text form: the witness that a generator still makes the same scene. The sums are
/// older than the key `angular-velocity`, which was called `spin`.
fn fingerprint(request: &str) -> u64 {
    fnv1a(native::write_text(&spatial(request)).replace("angular-velocity", "spin").as_bytes())
}

fn dynamic(scene: &Scene) -> impl Iterator<Item = &Body> {
    scene.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic)
}

#[test]
fn generators_never_change() {
    let mut changed = Vec::new();
    for (request, golden) in [
        ("box:10", 0xb153_51bc_2670_1acb_u64),
        ("box:10?walls=slabs&seed=7&speed=2.5&spacing=4", 0xdc18_7396_87f4_ea3f),
        ("capsules:16?n=10", 0xc87e_7d95_a8d2_c3a9),
        ("dense-gas:10?seed=7&speed=2.5", 0x604a_cb99_f36c_d6cd),
        ("fast-fountain:12", 0xfae0_431e_7245_b717),
        ("mixed-rain:12", 0xe7f1_d9c7_22e7_29ef),
        ("pyramid:4", 0x1cd8_ad93_37d5_98a0),
        ("pile:20", 0xe55a_97c4_439c_1db8),
        ("joints:4", 0xf951_b867_df3d_b7d1),
        ("large_pyramid:3", 0x3696_8f56_1c54_2ed7),
        ("many_pyramids:2?base=2", 0x51fa_9eef_0126_424d),
        ("joint_grid:3", 0xbc3b_12c3_fae1_8359),
        ("convex_pile:1?side=2", 0xa1f4_5ba4_c0e5_e017),
        ("junkyard:2?layers=1", 0x9e04_11a0_c433_08b2),
        ("washer:2", 0x3bb1_52f6_1fbc_618f),
        ("ragdoll_rain:1?waves=1", 0x19fd_479f_bc19_6de9),
        ("large_world:3?balls=3", 0x67d7_ed42_526b_1de5),
        ("jolt_pyramid:3", 0x5eac_3ae1_ad8d_f1f0),
        ("convex_vs_mesh:1", 0x8856_0225_2906_0be7),
        ("brick_tower:3", 0x458f_21a3_750c_11f6),
        ("high_speed:12", 0xe56e_0986_7c0d_812c),
        ("freefall:90?objects=assorted", 0xc3e2_95b3_80ae_3eb6),
        ("gravity:5", 0x80dd_2a3b_c213_90c0),
    ] {
        let found = fingerprint(request);
        if found != golden {
            changed.push(format!("{request}: {found:#018x}"));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn every_scene_is_sound_and_survives_both_forms() {
    let requests: Vec<String> = samples().collect();
    assert_eq!(requests.len(), list().len());
    for request in &requests {
        let SceneSource::Spatial(scene) = build(request).unwrap() else { continue };
        assert_eq!(validate(&scene), [], "{request}");
        assert!(scene.bodies.len() < 1000, "{request} is no small one: {} bodies", scene.bodies.len());
        assert!(!scene.description.is_empty() && !scene.name.is_empty(), "{request}");
        let text = native::write_text(&scene);
        let from_text = native::read_text(text.as_bytes()).unwrap_or_else(|e| panic!("{request}: {e}"));
        assert_eq!(format!("{:?}", from_text.value), format!("{scene:?}"), "{request}");
        let binary = native::write_binary(&scene);
        assert_eq!(format!("{:?}", native::read_binary(&binary).unwrap()), format!("{scene:?}"), "{request}");
    }
}

#[test]
fn benchmarks_of_others_have_the_counts_that_they_publish() {
    let spawned =
        |scene: &Scene| scene.events.iter().filter(|e| matches!(e.action, Action::Spawn(_))).count();
    for (request, bodies, shapes, joints) in [
        ("large_pyramid", 5051, 5051, 0),
        ("many_pyramids", 10_781, 10_781, 0),
        ("joint_grid", 10_000, 10_000, 19_800),
        ("convex_pile", 5121, 5121, 0),
        ("junkyard", 10_586, 10_590, 0),
        ("washer", 8002, 8041, 0),
        ("ragdoll_rain", 4300, 4400, 3900),
        ("trees100", 51, 1101, 0),
        ("large_world:100", 10_100, 10_100, 0),
        ("jolt_pyramid", 1241, 1241, 0),
        ("convex_vs_mesh", 1765, 1765, 0),
        ("large_mesh:100", 4411, 4411, 0),
        ("high_speed", 5006, 6672, 0),
        ("brick_tower", 303, 303, 0),
        ("freefall", 2006, 2006, 0),
        ("gravity:500", 506, 506, 0),
    ] {
        let scene = spatial(request);
        let late = spawned(&scene);
        assert_eq!(scene.bodies.len() + late, bodies, "{request}");
        let found = scene.bodies.iter().map(|body| body.shapes.len()).sum::<usize>() + late;
        assert_eq!((found, scene.joints.len()), (shapes, joints), "{request}");
        assert_eq!(scene.solver.solver.as_deref(), Some("soft-step"), "{request}");
    }
    let ShapeKind::TriangleMesh { triangles, .. } = &spatial("trees100:1").bodies[0].shapes[0].kind else {
        panic!("no mesh")
    };
    assert_eq!(triangles.len(), 60_000);
    let turning = spatial("gravity:10");
    let weights = turning.events.iter().map(|event| match event.action {
        Action::SetGravity { gravity } => gravity.iter().map(|x| x * x).sum::<f32>().sqrt(),
        _ => panic!("another event"),
    });
    let own = turning.world.gravity[0];
    assert!(weights.clone().count() == 999 && weights.into_iter().all(|w| (w / own - 1.0).abs() < 1e-5));
}

#[test]
fn flat_scenes_are_sound() {
    let flat = list().into_iter().filter(|line| line.dimensions == Dimensions::Two).map(|line| line.name);
    for request in flat.chain(["random2d:30?occupancy=50&seed=9", "sp-direct:4", "equidistribution:3"]) {
        let SceneSource::Planar(scene) = build(request).unwrap() else { panic!("{request} is not flat") };
        assert_eq!(scene.validate(), [], "{request}");
    }
    let SceneSource::Planar(scene) = build("random2d:30").unwrap() else { panic!("not flat") };
    assert_eq!(scene.objects.len(), 30);
    assert!((scene.density() - 0.05).abs() < 1e-9, "five per cent");
    assert!(build("sp-direct:5").is_err() && build("random2d?occupancy=-1").is_err());
}

#[test]
fn hand_made_scenes_are_named_like_their_files() {
    for (name, _) in showcase::SCENES {
        assert_eq!(spatial(name).name, *name);
    }
    assert!(list().iter().all(|line| !line.description.is_empty()));
}

#[test]
fn boxes_hold_as_many_bodies_as_asked_inside_the_walls() {
    for (request, longest) in [("box:1000", 2.6), ("capsules:16?n=300", 9.6)] {
        let scene = spatial(request);
        let ShapeKind::Tile { length, .. } = scene.bodies[0].shapes[0].kind else { panic!("no tile") };
        let inside = |body: &Body| body.position.iter().all(|x| x.abs() + longest * 0.5 < length * 0.5);
        assert!(dynamic(&scene).all(inside), "{request}");
    }
    let scene = spatial("box:1000");
    assert_eq!(dynamic(&scene).count(), 1000);
    let capsules = dynamic(&scene).filter(|b| matches!(b.shapes[0].kind, ShapeKind::Capsule { .. }));
    assert_eq!(capsules.count(), 500);
    assert_eq!(dynamic(&spatial("pyramid:40")).count(), 820);
    assert_eq!(spatial("joints:30").joints.len(), 2 * 30 * 29);
    assert_eq!(dynamic(&spatial("pile:200")).count(), 200);
}

/// Hash of what the comparison program of the other engines hashes: places, velocities and sizes of
/// what moves.
fn motion_hash(request: &str) -> u64 {
    let mut hasher = StateHasher::default();
    let mut add = |numbers: &[f32]| hasher.write(numbers.iter().copied());
    for body in dynamic(&spatial(request)) {
        add(&body.position);
        add(&body.velocity);
        match &body.shapes[0].kind {
            ShapeKind::Sphere { radius } => add(&[*radius]),
            ShapeKind::Capsule { radius, length, .. } => add(&[*radius, *length]),
            ShapeKind::Box { size } => add(size),
            ShapeKind::Convex { points } => add(points.as_flattened()),
            other => panic!("{} in a generated scene", other.name()),
        }
    }
    hasher.finish()
}

#[test]
fn scenes_are_those_of_the_engine_comparison_to_the_bit() {
    // Computed by the comparison program itself.
    assert_eq!(motion_hash("box:1000"), 0xa3e7_7364_5fa1_2046);
    assert_eq!(motion_hash("box:31623"), 0xc656_e55b_c2d5_90d5);
    assert_eq!(motion_hash("pile:200"), 0x6323_6d60_300f_e664);
    assert_eq!(motion_hash("pyramid:10"), 0x4a61_4ce4_880e_64a2);
    assert_eq!(motion_hash("joints:6"), 0xdad7_4483_3186_f495);
}

#[test]
fn tiles_face_the_inside() {
    let scene = spatial("box:1");
    for wall in &scene.bodies[..6] {
        let Orientation::EulerDegrees(degrees) = wall.orientation else { panic!("no angles") };
        // The tile's normal, +y, turned by x and then z (none of the walls turns about y).
        let [x, _, z] = degrees.map(f32::to_radians);
        let about_x = [0.0, x.cos(), x.sin()];
        let normal = [-about_x[1] * z.sin(), about_x[1] * z.cos(), about_x[2]];
        let outward: f32 = normal.iter().zip(wall.position).map(|(n, p)| n * p).sum();
        let distance = wall.position.iter().map(|p| p.abs()).fold(0.0, f32::max);
        assert!((outward + distance).abs() < 1e-5, "{normal:?} at {:?}", wall.position);
    }
}

#[test]
fn wrong_requests_say_what_would_be_right() {
    let error = build("piramid:10").unwrap_err();
    assert_eq!(error.hint().as_deref(), Some("did you mean `pyramid`?"));
    assert!(error.to_string().contains("pyramid, pile, joints"), "{error}");
    assert!(build("box:0").is_err() && build("box:99999999999").is_err() && build("box:").is_err());
    let error = build("capsules:32").unwrap_err();
    assert!(error.to_string().contains("less than the longest body, 19.2"), "{error}");
    assert!(knows("box:nonsense") && knows("cradle") && !knows("scenes/box.xml"));
}

#[test]
fn the_binary_form_is_smaller_than_the_text() {
    for request in ["box:1000", "pile:200", "joints:10"] {
        let scene = spatial(request);
        let (text, binary) = (native::write_text(&scene).len(), native::write_binary(&scene).len());
        assert!(binary < text, "{request}: {binary} bytes against {text}");
    }
}

#[test]
fn the_dense_gas_has_the_geometry_of_the_published_files() {
    // Walls of `prod-1000` and `prod-10000`, half extents in metres.
    for (n, walls) in [(1000, [9.75, 9.75, 9.75]), (10_000, [20.25, 20.75, 20.25])] {
        let scene = spatial(&format!("dense-gas:{n}"));
        let found: [f32; 3] = std::array::from_fn(|axis| {
            let reach = |body: &Body| body.position[axis];
            scene.bodies[..6].iter().map(reach).fold(0.0, f32::max)
        });
        assert_eq!(found, walls, "{n}");
        for wall in &scene.bodies[..6] {
            let ShapeKind::Tile { length, width } = wall.shapes[0].kind else { panic!("no tile") };
            let axis = wall.position.iter().position(|x| *x != 0.0).unwrap();
            let others: Vec<f32> = (0..3).filter(|other| *other != axis).map(|other| walls[other]).collect();
            assert_eq!([0.5 * length, 0.5 * width].to_vec(), others, "wall of axis {axis}");
        }
        assert_eq!(dynamic(&scene).count(), n);
        let spheres = dynamic(&scene).filter(|b| matches!(b.shapes[0].kind, ShapeKind::Sphere { .. }));
        let share = spheres.count() as f32 / n as f32;
        assert!((share - 0.5).abs() < 0.05, "{share}");
        let volume = walls.iter().map(|x| 2.0 * x).product::<f32>() / n as f32;
        assert!((6.5..7.5).contains(&volume), "{volume}");
    }
}

/// Ends of the axis and radius of a ball or capsule along y; the bounding ball of anything else.
fn core(body: &Body) -> ([f32; 3], f32, f32) {
    match body.shapes[0].kind {
        ShapeKind::Sphere { radius } => (body.position, 0.0, radius),
        ShapeKind::Capsule { radius, length, .. } if body.orientation == Orientation::default() => {
            (body.position, 0.5 * length, radius)
        }
        ShapeKind::Capsule { radius, length, .. } => (body.position, 0.0, radius + 0.5 * length),
        ShapeKind::Box { size } => (body.position, 0.0, 0.5 * size.iter().map(|x| x * x).sum::<f32>().sqrt()),
        _ => panic!("another shape"),
    }
}

#[test]
fn nothing_touches_at_the_start_of_a_crowd() {
    for request in [
        "dense-gas:1000",
        "dense-gas:7",
        "dense-gas:1500?seed=5",
        "fast-fountain:1500",
        "fast-fountain:3",
        "mixed-rain:1500",
        "mixed-rain:1",
        "mixed-rain:900?seed=5",
    ] {
        let scene = spatial(request);
        assert_eq!(validate(&scene), [], "{request}");
        let cores: Vec<_> = dynamic(&scene).map(core).collect();
        for (at, (p, half, radius)) in cores.iter().enumerate() {
            for (q, other_half, other) in &cores[..at] {
                let gap = (p[1] - q[1]).abs() - half - other_half;
                let apart = [p[0] - q[0], gap.max(0.0), p[2] - q[2]];
                let distance = apart.iter().map(|x| x * x).sum::<f32>().sqrt();
                assert!(distance > radius + other, "{request}: {p:?} and {q:?}");
            }
        }
        let bounds: Vec<f32> = cores.iter().map(|(_, half, radius)| half + radius).collect();
        let least = bounds.iter().copied().fold(f32::INFINITY, f32::min);
        let largest = bounds.iter().copied().fold(0.0, f32::max);
        if request == "mixed-rain:1500" {
            assert!((largest / least - 50.0).abs() < 0.1, "{least} to {largest}");
        }
        // Inside the walls: the inner faces of the slabs, or the tiles.
        for wall in scene.bodies.iter().filter(|body| body.kind == BodyKind::Static) {
            let thickness = |axis: usize| match wall.shapes[0].kind {
                ShapeKind::Box { size } => 0.5 * size[axis],
                _ => 0.0,
            };
            let facing = (0..3).find(|axis| match wall.shapes[0].kind {
                ShapeKind::Box { size } => size[*axis] == 10.0,
                _ => wall.position[*axis] != 0.0,
            });
            let axis = facing.unwrap();
            let gap = |(place, half, radius): &([f32; 3], f32, f32)| {
                let reach = if axis == 1 { half + radius } else { *radius };
                (place[axis] - wall.position[axis]).abs() - thickness(axis) - reach
            };
            assert!(cores.iter().all(|core| gap(core) > -1e-3), "{request}: wall at {:?}", wall.position);
        }
    }
}
