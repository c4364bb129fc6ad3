//! Contacts with known answers, each quirk kept and fixed, and an independent check by sampling.

use super::*;
use proptest::prelude::*;

fn ball(centre: [f32; 3], radius: f32) -> Posed {
    Posed::Ball(Ball { centre: centre.into(), radius })
}

fn capsule(centre: [f32; 3], axis: [f32; 3], radius: f32, length: f32) -> Posed {
    let axis = normalised(Vec3::from(axis)).unwrap();
    Posed::Capsule(Capsule { centre: centre.into(), axis, radius, length })
}

fn floor(length: f32, width: f32) -> Posed {
    Posed::Tile(Tile { centre: Vec3::ZERO, normal: Vec3::Y, along: Vec3::X, across: Vec3::Z, length, width })
}

fn hit(a: &Posed, b: &Posed) -> FingsicsContact {
    collide(a, b, Quirks::FIXED).expect("they touch")
}

fn near(a: Vec3, b: [f32; 3]) -> bool {
    (a - Vec3::from(b)).abs().max_element() < 1e-5
}

#[test]
fn balls_touch_along_the_line_of_centres() {
    let c = hit(&ball([0.0; 3], 1.0), &ball([1.5, 0.0, 0.0], 1.0));
    assert!(near(c.normal, [1.0, 0.0, 0.0]) && near(c.point, [0.75, 0.0, 0.0]));
    assert_eq!(c.depth, 0.5);
    assert_eq!(
        collide(&ball([0.0; 3], 1.0), &ball([2.0, 0.0, 0.0], 1.0), Quirks::FIXED),
        None,
        "touching is apart"
    );
}

#[test]
fn coincident_centres_give_a_finite_contact() {
    let c = hit(&ball([1.0; 3], 1.0), &ball([1.0; 3], 0.5));
    assert!(c.normal.is_finite() && c.depth == 1.5);
    let c = hit(&ball([0.0; 3], 0.5), &capsule([0.0; 3], [0.0, 0.0, 1.0], 0.5, 2.0));
    assert!((c.normal.length() - 1.0).abs() < 1e-6 && c.normal.z.abs() < 1e-6, "across the axis");
    let c = hit(&ball([0.0, 0.0, 1.0], 0.5), &floor(2.0, 2.0));
    assert!(c.normal.is_finite(), "a centre exactly on an edge");
}

#[test]
fn a_ball_meets_side_and_ends_of_a_capsule() {
    let long = capsule([0.0; 3], [0.0, 0.0, 1.0], 0.5, 4.0);
    let side = hit(&ball([0.8, 0.0, 1.0], 0.5), &long);
    assert!(near(side.normal, [-1.0, 0.0, 0.0]) && (side.depth - 0.2).abs() < 1e-6);
    let end = hit(&long, &ball([0.0, 0.0, 2.9], 0.5));
    assert!(near(end.normal, [0.0, 0.0, 1.0]) && (end.depth - 0.1).abs() < 1e-6);
}

#[test]
fn crossed_capsules_touch_between_their_axes() {
    let a = capsule([0.0; 3], [1.0, 0.0, 0.0], 0.5, 4.0);
    let b = capsule([0.5, 0.9, 0.3], [0.0, 0.0, 1.0], 0.5, 4.0);
    let c = hit(&a, &b);
    assert!(
        near(c.normal, [0.0, 1.0, 0.0]) && near(c.point, [0.5, 0.45, 0.0]) && (c.depth - 0.1).abs() < 1e-6
    );
    let flipped = hit(&b, &a);
    assert!(near(flipped.normal, [0.0, -1.0, 0.0]));
}

#[test]
fn parallel_capsules_touch_in_the_middle_of_what_they_share() {
    let a = capsule([0.0; 3], [0.0, 0.0, 1.0], 0.5, 4.0);
    let b = capsule([0.8, 0.0, 3.0], [0.0, 0.0, 1.0], 0.5, 4.0);
    let c = hit(&a, &b);
    assert!(near(c.normal, [1.0, 0.0, 0.0]) && (c.point.z - 1.5).abs() < 1e-5, "shared part is z 1..2");
}

