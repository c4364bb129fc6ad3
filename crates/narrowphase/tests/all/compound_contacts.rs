//! Compounds against their children one by one.

use std::sync::Arc;

use carom_geometry::shape::{Bounded, Child, Compound, Cuboid, Shape, Sphere};
use carom_geometry::{Pose, Rotation, Vector};
use carom_narrowphase::Manifold;
use carom_narrowphase::composite::{CompositeCache, MeshContactOptions, contacts};
use glam::Vec3;

use crate::cases::{Numbers, count};
use crate::floors::{bodies, net};

fn compound(children: Vec<Child>) -> Shape {
    Compound::new(children).unwrap().into()
}

/// A floor of boxes side by side, their tops at height 0.
fn boxes() -> Shape {
    let tile = |k: i32| {
        let at = Vec3::new((k % 20 - 10) as f32 * 0.3, -0.5, (k / 20 - 10) as f32 * 0.3);
        Child { pose: Pose::at(at), shape: Cuboid { half: Vec3::new(0.15, 0.5, 0.15) }.into() }
    };
    compound((0..400).map(tile).collect())
}

/// Two balls and a bar, and a table with legs, one of them in a compound of its own.
fn furniture() -> Vec<Shape> {
    let child = |x: f32, y: f32, z: f32, shape: Shape| Child { pose: Pose::at(Vec3::new(x, y, z)), shape };
    let ball = || Shape::from(Sphere { radius: 0.2 });
    let bar = Cuboid { half: Vec3::new(0.5, 0.08, 0.08) };
    let leg = || Shape::from(Cuboid { half: Vec3::new(0.05, 0.3, 0.05) });
    let top = Shape::from(Cuboid { half: Vec3::new(0.5, 0.05, 0.4) });
    let inner = compound(vec![child(0.0, 0.0, 0.0, leg()), child(0.0, -0.3, 0.0, ball())]);
    vec![
        compound(vec![
            child(-0.5, 0.0, 0.0, ball()),
            child(0.0, 0.0, 0.0, bar.into()),
            child(0.5, 0.0, 0.0, ball()),
        ]),
        compound(vec![
            child(0.0, 0.3, 0.0, top),
            child(0.4, 0.0, 0.3, leg()),
            child(-0.4, 0.0, 0.3, leg()),
            Child {
                pose: Pose::new(Vec3::new(0.0, 0.0, -0.3), Rotation::about_axis(Vec3::Y, 0.5)),
                shape: inner,
            },
        ]),
    ]
}

#[test]
fn a_floor_of_boxes_is_smooth() {
    let floor = boxes();
    for (number, (shape, _)) in bodies().into_iter().enumerate() {
        if matches!(shape, Shape::Cone(_)) || number == 4 {
            continue; // a tip that is deeper in a seam than it is wide strikes both boxes from the side
        }
        let (mut cache, mut out) = (CompositeCache::default(), Vec::new());
        for step in 0..700u32 {
            let depth = 0.001 + 0.004 * (step % 97) as f32 / 97.0;
            let rotation = Rotation::about_axis(Vec3::Y, step as f32 * 0.01);
            let low = -shape.aabb_at(&Pose::new(Vec3::ZERO, rotation)).min[1];
            let along = step as f32 * 0.003;
            let relative_pose = Pose::new(Vec3::new(along - 1.0, low - depth, 0.37 * along - 0.6), rotation);
            contacts(&floor, &shape, &relative_pose, &MeshContactOptions::default(), &mut cache, &mut out);
            let at = || format!("{} at step {step}, depth {depth}: {out:#?}", shape.name());
            assert_eq!(out.len(), 1, "{}", at());
            // Within a fraction of a millimetre of a seam both boxes are equally deep in an
            // ellipsoid but for rounding.
            let tilt = if matches!(shape, Shape::Ellipsoid(_)) { 3e-3 } else { 1e-4 };
            assert!((out[0].normal - Vec3::Y).length() < tilt, "{}", at());
            let deepest = out[0].deepest();
            assert!(deepest + depth > -5e-5 && deepest + depth < 1e-3, "{}", at());
        }
    }
}

