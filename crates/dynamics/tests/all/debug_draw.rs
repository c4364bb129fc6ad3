//! Drawings: what is asked for is drawn, where it is, and nothing else.

use std::sync::Arc;

use carom_dynamics::{
    Axis, BodyDef, BodyId, Colour, DebugDrawOptions, DebugLines, JointDef, JointKind, ShapeDef, World,
    WorldDef,
};
use carom_geometry::height_field::HeightField;
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{
    Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Planar, Shape, Sphere, Tile,
};
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, ground, run};

fn nothing() -> DebugDrawOptions {
    DebugDrawOptions::nothing()
}

fn drawn(world: &World, options: &DebugDrawOptions) -> DebugLines {
    let mut drawing = DebugLines::new();
    world.debug_draw(options, &mut drawing);
    let all = [&drawing.lines, &drawing.points, &drawing.triangles];
    assert!(all.iter().all(|list| list.positions.len() == list.colours.len()));
    assert!(all.iter().all(|list| list.positions.as_flattened().iter().all(|x| x.is_finite())));
    drawing
}

fn vectors(positions: &[[f32; 3]]) -> impl Iterator<Item = Vec3> + '_ {
    positions.iter().copied().map(Vec3::from)
}

/// How far a point is from the surface of a shape, by a formula of its own.
type Distance = Box<dyn Fn(Vec3) -> f32>;

struct Kind {
    shape: Shape,
    /// Lines and triangles with 16 segments.
    lines: usize,
    triangles: usize,
    distance: Distance,
    /// The volume within the triangles, if they are closed, as a share of that of the shape.
    volume: Option<f32>,
}

fn kind(
    shape: impl Into<Shape>,
    lines: usize,
    triangles: usize,
    distance: impl Fn(Vec3) -> f32 + 'static,
) -> Kind {
    Kind { shape: shape.into(), lines, triangles, distance: Box::new(distance), volume: None }
}

impl Kind {
    fn closed(mut self, share: f32) -> Self {
        self.volume = Some(share);
        self
    }
}

/// Every kind of shape.
fn kinds() -> Vec<Kind> {
    let (cylinder, cone) = (Cylinder::new(1.5, 0.5).unwrap(), Cone::new(1.0, 0.5).unwrap());
    let capsule = Capsule::new(Vec3::new(-0.5, 0.0, 1.0), Vec3::new(0.5, 1.0, 0.0), 0.25).unwrap();
    let half = Vec3::new(1.0, 2.0, 3.0);
    let on_box = move |p: Vec3| ((p.abs() / half).max_element() - 1.0).abs();
    let radii = Vec3::new(1.0, 0.5, 2.0);
    let triangle = Triangle::new(Vec3::ZERO, Vec3::X, Vec3::Y);
    let corners = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let octahedron = convex_hull(&corners, &HullOptions::default()).unwrap();
    let (vertices, triangles) = generate::terrain(3, 2, 1.0, |x, z| 0.5 * x - z);
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let field = HeightField::new(4, 3, (0..12).map(|k| (k % 4) as f32).collect(), [1.0, 1.0]).unwrap();
    let hole = field.clone().with_holes(|column, row| (column, row) == (1, 0)).unwrap();
    let pair = [-1.0, 1.0].map(|x| Child {
        shape: Cuboid::cube(0.5).unwrap().into(),
        pose: Pose::new(Vec3::X * x, Rotation::IDENTITY),
    });
    let compound = Compound::new(pair.to_vec()).unwrap();
    let nested = Compound::new(vec![Child {
        shape: Shape::Compound(Arc::new(compound.clone())),
        pose: Pose::at(Vec3::Y),
    }])
    .unwrap();
    let on_pair = |p: Vec3| ((Vec3::new(p.x.abs() - 1.0, p.y, p.z).abs() * 2.0).max_element() - 1.0).abs();
    vec![
        kind(Sphere::new(2.0).unwrap(), 48, 2 * 16 * 8 - 32, |p| (p.length() - 2.0).abs()).closed(0.92),
        kind(Ellipsoid::new(radii).unwrap(), 48, 2 * 16 * 8 - 32, move |p| {
            ((p / radii).length() - 1.0).abs()
        })
        .closed(0.92),
        kind(capsule, 2 * 16 + 4 * 9, 2 * 16 * 9 - 32, move |p| capsule.signed_distance(p).abs())
            .closed(0.93),
        kind(cylinder, 2 * 16 + 4 * 3, 64, move |p| cylinder.signed_distance(p).abs()).closed(0.97),
        kind(cone, 16 + 4 * 2, 32, |p| {
            // On the base, or on the flank.
            let r = p.truncate().length();
            ((p.z + 1.0).abs() + (r - 0.5).max(0.0)).min((r - 0.25 * (1.0 - p.z)).abs())
        })
        .closed(0.97),
        kind(Cuboid::new(half).unwrap(), 12, 12, on_box).closed(1.0),
        kind(Tile::new(1.0, 2.0).unwrap(), 4, 2, |p| p.y.abs()),
        kind(Planar::rectangle(1.0, 2.0).unwrap(), 4, 2, |p| {
            p.z.abs() + (p.x.abs() - 1.0).abs().max((p.y.abs() - 2.0).abs())
        }),
        kind(HalfSpace, 2 * 11 + 1, 2, |p| if p == Vec3::Y * 0.25 { 0.0 } else { p.y.abs() }),
        kind(Shape::Triangle(triangle), 3, 1, |p| p.z.abs()),
        kind(Shape::Polytope(Arc::new(octahedron)), 12, 8, |p| (p.abs().element_sum() - 1.0).abs())
            .closed(1.0),
        // 6 cells: 12 triangles with 36 sides, of which the 10 of the border are of one alone.
        kind(Shape::Mesh(Arc::new(mesh)), 23, 12, |p| (p.y - 0.5 * p.x + p.z).abs()),
        kind(Shape::HeightField(Arc::new(field)), 23, 12, |p| (p.y - p.x - 1.5).abs()),
        kind(Shape::HeightField(Arc::new(hole)), 21, 10, |p| (p.y - p.x - 1.5).abs()),
        kind(Shape::Compound(Arc::new(compound)), 24, 24, on_pair),
        kind(Shape::Compound(Arc::new(nested)), 24, 24, move |p| on_pair(p - Vec3::Y)),
    ]
}