#[test]
fn the_shorter_of_two_parallel_capsules_is_pushed_away_or_pulled_in_as_asked() {
    let a = capsule([0.0; 3], [0.0, 0.0, 1.0], 0.5, 4.0);
    let short = capsule([0.8, 0.0, 0.0], [0.0, 0.0, 1.0], 0.5, 1.0);
    let normal = |quirks| collide(&a, &short, quirks).unwrap().normal;
    assert!(near(normal(Quirks::FIXED), [1.0, 0.0, 0.0]));
    assert!(near(normal(Quirks::KEPT), [-1.0, 0.0, 0.0]));
}

#[test]
fn the_nine_regions_of_a_tile() {
    let tile = floor(4.0, 2.0);
    let at = |p: [f32; 3]| collide(&tile, &ball(p, 0.5), Quirks::FIXED);
    let face = at([0.5, 0.4, 0.2]).unwrap();
    assert!(near(face.normal, [0.0, 1.0, 0.0]) && (face.depth - 0.1).abs() < 1e-6);
    assert!(near(at([0.5, -0.4, 0.2]).unwrap().normal, [0.0, -1.0, 0.0]), "two-sided");
    assert!(near(at([0.0, 0.0, 1.3]).unwrap().normal, [0.0, 0.0, 1.0]), "edge along x");
    assert!(near(at([-2.4, 0.0, 0.3]).unwrap().normal, [-1.0, 0.0, 0.0]), "edge along z");
    let corner = at([2.3, 0.0, -1.41]);
    assert!(corner.is_none(), "the corner itself is half a metre away");
    let corner = at([2.2, 0.1, -1.2]).unwrap();
    assert!(near(corner.point, [2.0, 0.0, -1.0]), "corner");
    assert_eq!(at([0.0, 0.6, 0.0]), None);
}

#[test]
fn a_lying_capsule_touches_a_tile_with_both_ends() {
    let c = hit(&floor(10.0, 10.0), &capsule([0.0, 0.4, 0.0], [1.0, 0.0, 0.0], 0.5, 2.0));
    assert!(near(c.normal, [0.0, 1.0, 0.0]) && c.point.x.abs() < 1e-6 && (c.depth - 0.1).abs() < 1e-6);
}

#[test]
fn one_end_on_the_face_and_the_middle_on_the_edge() {
    // The capsule comes in over the edge x = 5, its lower end on the face.
    let tile = floor(10.0, 10.0);
    let tilted = capsule([4.0, 0.45, 0.0], [1.0, 0.05, 0.0], 0.5, 4.0);
    let kept = collide(&tile, &tilted, Quirks::KEPT).unwrap();
    let fixed = collide(&tile, &tilted, Quirks::FIXED).unwrap();
    assert!(kept.point.x > 4.9, "the edge wins in Fingsics");
    assert!(fixed.point.x < 3.0 && near(fixed.normal, [0.0, 1.0, 0.0]), "the face wins when fixed");
}

#[test]
fn a_capsule_along_an_edge_far_from_the_origin_needs_the_right_projection() {
    let mut tile = floor(4.0, 4.0);
    tile.place(Vec3::new(100.0, 0.0, 0.0), &RowMatrix::IDENTITY);
    // Along the edge x = 102, just outside it, its ends beyond the corners.
    let beside = capsule([102.3, 0.0, 0.0], [0.0, 0.0, 1.0], 0.5, 6.0);
    let away = capsule([102.3, 0.0, 50.0], [0.0, 0.0, 1.0], 0.5, 6.0);
    assert!(collide(&tile, &beside, Quirks::FIXED).is_some());
    assert!(collide(&tile, &away, Quirks::FIXED).is_none());
    assert!(
        collide(&tile, &away, Quirks::KEPT).is_some(),
        "measured from the world's origin it seems beside"
    );
}

