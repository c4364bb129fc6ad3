//! Contacts and the cache of V-Clip.

use carom_geometry::polytope::{FaceId, Feature, VertexId};
use carom_geometry::{Aabb, Polytope, Pose, Rotation};
use carom_narrowphase::alternatives::vclip::{CacheCounters, VClipContact, WitnessCache};
use carom_narrowphase::vclip::{VClip, VClipAnswer, VClipState, VClipStatus, Witness};
use glam::DVec3;

use crate::cases::{self, Numbers};
use crate::vclip_zoo::zoo;

fn cube(half: f64) -> Polytope<f64> {
    Polytope::cube(half).unwrap()
}

/// How sharply the features of an answer tell where along them its points are: the sine between two
/// edges, or between an edge and the sides of a face that cut it there. Both are 1 where nothing
/// slides.
fn sharpness(shapes: [&Polytope<f64>; 2], relative_pose: &Pose<f64>, answer: &VClipAnswer<f64>) -> f64 {
    let [a, b] = shapes;
    let direction = |shape: &Polytope<f64>, edge| shape.segment(edge).direction().normalize();
    // An edge and a point of it in the frame of the face.
    let across_sides = |shape: &Polytope<f64>, face: FaceId, along: DVec3, point: DVec3| {
        let sides = shape.around_face(face).map(|h| {
            let side = shape.segment(h);
            (side.a, side.direction().normalize().cross(shape.plane(face).normal))
        });
        let near = sides.filter(|(corner, out)| out.dot(point - corner).abs() < 1e-6);
        near.map(|(_, out)| out.dot(along).abs()).fold(1.0, f64::min)
    };
    match answer.witness.features() {
        [Feature::Edge(e), Feature::Edge(f)] => {
            direction(a, e).cross(relative_pose.rotation.rotate(direction(b, f))).length()
        }
        [Feature::Edge(e), Feature::Face(f)] => {
            let along = relative_pose.rotation.rotate_back(direction(a, e));
            across_sides(b, f, along, relative_pose.undo(answer.features.on_a))
        }
        [Feature::Face(f), Feature::Edge(e)] => {
            across_sides(a, f, relative_pose.rotation.rotate(direction(b, e)), answer.features.on_b)
        }
        _ => 1.0,
    }
}

/// With exchanged polytopes and features the contact is the same, seen from the other side.
fn check_flipped(a: &Polytope<f64>, b: &Polytope<f64>, relative_pose: &Pose<f64>) -> VClipState {
    let query = VClip::default();
    let answer = query.solve(a, b, relative_pose, Witness::VERTICES);
    let margin = answer.features.distance + 0.5;
    let contact = VClipContact::of(&answer.features, margin).unwrap();
    assert!((contact.depth - 0.5).abs() < 1e-12);
    assert!((contact.normal.length() - 1.0).abs() < 1e-12);
    let swapped = query.solve(b, a, &relative_pose.inverse(), answer.witness.swapped());
    if swapped.witness != answer.witness.swapped() || answer.features.distance == 0.0 {
        return answer.state;
    }
    let other = VClipContact::of(&swapped.features, margin).unwrap();
    // The inverse of a place is rounded by a few ε of its size and that of the shapes. Where
    // features cross at an angle, the point where they do moves by as much over the sine of the
    // angle. Edges that go through a face take the depth along.
    let reach = |shape: &Polytope<f64>| shape.points().iter().fold(0.0, |m: f64, p| m.max(p.length()));
    let size = reach(a) + reach(b) + relative_pose.translation.length();
    let slide = (16.0 * f64::EPSILON * size / sharpness([a, b], relative_pose, &answer)).max(1e-9);
    let deeper = if answer.state == VClipState::EdgeFace { slide } else { 1e-9 };
    let off = (relative_pose.apply(other.point) - contact.point).length();
    assert!(off < slide, "{off:e} {slide:e} {relative_pose:?} {answer:?} {swapped:?}");
    assert!(
        (relative_pose.rotation.rotate(other.normal) + contact.normal).length() < 1e-9,
        "{relative_pose:?} {answer:?}"
    );
    let off = (other.depth - contact.depth).abs();
    assert!(off < deeper, "{off:e} {deeper:e} {relative_pose:?} {answer:?} {swapped:?}");
    answer.state
}