#[test]
fn every_kind_of_shape_is_drawn_on_its_surface() {
    let place = (DVec3::new(3.0, -1.0, 0.5), Rotation::about_axis(Vec3::new(1.0, 2.0, 3.0), 0.7));
    for kind in kinds() {
        let name = kind.shape.name();
        let options = DebugDrawOptions { faces: true, segments: 16, ..nothing() };
        for (position, rotation) in [(DVec3::ZERO, Rotation::IDENTITY), place] {
            let mut drawing = DebugLines::relative_to(position);
            options.draw_shape(&kind.shape, position, rotation, Colour::rgb(1, 2, 3), &mut drawing);
            assert_eq!(drawing.lines.len(), 2 * kind.lines, "lines of {name}");
            assert_eq!(drawing.triangles.len(), 3 * kind.triangles, "triangles of {name}");
            assert!(drawing.points.is_empty() && drawing.labels.is_empty());
            let all = vectors(&drawing.lines.positions).chain(vectors(&drawing.triangles.positions));
            for point in all.map(|point| rotation.rotate_back(point)) {
                let off = if rotation == Rotation::IDENTITY { (kind.distance)(point) } else { 0.0 };
                assert!(off < 1e-5, "{point} is {off} off {name}");
            }
            assert!(drawing.lines.colours.iter().all(|colour| *colour == [1, 2, 3, 255]));
            assert!(drawing.triangles.colours.iter().all(|colour| *colour == [1, 2, 3, 60]));
            // No edge twice.
            let mut edges: Vec<[[u32; 3]; 2]> = drawing
                .lines
                .positions
                .chunks(2)
                .map(|ends| {
                    // Without the signs of zeros.
                    let mut ends = [ends[0], ends[1]].map(|end| end.map(|x| (x + 0.0).to_bits()));
                    ends.sort_unstable();
                    ends
                })
                .collect();
            let count = edges.len();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len(), count, "{name} has edges twice");
            if let (Some(share), true) = (kind.volume, rotation == Rotation::IDENTITY) {
                let corners: Vec<Vec3> = vectors(&drawing.triangles.positions).collect();
                let volume: f32 = corners.chunks(3).map(|t| t[0].cross(t[1]).dot(t[2]) / 6.0).sum();
                let whole = kind.shape.mass_properties(1.0).unwrap().mass;
                assert!(
                    volume <= whole * 1.0001 && volume >= whole * share * 0.9999,
                    "{name}: {volume} of {whole}"
                );
            }
        }
    }
}