#[test]
fn tiles_never_collide() {
    assert_eq!(collide(&floor(1.0, 1.0), &floor(2.0, 2.0), Quirks::FIXED), None);
    assert_eq!(PairKind::of(&floor(1.0, 1.0), &floor(2.0, 2.0)), None);
}

/// Distance of a point to a shape's core (centre or axis segment).
fn distance_to_core(p: Vec3, shape: &Posed) -> f32 {
    match shape {
        Posed::Ball(b) => (p - b.centre).length(),
        Posed::Capsule(c) => {
            let t = (p - c.centre).dot(c.axis).clamp(-c.length / 2.0, c.length / 2.0);
            (p - c.centre - c.axis * t).length()
        }
        Posed::Tile(_) => unreachable!("only round shapes are sampled"),
    }
}

fn radius(shape: &Posed) -> f32 {
    match shape {
        Posed::Ball(b) => b.radius,
        Posed::Capsule(c) => c.radius,
        Posed::Tile(_) => 0.0,
    }
}

/// Distance of two cores by dense sampling of the first.
fn core_distance(a: &Posed, b: &Posed) -> f32 {
    let (start, end) = match a {
        Posed::Capsule(c) => (c.negative_end(), c.positive_end()),
        Posed::Ball(ball) => (ball.centre, ball.centre),
        Posed::Tile(_) => unreachable!(),
    };
    (0..=400).map(|k| distance_to_core(start.lerp(end, k as f32 / 400.0), b)).fold(f32::INFINITY, f32::min)
}

fn round_shape() -> impl Strategy<Value = Posed> {
    let centre = || prop::array::uniform3(-1.5f32..1.5);
    let axis =
        prop::array::uniform3(-1.0f32..1.0).prop_filter("a direction", |v| Vec3::from(*v).length() > 0.1);
    prop_oneof![
        (centre(), 0.2f32..0.8).prop_map(|(c, r)| ball(c, r)),
        (centre(), axis, 0.2f32..0.8, 0.0f32..2.5).prop_map(|(c, a, r, l)| capsule(c, a, r, l)),
    ]
}

proptest! {

    /// The case list never reports a contact of shapes that are clearly apart, and its contacts are
    /// unit and mirrored.
    #[test]
    fn contacts_are_real(a in round_shape(), b in round_shape()) {
        let reach = radius(&a) + radius(&b);
        let distance = core_distance(&a, &b);
        let contact = collide(&a, &b, Quirks::FIXED);
        if distance > reach + 0.02 {
            prop_assert_eq!(contact, None);
        }
        if let Some(contact) = contact {
            prop_assert!((contact.normal.length() - 1.0).abs() < 1e-4);
            prop_assert!(contact.point.is_finite() && contact.depth > 0.0 && contact.depth <= reach);
            // The case list has gaps (an end against an end picked by the far side), so the mirror
            // may be a miss, but it never points the same way.
            if let Some(mirror) = collide(&b, &a, Quirks::FIXED) {
                prop_assert!(mirror.normal.dot(contact.normal) < 0.5);
            }
        }
    }

    /// Balls against capsules have no gaps: the answer is that of the distance.
    #[test]
    fn balls_and_capsules_agree_with_distance(
        centre in prop::array::uniform3(-2.0f32..2.0),
        r in 0.2f32..0.8,
        length in 0.1f32..2.5,
    ) {
        let (a, b) = (ball(centre, r), capsule([0.0; 3], [1.0, 2.0, 3.0], 0.4, length));
        let gap = distance_to_core(centre.into(), &b) - (r + 0.4);
        prop_assume!(gap.abs() > 1e-4);
        prop_assert_eq!(collide(&a, &b, Quirks::FIXED).is_some(), gap < 0.0);
    }
}