#[test]
fn simple_contacts_flip_with_the_order() {
    let (zoo, mut numbers) = (zoo(), Numbers(31));
    let mut states = [0; 5];
    for _ in 0..cases::count() / 2 {
        let [a, b] = [(); 2].map(|()| &zoo[numbers.below(zoo.len() as u64) as usize]);
        states[check_flipped(a, b, &numbers.pose(3.0)) as usize] += 1;
    }
    assert!(states.iter().all(|&n| n > 0), "{states:?}");
}

/// A long run found this: an edge of a cube through the base of a pyramid, along a side of it but
/// for a millionth.
#[test]
fn an_edge_that_leaves_a_face_at_a_millionth_flips_with_the_order() {
    let zoo = zoo();
    let rotation = [
        4.230_582_651_908_023e-7,
        2.066_108_319_805_178_1e-7,
        -4.631_252_200_853_364_7e-7,
        0.999_999_999_999_782,
    ];
    let relative_pose = crate::zoo::place_of([1.5, 0.0, -1.5], rotation);
    assert_eq!(check_flipped(&zoo[0], &zoo[6], &relative_pose), VClipState::EdgeFace);
}

#[test]
fn contacts_of_each_state_are_where_the_table_has_them() {
    let (a, b) = (cube(1.0), cube(1.0));
    let along = |x, y, z| Pose::at(DVec3::new(x, y, z));
    let tip = Rotation::about_axis(DVec3::X, 0.5) * Rotation::about_axis(DVec3::Z, 0.9);
    let check = |relative_pose: Pose<f64>, state: VClipState, point: DVec3, normal: DVec3, distance: f64| {
        let answer = VClip::default().solve(&a, &b, &relative_pose, Witness::VERTICES);
        let contact = VClipContact::of(&answer.features, 2.0).unwrap();
        assert_eq!(answer.state, state);
        assert!((contact.point - point).length() < 1e-9, "{state}: {contact:?}");
        assert!((contact.normal - normal).length() < 1e-9, "{state}: {contact:?}");
        assert!((contact.depth - (2.0 - distance)).abs() < 1e-9, "{state}: {contact:?}");
    };
    let diagonal = DVec3::ONE.normalize();
    check(along(3.0, 3.0, 3.0), VClipState::VertexVertex, DVec3::splat(1.5), diagonal, 3f64.sqrt());
    // An edge of the second over the top of the first, turned away from all parallels.
    let half = 0.5f64.sqrt();
    let crossed = Pose::new(
        DVec3::new(1.0 + 2f64.sqrt() + half, 1.0 + half + 2f64.sqrt(), 0.0),
        Rotation::about_axis(DVec3::Z, -std::f64::consts::FRAC_PI_4)
            * Rotation::about_axis(DVec3::X, std::f64::consts::FRAC_PI_4),
    );
    let out = DVec3::new(half, half, 0.0);
    let gap = (crossed.translation - DVec3::new(1.0, 1.0, 0.0)).length() - 2f64.sqrt();
    check(crossed, VClipState::EdgeEdge, DVec3::new(1.0, 1.0, 0.0) + out * (gap / 2.0), out, gap);
    // A corner over the top face.
    let standing = Pose::new(DVec3::ZERO, tip);
    let lowest = b.points().iter().map(|p| standing.apply(*p)).min_by(|p, q| p.y.total_cmp(&q.y)).unwrap();
    let relative_pose = Pose::new(DVec3::new(-lowest.x, 1.5 - lowest.y, -lowest.z), tip);
    check(relative_pose, VClipState::VertexFace, DVec3::new(0.0, 1.25, 0.0), DVec3::Y, 0.5);
    // A corner beside an edge.
    let lowest = b.points().iter().map(|p| standing.apply(*p)).min_by(|p, q| {
        let along = |p: &DVec3| p.x + p.y;
        along(p).total_cmp(&along(q))
    });
    let lowest = lowest.unwrap();
    let relative_pose = Pose::new(DVec3::new(1.5, 1.5, 0.25) - lowest, tip);
    check(relative_pose, VClipState::VertexEdge, DVec3::new(1.25, 1.25, 0.25), out, half);
}

