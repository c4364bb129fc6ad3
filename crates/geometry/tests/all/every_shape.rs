//! The enum over all shapes, and compounds: boxes, rays and masses against the parts they are made
//! of.

use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::{Ray, Triangle};
use carom_geometry::shape::{
    Bounded, Capsule, Child, Compound, CompoundError, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, RayCast,
    Shape, ShapeMassError, Sphere, Tile,
};
use carom_geometry::{Aabb, HeightField, Pose, Rotation};
use glam::Vec3;
use proptest::prelude::*;

/// One shape of every kind but compounds and half-spaces.
fn zoo() -> Vec<Shape> {
    let points: Vec<Vec3> = (0..24)
        .map(|k| Vec3::new((k * 7 % 11) as f32 * 0.1, (k * 5 % 13) as f32 * 0.12, (k * 3 % 17) as f32 * 0.07))
        .collect();
    let (vertices, triangles) = generate::torus(0.8, 0.3, 12, 8);
    let heights = (0..20).map(|k| (k * 7 % 5) as f32 * 0.2).collect();
    vec![
        Sphere::new(0.7).unwrap().into(),
        Capsule::new(Vec3::new(0.1, 0.2, -0.5), Vec3::new(-0.3, 0.9, 0.4), 0.25).unwrap().into(),
        Tile::new(0.8, 0.5).unwrap().into(),
        Cuboid::new(Vec3::new(0.5, 0.9, 0.3)).unwrap().into(),
        Cylinder::new(0.6, 0.4).unwrap().into(),
        Cone::new(0.7, 0.5).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.9, 0.3, 0.6)).unwrap().into(),
        Triangle::new(Vec3::new(-0.6, 0.1, 0.0), Vec3::new(0.7, -0.2, 0.3), Vec3::new(0.1, 0.8, -0.4)).into(),
        convex_hull(&points, &HullOptions::default()).unwrap().into(),
        Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap().into(),
        HeightField::new(5, 4, heights, [0.3, 0.4]).unwrap().into(),
    ]
}