#[test]
fn placed_shapes_lie_where_their_bodies_are() {
    // The same drawing, moved: of a body with a turned shape, whose centre of mass is elsewhere.
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let turned = Rotation::about_axis(Vec3::Z, 0.5);
    let local = Pose::new(Vec3::new(0.3, 0.2, 0.1), Rotation::about_axis(Vec3::X, 1.0));
    let def = BodyDef::dynamic().at(1.0, 2.0, 3.0).rotated(turned);
    let id = world.add_body(def, [cuboid(0.1, 0.2, 0.3).local_pose(local), ball(0.1)]).unwrap();
    let options = DebugDrawOptions { shapes: true, ..nothing() };
    let drawing = drawn(&world, &options);
    let body = world.body(id).unwrap();
    let cube: Vec<Vec3> = vectors(&drawing.lines.positions[2 * 3 * 24..]).collect();
    assert_eq!(cube.len(), 24);
    for corner in cube {
        let on_body = body.rotation().rotate_back((corner.as_dvec3() - body.position()).as_vec3());
        let local = local.undo(on_body).abs();
        assert!((local - Vec3::new(0.1, 0.2, 0.3)).length() < 1e-5, "{local}");
    }
}

#[test]
fn segments_are_what_was_asked_for_within_bounds() {
    let ball = Shape::from(Sphere::new(1.0).unwrap());
    for (asked, drawn) in [(0, 4), (4, 4), (5, 8), (24, 24), (100_000, 256)] {
        let mut drawing = DebugLines::new();
        let options = DebugDrawOptions { segments: asked, ..nothing() };
        options.draw_shape(&ball, DVec3::ZERO, Rotation::IDENTITY, Colour::default(), &mut drawing);
        assert_eq!(drawing.lines.len(), 2 * 3 * drawn);
    }
}

/// A ground, two stacks, something asleep, disabled, kinematic, a sensor, and joints of all kinds.
fn everything() -> World {
    let mut world = ground(WorldDef::default());
    let mut add = |def: BodyDef, shape: ShapeDef| world.add_body(def, [shape]).unwrap();
    let stack: Vec<BodyId> = (0..4)
        .map(|k| {
            let at = [(0.0, 0.5), (0.0, 1.5), (4.0, 0.5), (4.0, 1.5)][k];
            add(BodyDef::dynamic().at(at.0, at.1, 0.0), cuboid(0.5, 0.5, 0.5))
        })
        .collect();
    add(BodyDef::kinematic().at(-4.0, 2.0, 0.0).velocity(Vec3::Z), cuboid(1.0, 0.1, 1.0));
    add(BodyDef::dynamic().at(-8.0, 2.0, 0.0).enabled(false), ball(0.3));
    add(BodyDef::fixed().at(8.0, 2.0, 0.0), ball(0.3).sensor());
    let free = Axis::FREE.range(-0.5, 0.5);
    let kinds = [
        JointKind::Distance { range: [0.5, 2.0], spring: None },
        JointKind::Ball { cone: Some(1.0), twist: Some([-1.0, 1.0]), friction: 0.1, spring: None },
        JointKind::Hinge(free),
        JointKind::Slider(free),
        JointKind::Fixed { spring: None },
        JointKind::Universal([free, free]),
        JointKind::Wheel { suspension: free, steering: free, spin: Axis::FREE },
        JointKind::SixAxis { linear: [free, Axis::FREE, Axis::LOCKED], angular: [free; 3] },
    ];
    for (k, kind) in (0u32..).zip(kinds) {
        let z = -5.0 - 2.0 * f64::from(k);
        let anchor = world.add_body(BodyDef::fixed().at(0.0, 5.0, z), []).unwrap();
        let bob = world.add_body(BodyDef::dynamic().at(1.0, 5.0, z), [ball(0.2)]).unwrap();
        world.add_joint(JointDef::new(anchor, bob, kind).at(DVec3::new(0.0, 5.0, z))).unwrap();
    }
    run(&mut world, 0.1);
    world.body_mut(stack[2]).unwrap().sleep();
    world.body_mut(stack[3]).unwrap().sleep();
    world
}