/// Two bars that end together have one corner, which may rest on two slopes at a time.
#[test]
fn the_corner_of_two_bars_rests_on_both_sides_of_a_valley() {
    let bar = |x: f32, y: f32| Shape::from(Cuboid { half: Vec3::new(x, y, 0.1) });
    let bars = compound(vec![
        Child { pose: Pose::at(Vec3::ZERO), shape: bar(0.5, 0.1) },
        Child { pose: Pose::at(Vec3::new(0.4, 0.4, 0.0)), shape: bar(0.1, 0.5) },
    ]);
    // A valley along x, and across it the edge that both bars have.
    let valley = Shape::Mesh(Arc::new(net(4, 1.0, 0.0, |_, z| 0.3 * z.abs())));
    let tilted = Rotation::about_axis(Vec3::Z, -std::f32::consts::FRAC_PI_4);
    let edge = tilted.rotate(Vec3::new(0.5, -0.1, 0.0));
    let pose = Pose::new(Vec3::new(0.3, 0.3 * 0.1, 0.0) - edge, tilted);
    let (mut cache, mut out) = (CompositeCache::default(), Vec::new());
    for depth in [0.0, 1e-4, -1e-4] {
        // Off the middle, so that one side is deeper.
        for off in [0.0, 1e-3, -1e-3] {
            let pose = Pose { translation: pose.translation + Vec3::new(0.0, -depth, off), ..pose };
            contacts(&valley, &bars, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
            let holds = |side: f32| out.iter().any(|m| m.normal.z * side > 0.2 && !m.is_empty());
            assert!(holds(1.0) && holds(-1.0), "{depth} {off}: {out:#?}");
        }
    }
}

/// In the corner of floor and wall both are real, however small the body.
#[test]
fn a_ball_in_a_corner_touches_floor_and_wall() {
    let slab = |half: Vec3, at: Vec3| Child { pose: Pose::at(at), shape: Cuboid { half }.into() };
    let corner = compound(vec![
        slab(Vec3::new(2.0, 0.5, 2.0), Vec3::new(0.0, -0.5, 0.0)),
        slab(Vec3::new(0.5, 1.0, 2.0), Vec3::new(1.5, 1.0, 0.0)),
    ]);
    for radius in [0.001, 0.004, 0.02, 0.3] {
        let ball = Shape::from(Sphere { radius });
        let pose = Pose::at(Vec3::new(1.0 - radius, radius - 1e-5, 0.3));
        let (mut cache, mut out) = (CompositeCache::default(), Vec::new());
        contacts(&corner, &ball, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
        let holds = |normal: Vec3| out.iter().any(|m| m.normal.dot(normal) > 0.99);
        assert!(out.len() == 2 && holds(Vec3::Y) && holds(-Vec3::X), "{radius}: {out:#?}");
    }
}

/// All leaves of a compound with their places in it.
fn leaves(shape: &Shape, frame: Pose, list: &mut Vec<(Shape, Pose)>) {
    match shape {
        Shape::Compound(compound) => {
            compound.children().iter().for_each(|c| leaves(&c.shape, frame * c.pose, list));
        }
        _ => list.push((shape.clone(), frame)),
    }
}

#[test]
fn the_contacts_of_a_compound_are_those_of_its_children() {
    let mesh = Shape::Mesh(Arc::new(net(12, 0.3, 0.3, |x, z| 0.1 * (3.0 * x + z).sin())));
    let slab = Shape::from(Cuboid { half: Vec3::new(1.0, 0.2, 1.0) });
    let options = MeshContactOptions::default();
    let mut touching = 0;
    for whole in furniture() {
        let mut parts = Vec::new();
        leaves(&whole, Pose::IDENTITY, &mut parts);
        for other in [&mesh, &slab, &whole] {
            let mut other_parts = Vec::new();
            leaves(other, Pose::IDENTITY, &mut other_parts);
            let (mut numbers, mut out, mut own) = (Numbers(9), Vec::new(), Vec::new());
            for case in 0..count() / 50 {
                let relative_pose = numbers.pose(1.0).to::<f32>();
                let report = contacts(
                    other,
                    &whole,
                    &relative_pose,
                    &options,
                    &mut CompositeCache::default(),
                    &mut out,
                );
                assert_eq!(report.not_handled, 0);
                // Part by part on both sides: of more points than fit in a manifold, a whole may
                // keep others.
                let (mut points, mut best) = (Vec::new(), f32::INFINITY);
                for (part, frame) in &parts {
                    for (other_part, other_frame) in &other_parts {
                        let relative = other_frame.relative(&(relative_pose * *frame));
                        let cache = &mut CompositeCache::default();
                        contacts(other_part, part, &relative, &options, cache, &mut own);
                        let on_a = own.iter().flat_map(Manifold::points).map(|p| other_frame.apply(p.on_a));
                        points.extend(on_a);
                        best = own.iter().map(Manifold::deepest).fold(best, f32::min);
                    }
                }
                let at = || format!("{case}: {out:#?} {points:#?}");
                assert_eq!(out.is_empty(), points.is_empty(), "{}", at());
                touching += u32::from(!out.is_empty());
                if !out.is_empty() {
                    let all = out.iter().map(Manifold::deepest).fold(f32::INFINITY, f32::min);
                    assert!((all - best).abs() <= 1e-3 + 0.01 * best.abs(), "{}", at());
                }
                for point in out.iter().flat_map(Manifold::points) {
                    let is_known = points.iter().any(|p| (*p - point.on_a).length() < 2e-3);
                    assert!(is_known, "{point:?} {}", at());
                }
            }
        }
    }
    assert!(touching > 100);
}

#[test]
fn exchanged_shapes_give_the_mirrored_contacts() {
    let mesh = Shape::Mesh(Arc::new(net(12, 0.3, 0.3, |x, z| 0.1 * (3.0 * x + z).sin())));
    let options = MeshContactOptions::default();
    let (mut numbers, mut out, mut back) = (Numbers(9), Vec::new(), Vec::new());
    for whole in furniture() {
        for case in 0..count() / 50 {
            let relative_pose = numbers.pose(1.0).to::<f32>();
            contacts(&mesh, &whole, &relative_pose, &options, &mut CompositeCache::default(), &mut out);
            contacts(
                &whole,
                &mesh,
                &relative_pose.inverse(),
                &options,
                &mut CompositeCache::default(),
                &mut back,
            );
            // Of equal points on uneven ground other ones may be chosen, and others protrude then:
            // the first manifold of each direction holds the deepest.
            for list in [&mut out, &mut back] {
                list.dedup_by(|next, first| next.normal == first.normal);
            }
            assert_eq!(out.len(), back.len(), "{case}");
            for (one, other) in out.iter().zip(&back) {
                let mirrored = other.swapped(&relative_pose.inverse());
                assert!((mirrored.normal - one.normal).length() < 1e-3, "{case} {out:#?} {back:#?}");
                assert!((mirrored.deepest() - one.deepest()).abs() < 1e-3, "{case}");
                assert!(one.points().iter().all(|p| Vector::is_finite(p.on_a)));
            }
        }
    }
}

#[test]
fn nothing_is_allocated_once_the_cache_has_grown() {
    let mesh = Shape::Mesh(Arc::new(net(12, 0.3, 0.3, |x, z| 0.1 * (3.0 * x + z).sin())));
    for whole in furniture() {
        for other in [&mesh, &whole] {
            let (mut cache, mut out) = (CompositeCache::default(), Vec::new());
            let mut run = || {
                for step in 0..60 {
                    let relative_pose =
                        Pose::at(Vec3::new(step as f32 * 0.01 - 0.3, 0.5 - step as f32 * 0.005, 0.1));
                    contacts(
                        other,
                        &whole,
                        &relative_pose,
                        &MeshContactOptions::default(),
                        &mut cache,
                        &mut out,
                    );
                }
            };
            run();
            assert_eq!(allocation_counter::measure(run).count_total, 0);
        }
    }
}