#[test]
fn the_margin_decides_and_boxes_grown_by_half_of_it_meet() {
    let (a, b, query) = (cube(1.0), cube(0.5), VClip::default());
    let margin = 0.1;
    for (share, is_contact) in [(0.0, true), (0.9, true), (1.0, true), (1.01, false)] {
        let relative_pose = Pose::at(DVec3::new(0.2, 1.5 + share * margin, 0.0));
        let contact = query.contact(&a, &b, &relative_pose, margin + 1e-15, &mut Witness::default());
        assert_eq!(contact.is_some(), is_contact, "{share}");
        if let Some(contact) = contact {
            assert!((contact.depth - (1.0 - share) * margin).abs() < 1e-12);
            let grown = |shape: &Polytope<f64>, pose: &Pose<f64>| {
                Aabb::of_points(shape.points().iter().map(|p| pose.apply(*p))).grown(margin / 2.0)
            };
            assert!(grown(&a, &Pose::IDENTITY).overlaps(&grown(&b, &relative_pose)));
        }
    }
}

#[test]
fn a_cube_on_a_larger_face_stands_on_its_corners() {
    let (table, die, query) = (cube(3.0), cube(0.5), VClip::default());
    for (rotation, height) in [(0.0, 0.0), (0.3, 0.04), (1.0, -0.02)] {
        let rotation = Rotation::about_axis(DVec3::Y, rotation);
        let relative_pose = Pose::new(DVec3::new(0.4, 3.5 + height, -0.7), rotation);
        for swapped in [false, true] {
            let mut witness = Witness::default();
            let sizes = [0.1, 0.08];
            let found = if swapped {
                query.envelope(&die, &table, &relative_pose.inverse(), sizes, &mut witness)
            } else {
                query.envelope(&table, &die, &relative_pose, sizes, &mut witness)
            };
            let found = found.unwrap();
            assert_eq!((found.contacts().len(), found.is_cut), (4, false), "{found:?}");
            for contact in found.contacts() {
                let point = if swapped { relative_pose.apply(contact.point) } else { contact.point };
                assert!((contact.depth - (0.1 - height)).abs() < 1e-9);
                assert!((point.y - 3.0 - height / 2.0).abs() < 1e-9);
                let local = relative_pose.undo(point);
                assert!((local.x.abs() - 0.5).abs() < 1e-9 && (local.z.abs() - 0.5).abs() < 1e-9);
                assert_eq!(contact.normal, found.contacts()[0].normal);
            }
        }
    }
}

#[test]
fn an_overhanging_cube_has_contacts_where_edges_cross() {
    let (table, die) = (cube(1.0), cube(0.5));
    let relative_pose = Pose::at(DVec3::new(1.0, 1.5, 0.0));
    let found = VClip::default()
        .envelope(&table, &die, &relative_pose, [0.01, 0.05], &mut Witness::default())
        .unwrap();
    let mut points: Vec<_> = found.contacts().iter().map(|c| (c.point.x, c.point.z)).collect();
    points.sort_by(|a, b| a.partial_cmp(b).unwrap());
    points.dedup_by(|a, b| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-9);
    for corner in [(0.5, -0.5), (0.5, 0.5), (1.0, -0.5), (1.0, 0.5)] {
        assert!(points.iter().any(|p| (p.0 - corner.0).abs() + (p.1 - corner.1).abs() < 1e-9), "{points:?}");
    }
    assert!(points.iter().all(|p| p.0 <= 1.0 + 1e-9), "none beside the table: {points:?}");
    assert_eq!(
        VClip::default().envelope(&table, &die, &Pose::at(DVec3::X * 9.0), [0.1; 2], &mut Witness::default()),
        None
    );
}

#[test]
fn a_cache_finds_pairs_in_either_order_and_forgets_old_ones() {
    let seed = |a, b| Witness::new(Feature::Vertex(VertexId(a)), Feature::Vertex(VertexId(b)));
    let mut cache = WitnessCache::new(3);
    assert_eq!(cache.get(7, 2), None);
    cache.set(7, 2, seed(70, 20));
    assert_eq!((cache.get(7, 2), cache.get(2, 7)), (Some(seed(70, 20)), Some(seed(20, 70))));
    cache.set(2, 7, seed(21, 71));
    assert_eq!((cache.get(7, 2), cache.len()), (Some(seed(71, 21)), 1));
    assert_eq!(cache.counters(), CacheCounters { hits: 3, misses: 1, evicted: 0, removed: 0 });
    // Used in every update it stays, unused it goes.
    for _ in 0..20 {
        cache.advance();
        assert!(cache.get(2, 7).is_some());
    }
    cache.set(1, 3, seed(1, 3));
    for _ in 0..7 {
        cache.advance();
        cache.get(1, 3);
    }
    assert_eq!((cache.len(), cache.counters().evicted, cache.get(2, 7)), (1, 1, None));
    cache.set(5, 1, seed(0, 0));
    cache.set(5, 6, seed(0, 0));
    cache.remove_body(1);
    assert_eq!((cache.len(), cache.counters().removed), (1, 2));
    cache.set_enabled(false);
    cache.set(1, 2, seed(1, 2));
    assert!(cache.is_empty() && cache.get(1, 2).is_none() && !cache.is_enabled());
    // A body with itself has no witness.
    cache.set_enabled(true);
    cache.set(u32::MAX, u32::MAX, seed(1, 2));
    assert!(cache.get(u32::MAX, u32::MAX).is_none());
}