/// Every switch, alone.
fn switches() -> Vec<(&'static str, DebugDrawOptions)> {
    let mut list = Vec::new();
    macro_rules! each {
        ($($name:ident),*) => {
            $(list.push((stringify!($name), DebugDrawOptions { $name: true, ..nothing() }));)*
        };
    }
    each!(
        shapes,
        faces,
        shape_boxes,
        fat_boxes,
        tree_boxes,
        contacts,
        contact_normals,
        contact_forces,
        joints,
        joint_frames,
        joint_limits,
        centres_of_mass,
        body_frames,
        velocities,
        labels
    );
    list
}

#[test]
fn every_switch_draws_something_and_all_together_the_sum() {
    let world = everything();
    assert_eq!(drawn(&world, &nothing()), DebugLines::new(), "nothing is drawn if nothing is wanted");
    let mut sum = [0; 4];
    let count = |drawing: &DebugLines| {
        [drawing.lines.len(), drawing.points.len(), drawing.triangles.len(), drawing.labels.len()]
    };
    for (name, options) in switches() {
        let counts = count(&drawn(&world, &options));
        assert!(counts.iter().sum::<usize>() > 0, "{name} draws nothing");
        for (sum, more) in sum.iter_mut().zip(counts) {
            *sum += more;
        }
    }
    assert_eq!(count(&drawn(&world, &DebugDrawOptions::everything())), sum);
    // The same world gives the same drawing, from a copy and with threads.
    let mut twin = everything();
    twin.set_threads(2);
    let options = DebugDrawOptions::everything();
    assert!(drawn(&world, &options) == drawn(&twin, &options));
    assert!(drawn(&world, &options) == drawn(&world, &options));
}

#[test]
fn bodies_have_the_colours_of_what_they_do() {
    let world = everything();
    let options = DebugDrawOptions { shapes: true, ..nothing() };
    let colours = &options.colours;
    let drawing = drawn(&world, &options);
    let lines = |colour: Colour| drawing.lines.colours.iter().filter(|c| **c == colour.0).count() / 2;
    assert_eq!(lines(colours.fixed), 23, "the ground");
    assert_eq!(lines(colours.kinematic), 12);
    assert_eq!(lines(colours.disabled), 3 * 24);
    assert_eq!(lines(colours.sensor), 3 * 24);
    assert_eq!(lines(colours.asleep), 2 * 12);
    assert_eq!(lines(colours.dynamic), 2 * 12 + 8 * 3 * 24);
}