/// Points that span the shape: its hull is theirs, up to the curvature between 10 000 directions.
fn surface(shape: &Shape) -> Vec<Vec3> {
    let directions = (0..10_000).map(|k| {
        let z = 1.0 - (2 * k + 1) as f32 / 10_000.0;
        let (sine, cosine) = (2.399_963_2 * k as f32).sin_cos();
        Vec3::new(cosine, sine, 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
    });
    match shape {
        Shape::Mesh(mesh) => mesh.vertices().to_vec(),
        Shape::HeightField(field) => {
            (0..field.triangle_count() as u32).flat_map(|t| field.triangle(t).corners()).collect()
        }
        Shape::Compound(compound) => compound
            .children()
            .iter()
            .flat_map(|c| surface(&c.shape).into_iter().map(|p| c.pose.apply(p)).collect::<Vec<_>>())
            .collect(),
        convex => {
            let support = convex.as_convex().unwrap();
            directions.map(|d| support.support(d)).collect()
        }
    }
}

fn pose() -> impl Strategy<Value = Pose> {
    (prop::array::uniform3(-3.0f32..3.0), prop::array::uniform4(-1.0f32..1.0))
        .prop_filter_map("no rotation", |(t, q)| Some(Pose::new(t.into(), Rotation::from_xyzw(q)?)))
}

/// Up to 40 children, so that the tree has several levels; now and then one is a compound itself.
fn compound() -> impl Strategy<Value = Compound> {
    let child = (0..zoo().len(), pose(), any::<bool>()).prop_map(|(kind, pose, nested)| {
        let shape = zoo().swap_remove(kind);
        let inner = Pose::at(Vec3::new(0.3, -0.2, 0.1));
        let shape = if nested {
            Compound::new(vec![
                Child { pose: inner, shape: shape.clone() },
                Child { pose: Pose::IDENTITY, shape },
            ])
            .unwrap()
            .into()
        } else {
            shape
        };
        Child { pose, shape }
    });
    prop::collection::vec(child, 1..40).prop_map(|children| Compound::new(children).unwrap())
}

fn close(a: &Aabb<3>, b: &Aabb<3>, tolerance: f32) -> bool {
    (0..3).all(|k| (a.min[k] - b.min[k]).abs() <= tolerance && (a.max[k] - b.max[k]).abs() <= tolerance)
}

#[test]
fn every_kind_has_a_tight_box_in_every_pose() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    for shape in zoo() {
        let points = surface(&shape);
        for _ in 0..50 {
            let q = [(); 4].map(|()| random());
            let pose = Pose::new(Vec3::new(random(), random(), random()), Rotation::from_xyzw(q).unwrap());
            let bounds = shape.aabb_at(&pose);
            let spanned = Aabb::of_points(points.iter().map(|p| pose.apply(*p)));
            assert!(
                bounds.grown(1e-5).contains(&spanned),
                "{} sticks out: {spanned:?} {bounds:?}",
                shape.name()
            );
            // 10 000 directions are 0.02 rad apart, which leaves some 2e-4 of the radius of
            // curvature.
            assert!(close(&bounds, &spanned, 5e-4), "{} is loose: {spanned:?} {bounds:?}", shape.name());
        }
        assert!(close(&shape.aabb(), &shape.aabb_at(&Pose::IDENTITY), 1e-6), "{}", shape.name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, ..ProptestConfig::default() })]

    #[test]
    fn the_box_of_a_compound_is_the_union_of_its_childrens(compound in compound(), pose in pose()) {
        let children = compound.children();
        let all = children.iter().fold(Aabb::EMPTY, |b, c| b.union(&c.shape.aabb_at(&(pose * c.pose))));
        prop_assert_eq!(compound.aabb_at(&pose), all);
        let local = children.iter().fold(Aabb::EMPTY, |b, c| b.union(&c.shape.aabb_at(&c.pose)));
        prop_assert_eq!(compound.aabb(), local);
    }

    #[test]
    fn a_ray_meets_the_child_that_it_meets_first(
        compound in compound(), origin in prop::array::uniform3(-6.0f32..6.0), target in prop::array::uniform3(-3.0f32..3.0)
    ) {
        let origin = Vec3::from(origin);
        let ray = Ray::new(origin, Vec3::from(target) - origin);
        let mut first: Option<(u32, f32)> = None;
        for (index, child) in compound.children().iter().enumerate() {
            if let Some(hit) = child.shape.cast_ray_at(&child.pose, &ray, 2.0)
                && first.is_none_or(|(_, t)| hit.t < t)
            {
                first = Some((index as u32, hit.t));
            }
        }
        prop_assert_eq!(compound.cast(&ray, 2.0).map(|(child, hit)| (child, hit.t)), first);
    }

    #[test]
    fn a_region_names_the_children_whose_boxes_it_meets(
        compound in compound(), low in prop::array::uniform3(-4.0f32..3.0), size in prop::array::uniform3(0.0f32..2.0)
    ) {
        let region = Aabb::new(low, std::array::from_fn(|k| low[k] + size[k]));
        let mut found = Vec::new();
        compound.for_each_in_box(&region, |child| found.push(child));
        found.sort_unstable();
        let children = compound.children().iter().enumerate();
        let expected: Vec<u32> = children
            .filter(|(_, c)| c.shape.aabb_at(&c.pose).overlaps(&region))
            .map(|(k, _)| k as u32)
            .collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn masses_add_up_and_errors_name_the_child() {
    let half = Cuboid::new(Vec3::new(0.5, 1.0, 1.0)).unwrap();
    let at = |x: f32| Pose::at(Vec3::new(x, 0.0, 0.0));
    let child = |x: f32, shape: Shape| Child { pose: at(x), shape };
    let two = Compound::new(vec![child(-0.5, half.into()), child(0.5, half.into())]).unwrap();
    let both = two.mass_properties(3.0).unwrap();
    let one = Shape::from(Cuboid::cube(1.0).unwrap()).mass_properties(3.0).unwrap();
    assert!((both.mass - one.mass).abs() < 1e-5 && both.centre.length() < 1e-6);
    for k in 0..3 {
        assert!((both.inertia.columns[k] - one.inertia.columns[k]).length() < 1e-4);
    }
    let field = HeightField::new(2, 2, vec![0.0; 4], [1.0; 2]).unwrap();
    let with_ground = Compound::new(vec![child(0.0, half.into()), child(1.0, field.into())]).unwrap();
    let error = with_ground.mass_properties(1.0).unwrap_err();
    assert!(matches!(error, ShapeMassError::Child { child: 1, .. }), "{error}");
    assert!(error.to_string().contains("child 1: a height-field encloses no finite volume"), "{error}");
}

#[test]
fn polytopes_and_meshes_of_a_box_weigh_what_the_box_does() {
    let half = Vec3::new(0.5, 0.7, 0.9);
    let own = Shape::from(Cuboid::new(half).unwrap()).mass_properties(2.0).unwrap();
    let corners: Vec<Vec3> = (0..8).map(|k| Aabb::<3>::around(Vec3::ZERO, half).corner(k)).collect();
    let hull = Shape::from(convex_hull(&corners, &HullOptions::default()).unwrap());
    let (vertices, triangles) = generate::cuboid(half);
    let mesh = Shape::from(Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap());
    for shape in [hull, mesh] {
        let mass = shape.mass_properties(2.0).unwrap();
        assert!((mass.mass - own.mass).abs() < 1e-5 && (mass.centre - own.centre).length() < 1e-6);
    }
}

#[test]
fn impossible_compounds_are_refused() {
    let ball = || Shape::from(Sphere::new(1.0).unwrap());
    assert_eq!(Compound::new(Vec::new()).unwrap_err(), CompoundError::Empty);
    let lost = Child { pose: Pose::at(Vec3::new(f32::NAN, 0.0, 0.0)), shape: ball() };
    let fine = || Child { pose: Pose::IDENTITY, shape: ball() };
    assert_eq!(Compound::new(vec![fine(), lost]).unwrap_err(), CompoundError::NotFinite { child: 1 });
    let ground = Child { pose: Pose::IDENTITY, shape: HalfSpace.into() };
    assert_eq!(Compound::new(vec![ground]).unwrap_err(), CompoundError::Unbounded { child: 0 });
    let mut nested = ball();
    for depth in 1.. {
        match Compound::new(vec![Child { pose: Pose::IDENTITY, shape: nested.clone() }]) {
            Ok(compound) => nested = compound.into(),
            Err(error) => {
                assert_eq!((depth, error), (9, CompoundError::TooDeep { child: 0 }));
                break;
            }
        }
    }
}