/// Against a sorted list.
#[test]
fn a_cache_keeps_what_a_list_would_keep() {
    let mut numbers = Numbers(32);
    let (mut cache, mut list) = (WitnessCache::new(1000), Vec::<((u32, u32), Witness)>::new());
    for _ in 0..cases::count() {
        let [a, b] = [(); 2].map(|()| numbers.below(60) as u32);
        let key = (a.min(b), a.max(b));
        let at = list.binary_search_by_key(&key, |entry| entry.0);
        match numbers.below(40) {
            0 => {
                cache.remove_body(a);
                list.retain(|entry| entry.0.0 != a && entry.0.1 != a);
            }
            1..20 if a != b => {
                let witness = Witness::new(Feature::Vertex(VertexId(a)), Feature::Vertex(VertexId(b)));
                cache.set(a, b, witness);
                let stored = if a > b { witness.swapped() } else { witness };
                match at {
                    Ok(at) => list[at].1 = stored,
                    Err(at) => list.insert(at, (key, stored)),
                }
            }
            _ => {
                let expected = at.ok().map(|at| if a > b { list[at].1.swapped() } else { list[at].1 });
                assert_eq!(cache.get(a, b), expected);
            }
        }
        assert_eq!(cache.len(), list.len());
    }
}

#[test]
fn a_cache_begins_where_the_last_query_ended() {
    let (hull, query) = (Polytope::<f64>::random_on_sphere(300, 1.0, 5).unwrap(), VClip::default());
    let mut cache = WitnessCache::default();
    let mut steps = [0; 2];
    for frame in 0..100 {
        let t = f64::from(frame) * 0.002;
        let relative_pose =
            Pose::new(DVec3::new(2.5 - t, t, 0.0), Rotation::from_rotation_vector(DVec3::splat(t)));
        let ids = if frame % 2 == 0 { [4, 9] } else { [9, 4] };
        let at = if frame % 2 == 0 { relative_pose } else { relative_pose.inverse() };
        let answer = cache.solve(&query, ids, [&hull, &hull], &at);
        let cold = query.solve(&hull, &hull, &at, Witness::VERTICES);
        assert!((answer.features.distance - cold.features.distance).abs() < 1e-12);
        assert_eq!(answer.status, VClipStatus::Separated);
        steps[0] += answer.steps;
        steps[1] += cold.steps;
        cache.advance();
    }
    assert_eq!((cache.counters().hits, cache.counters().misses), (99, 1));
    assert!(steps[0] * 4 < steps[1], "{steps:?}");
}

/// The thesis sees overlapping bodies, one of them spinning across the contact normal, held
/// together by contacts that change with the witness. With the true depth each push parts them.
#[test]
fn a_spinning_prism_is_pushed_out() {
    let (block, prism, query) = (cube(1.0), Polytope::<f64>::prism(5, 1.0, 1.0).unwrap(), VClip::default());
    let (mut witness, mut at, mut last) = (Witness::default(), DVec3::new(0.3, 0.6, 0.1), f64::INFINITY);
    for frame in 0..200 {
        let rotation =
            Rotation::about_axis(DVec3::Y, 0.2 * f64::from(frame)) * Rotation::about_axis(DVec3::X, 0.05);
        let near = query.proximity(&block, &prism, &Pose::new(at, rotation), &mut witness);
        if near.distance > 0.0 {
            assert!(frame > 5 && near.normal.y > 0.9, "out through the top: {near:?}");
            return;
        }
        assert!(-near.distance < last + 0.05, "frame {frame}: {last} and then {near:?}");
        last = -near.distance;
        at += near.normal * (0.2 * last + 0.001);
    }
    panic!("still {last} deep");
}