#[test]
fn islands_have_a_colour_each_and_keep_it_asleep() {
    let mut world = ground(WorldDef::default().can_sleep(true));
    for x in [0.0, 4.0] {
        for y in [0.5, 1.5, 2.5] {
            world.add_body(BodyDef::dynamic().at(x, y, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
        }
    }
    let apart = [20.0, 22.0]
        .map(|x| world.add_body(BodyDef::dynamic().at(x, 5.0, 0.0), [cuboid(0.1, 0.1, 0.1)]).unwrap());
    world.add_joint(JointDef::ball(apart[0], apart[1]).at(DVec3::new(21.0, 5.0, 0.0))).unwrap();
    run(&mut world, 0.1);
    let options = DebugDrawOptions { shapes: true, islands: true, ..nothing() };
    let of_bodies = |world: &World| -> Vec<Colour> {
        let drawing = drawn(world, &options);
        drawing.lines.colours[2 * 23..].chunks(24).map(|edges| Colour(edges[0])).collect()
    };
    let awake = of_bodies(&world);
    assert_eq!(awake.len(), 8);
    assert!(awake[..3].iter().all(|c| *c == awake[0]) && awake[3..6].iter().all(|c| *c == awake[3]));
    assert!(awake[6] == awake[7], "by the joint");
    assert!(awake[0] != awake[3] && awake[3] != awake[6] && awake[0] != awake[6]);
    let ids: Vec<BodyId> = world.body_ids().collect();
    for id in &ids[1..4] {
        world.body_mut(*id).unwrap().sleep();
    }
    let asleep = of_bodies(&world);
    assert!(asleep[..3].iter().all(|c| *c == awake[0].dimmed()), "{asleep:?}");
    assert_eq!(asleep[3..], awake[3..]);
    // Restored, and before the next step.
    let mut other = World::new(WorldDef::default());
    other.restore(&world.snapshot());
    assert_eq!(of_bodies(&other), asleep);
    let plain = DebugDrawOptions { colours: Default::default(), ..options.clone() };
    let mut without = plain;
    without.colours.islands.clear();
    let drawing = drawn(&world, &without);
    assert_eq!(drawing.lines.colours[2 * 23 + 3 * 24], without.colours.dynamic.0);
}

#[test]
fn contacts_show_points_normals_and_forces() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    run(&mut world, 0.5);
    let weight = world.body(id).unwrap().mass() * 9.81;
    let points = drawn(&world, &DebugDrawOptions { contacts: true, ..nothing() });
    assert_eq!((points.points.len(), points.lines.len()), (4, 0));
    assert!(vectors(&points.points.positions).all(|p| p.y.abs() < 0.01 && (p.x.abs() - 0.5).abs() < 0.01));
    let normals = drawn(&world, &DebugDrawOptions { contact_normals: true, normal_length: 2.0, ..nothing() });
    let normals: Vec<Vec3> = vectors(&normals.lines.positions).collect();
    assert_eq!(normals.len(), 8);
    assert!(normals.chunks(2).all(|ends| ((ends[1] - ends[0]) - Vec3::Y * 2.0).length() < 1e-3));
    let options = DebugDrawOptions { contact_forces: true, force_scale: 0.01, ..nothing() };
    let forces = drawn(&world, &options);
    let red = options.colours.contact.0;
    let ends: Vec<Vec3> = vectors(&forces.lines.positions).collect();
    let pressed = ends.chunks(2).zip(forces.lines.colours.chunks(2)).filter(|(_, c)| c[0] == red);
    let total: Vec3 = pressed.map(|(ends, _)| ends[1] - ends[0]).sum();
    assert!((total - Vec3::Y * (0.01 * weight)).length() < 0.02 * 0.01 * weight, "{total} of {weight}");
}

#[test]
fn velocities_frames_centres_and_labels_are_where_they_belong() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let def = BodyDef::dynamic().at(1.0, 2.0, 3.0).velocity(Vec3::X * 4.0).angular_velocity(Vec3::Y * 2.0);
    let off = cuboid(0.1, 0.2, 0.3).local_pose(Pose::at(Vec3::Z));
    let id = world.add_body(def, [off]).unwrap();
    let centre = world.body(id).unwrap().centre_of_mass().as_vec3();
    assert!((centre - Vec3::new(1.0, 2.0, 4.0)).length() < 1e-5);
    let drawing = drawn(&world, &DebugDrawOptions { velocities: true, velocity_scale: 0.5, ..nothing() });
    let ends: Vec<Vec3> = vectors(&drawing.lines.positions).collect();
    let velocity = world.body(id).unwrap().velocity() * 0.5;
    assert_eq!(ends, [centre, centre + velocity, centre, centre + Vec3::Y]);
    let drawing = drawn(&world, &DebugDrawOptions { centres_of_mass: true, axis_length: 2.0, ..nothing() });
    assert_eq!(vectors(&drawing.points.positions).collect::<Vec<_>>(), [centre]);
    assert!(
        vectors(&drawing.lines.positions).all(|p| p == centre || (p.distance(centre) - 2.0).abs() < 1e-5)
    );
    let drawing = drawn(&world, &DebugDrawOptions { body_frames: true, axis_length: 1.0, ..nothing() });
    let ends: Vec<Vec3> = vectors(&drawing.lines.positions).collect();
    let origin = Vec3::new(1.0, 2.0, 3.0);
    for (k, axis) in Vec3::AXES.into_iter().enumerate() {
        assert!((ends[2 * k] - origin).length() < 1e-5 && (ends[2 * k + 1] - origin - axis).length() < 1e-5);
    }
    let drawing = drawn(&world, &DebugDrawOptions { labels: true, ..nothing() });
    assert_eq!(drawing.labels.len(), 1);
    assert_eq!((drawing.labels[0].text.as_str(), Vec3::from(drawing.labels[0].position)), ("body 0", centre));
}

#[test]
fn boxes_contain_their_shapes_and_volumes_their_boxes() {
    let world = everything();
    let bounds = |positions: &[[f32; 3]]| Aabb::<3>::of_points(vectors(positions));
    let boxes = |options: DebugDrawOptions| -> Vec<Aabb<3>> {
        let drawing = drawn(&world, &options);
        drawing.lines.positions.chunks(24).map(&bounds).collect()
    };
    let tight = boxes(DebugDrawOptions { shape_boxes: true, ..nothing() });
    let fat = boxes(DebugDrawOptions { fat_boxes: true, ..nothing() });
    let tree = boxes(DebugDrawOptions { tree_boxes: true, ..nothing() });
    assert_eq!((tight.len(), fat.len()), (16, 16));
    assert!(tight.iter().all(|one| fat.iter().any(|other| other.contains(one))));
    // The ground has no end, and is cut off in drawings only.
    assert!(fat[1..].iter().all(|one| tree.iter().any(|volume| volume.grown(1e-3).contains(one))));
}

#[test]
fn limits_of_joints_are_as_far_as_they_go() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let anchor = world.add_body(BodyDef::fixed(), []).unwrap();
    let door = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [ball(0.2)]).unwrap();
    let hinge = Axis::FREE.range(0.0, 1.5);
    let hinge = world.add_joint(JointDef::hinge(anchor, door, hinge).at(DVec3::ZERO).axis(Vec3::Y)).unwrap();
    let limits = DebugDrawOptions { joint_limits: true, axis_length: 2.0, ..nothing() };
    let drawing = drawn(&world, &limits);
    // Two sides, the arc in steps of 15°, and where it is.
    assert_eq!(drawing.lines.len(), 2 * (2 + 6 + 1));
    let ends: Vec<Vec3> = vectors(&drawing.lines.positions).collect();
    assert!(ends.iter().all(|p| p.y.abs() < 1e-6 && (p.length() < 1e-6 || (p.length() - 2.0).abs() < 1e-5)));
    let angle_of = |from: Vec3, to: Vec3| from.angle_between(to);
    assert!((angle_of(ends[1], ends[ends.len() - 4]) - 1.5).abs() < 1e-3);
    // The pointer follows the joint.
    world.body_mut(door).unwrap().set_angular_velocity(Vec3::Y).unwrap();
    world.body_mut(door).unwrap().set_velocity(Vec3::NEG_Z).unwrap();
    run(&mut world, 0.5);
    let angle = world.joint(hinge).unwrap().angle();
    assert!(angle.abs() > 0.3);
    let ends: Vec<Vec3> = vectors(&drawn(&world, &limits).lines.positions).collect();
    assert!((angle_of(ends[1], ends[ends.len() - 1]) - angle.abs()).abs() < 1e-3);
    // A joint that holds nobody is drawn so.
    world.joint_mut(hinge).unwrap().set_enabled(false);
    let drawing = drawn(&world, &DebugDrawOptions { joints: true, ..nothing() });
    assert!(!drawing.lines.is_empty());
    assert!(drawing.lines.colours.iter().all(|colour| *colour == limits.colours.disabled.0));
}

#[test]
fn only_the_region_is_drawn() {
    let world = everything();
    let region = Some(Aabb::new([3.0, 0.1, -1.0], [5.0, 4.0, 1.0]));
    let shapes = DebugDrawOptions { shapes: true, region, ..nothing() };
    assert_eq!(drawn(&world, &shapes).lines.len(), 2 * 2 * 12, "two boxes");
    let points =
        DebugDrawOptions { contacts: true, centres_of_mass: true, labels: true, region, ..nothing() };
    let drawing = drawn(&world, &points);
    assert_eq!(drawing.labels.len(), 2);
    assert!(!drawing.points.is_empty());
    assert!(vectors(&drawing.points.positions).all(|p| p.x > 3.0 && p.y >= 0.1));
    let joints =
        DebugDrawOptions { joints: true, joint_frames: true, joint_limits: true, region, ..nothing() };
    assert_eq!(drawn(&world, &joints), DebugLines::new());
    let nowhere = Some(Aabb::new([500.0, 500.0, 500.0], [501.0, 501.0, 501.0]));
    let all = DebugDrawOptions { region: nowhere, ..DebugDrawOptions::everything() };
    assert_eq!(drawn(&world, &all), DebugLines::new());
}

#[test]
fn drawing_changes_nothing_and_reuses_memory() {
    let (mut world, mut twin) = (everything(), everything());
    let mut drawing = DebugLines::new();
    for _ in 0..20 {
        drawing.restart(DVec3::ZERO);
        world.debug_draw(&DebugDrawOptions::everything(), &mut drawing);
        world.step(DT).unwrap();
        twin.step(DT).unwrap();
        assert_eq!(world.state_hash(), twin.state_hash());
    }
    let room = drawing.lines.positions.capacity();
    drawing.restart(DVec3::X);
    assert!(drawing.lines.is_empty() && drawing.labels.is_empty() && drawing.triangles.is_empty());
    assert_eq!((drawing.lines.positions.capacity(), drawing.origin()), (room, DVec3::X));
}
