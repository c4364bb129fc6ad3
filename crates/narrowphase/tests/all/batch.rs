//! Batches: every width gives the same bits, and what the closed forms say.

use carom_core::simd::{SimdFloat, f32x4, f32x8};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cuboid, Sphere};
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Proximity;
use carom_narrowphase::alternatives::batch::{self, BatchHit, Capsules, Cuboids, Spheres};
use carom_narrowphase::analytic;
use glam::Vec3;

use crate::cases::{self, Numbers};

const MARGIN: f32 = 0.1;

/// Bodies of all kinds in one set of columns, some of them awkward, far from the origin.
struct World {
    positions: Vec<Vec3>,
    rotations: Vec<Rotation>,
    radii: Vec<f32>,
    capsules: Vec<Capsule>,
    half: Vec<Vec3>,
    pairs: Vec<(u32, u32)>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let count = 300;
        let mut world = Self {
            positions: vec![],
            rotations: vec![],
            radii: vec![],
            capsules: vec![],
            half: vec![],
            pairs: vec![],
        };
        for _ in 0..count {
            let pose = numbers.pose(3.0).to::<f32>();
            world.positions.push(pose.translation + Vec3::splat(1000.0));
            world.rotations.push(pose.rotation);
            let mut size = || if numbers.below(9) == 0 { 0.0 } else { numbers.between(0.1, 1.0) as f32 };
            world.radii.push(size());
            world.half.push(Vec3::new(size(), size(), size()));
            world.capsules.push(Capsule::along_z(size(), size()).unwrap());
        }
        for _ in 0..cases::count() {
            world.pairs.push((numbers.below(count) as u32, numbers.below(count) as u32));
        }
        world
    }

    fn spheres(&self) -> Spheres<'_> {
        Spheres { positions: &self.positions, radii: &self.radii }
    }

    fn capsules(&self) -> Capsules<'_> {
        Capsules { positions: &self.positions, rotations: &self.rotations, capsules: &self.capsules }
    }

    fn cuboids(&self) -> Cuboids<'_> {
        Cuboids { positions: &self.positions, rotations: &self.rotations, half: &self.half }
    }

    /// The second of a pair in the frame of the first, whose rotation is given.
    fn pose(&self, (i, j): (u32, u32), rotation: Rotation, other: Rotation) -> Pose {
        let way = self.positions[j as usize] - self.positions[i as usize];
        Pose::new(rotation.rotate_back(way), rotation.inverse() * other)
    }
}

fn bits(hits: &[BatchHit]) -> Vec<[u32; 11]> {
    let bits = |v: Vec3| v.to_array().map(f32::to_bits);
    let row = |h: &BatchHit| {
        let ([a, b, c], [d, e, f], [g, h_, i]) = (bits(h.normal), bits(h.arm_a), bits(h.arm_b));
        [h.pair, h.separation.to_bits(), a, b, c, d, e, f, g, h_, i]
    };
    hits.iter().map(row).collect()
}

/// All widths agree to the bit; returns the hits.
fn widths(run: impl Fn(u8, &mut Vec<BatchHit>)) -> Vec<BatchHit> {
    let [mut one, mut four, mut eight] = [vec![], vec![], vec![]];
    run(1, &mut one);
    run(4, &mut four);
    run(8, &mut eight);
    assert!(bits(&one) == bits(&four) && bits(&one) == bits(&eight));
    assert!(one.len() > 10, "{}", one.len());
    one
}

macro_rules! at_width {
    ($width:expr, $function:ident, $($argument:expr),*) => {
        match $width {
            1 => batch::$function::<f32>($($argument),*),
            4 => batch::$function::<f32x4>($($argument),*),
            _ => batch::$function::<f32x8>($($argument),*),
        }
    };
}

/// The hits are those pairs whose closed form is within the speculative distance, with the same
/// numbers but for rounding.
fn compare(world: &World, hits: &[BatchHit], analytic: impl Fn((u32, u32)) -> (Proximity, Rotation)) {
    let mut next = hits.iter().peekable();
    for (index, &pair) in world.pairs.iter().enumerate() {
        let (found, rotation) = analytic(pair);
        let hit = next.next_if(|h| h.pair == index as u32);
        let Some(hit) = hit else {
            assert!(found.distance > MARGIN - 1e-5, "pair {index} {pair:?} is missing: {found:?}");
            continue;
        };
        assert!((hit.separation - found.distance).abs() < 1e-5, "{hit:?} {found:?}");
        assert!((hit.normal.length() - 1.0).abs() < 1e-6);
        let way = world.positions[pair.1 as usize] - world.positions[pair.0 as usize];
        let gap = (way + hit.arm_b - hit.arm_a) - hit.normal * hit.separation;
        assert!(gap.length() < 1e-5, "{hit:?} {found:?}");
        // Ties (the middle of a box, parallel axes) may be resolved either way; elsewhere the
        // normals agree.
        let normal = rotation.rotate(found.normal);
        assert!((hit.normal - normal).length() < 1e-3 || hit.separation < 0.0, "{hit:?} {found:?}");
    }
    assert!(next.next().is_none());
}

#[test]
fn spheres_and_spheres() {
    let world = World::new(1);
    let hits = widths(|w, hits| {
        at_width!(w, sphere_sphere, &world.spheres(), &world.spheres(), &world.pairs, MARGIN, hits);
    });
    compare(&world, &hits, |(i, j)| {
        let (a, b) = (world.radii[i as usize], world.radii[j as usize]);
        let pose = world.pose((i, j), Rotation::IDENTITY, Rotation::IDENTITY);
        (analytic::sphere_sphere(&Sphere { radius: a }, &Sphere { radius: b }, &pose), Rotation::IDENTITY)
    });
}

#[test]
fn capsules_and_spheres() {
    let world = World::new(2);
    let hits = widths(|w, hits| {
        at_width!(w, capsule_sphere, &world.capsules(), &world.spheres(), &world.pairs, MARGIN, hits);
    });
    compare(&world, &hits, |(i, j)| {
        let rotation = world.rotations[i as usize];
        let pose = world.pose((i, j), rotation, Rotation::IDENTITY);
        let sphere = Sphere { radius: world.radii[j as usize] };
        (analytic::capsule_sphere(&world.capsules[i as usize], &sphere, &pose), rotation)
    });
}

#[test]
fn capsules_and_capsules() {
    let world = World::new(3);
    let hits = widths(|w, hits| {
        at_width!(w, capsule_capsule, &world.capsules(), &world.capsules(), &world.pairs, MARGIN, hits);
    });
    compare(&world, &hits, |(i, j)| {
        let (rotation, other) = (world.rotations[i as usize], world.rotations[j as usize]);
        let pose = world.pose((i, j), rotation, other);
        let (a, b) = (&world.capsules[i as usize], &world.capsules[j as usize]);
        (analytic::capsule_capsule(a, b, &pose), rotation)
    });
}

#[test]
fn boxes_and_spheres() {
    let world = World::new(4);
    let hits = widths(|w, hits| {
        at_width!(w, cuboid_sphere, &world.cuboids(), &world.spheres(), &world.pairs, MARGIN, hits);
    });
    compare(&world, &hits, |(i, j)| {
        let rotation = world.rotations[i as usize];
        let pose = world.pose((i, j), rotation, Rotation::IDENTITY);
        let sphere = Sphere { radius: world.radii[j as usize] };
        (analytic::cuboid_sphere(&Cuboid { half: world.half[i as usize] }, &sphere, &pose), rotation)
    });
}

/// One box with many spheres is as each of the pairs.
#[test]
fn a_box_and_spheres() {
    let mut world = World::new(4);
    let list: Vec<u32> = world.pairs.iter().map(|&(_, j)| j).collect();
    for i in 0..20u32 {
        let rotation = world.rotations[i as usize];
        let half = world.half[i as usize];
        let pose = Pose::new(world.positions[i as usize], rotation);
        let hits = widths(|w, hits| {
            at_width!(w, cuboid_spheres, half, &pose, &world.spheres(), &list, MARGIN, hits);
        });
        world.pairs = list.iter().map(|&j| (i, j)).collect();
        compare(&world, &hits, |(i, j)| {
            let pose = world.pose((i, j), rotation, Rotation::IDENTITY);
            let sphere = Sphere { radius: world.radii[j as usize] };
            (analytic::cuboid_sphere(&Cuboid { half }, &sphere, &pose), rotation)
        });
    }
}

#[test]
fn triangles_and_a_sphere() {
    let mut numbers = Numbers(5);
    let mut corner = || {
        let v = if numbers.below(4) == 0 { numbers.vector(2.0).map(f64::round) } else { numbers.vector(2.0) };
        v.as_vec3()
    };
    let triangles: Vec<Triangle> =
        (0..cases::count() / 10).map(|_| Triangle::new(corner(), corner(), corner())).collect();
    for _ in 0..10 {
        let centre = numbers.vector(1.5).as_vec3();
        let radius = numbers.between(0.1, 1.0) as f32;
        let hits = widths(|w, hits| {
            at_width!(w, triangles_sphere, &triangles, centre, radius, MARGIN, hits);
        });
        let mut next = hits.iter().peekable();
        for (index, triangle) in triangles.iter().enumerate() {
            let found = analytic::triangle_sphere(triangle, &Sphere { radius }, &Pose::at(centre));
            let Some(hit) = next.next_if(|h| h.pair == index as u32) else {
                assert!(found.distance > MARGIN - 1e-5, "triangle {index}: {found:?}");
                continue;
            };
            assert!((hit.separation - found.distance).abs() < 1e-5, "{triangle:?} {hit:?} {found:?}");
            assert!((hit.normal - found.normal).length() < 1e-3 || found.distance < 1e-3 - radius);
            assert!((centre + hit.arm_a - found.on_a).length() < 1e-4 || found.distance < 1e-3 - radius);
        }
        assert!(next.next().is_none());
    }
}

#[test]
fn nothing_is_allocated_for_nothing_and_old_hits_stay() {
    let world = World::new(6);
    let mut hits = vec![];
    batch::sphere_sphere::<f32x8>(&world.spheres(), &world.spheres(), &[], MARGIN, &mut hits);
    assert_eq!(hits.capacity(), 0);
    batch::sphere_sphere::<f32x8>(&world.spheres(), &world.spheres(), &[(0, 0)], MARGIN, &mut hits);
    let (first, pose) = (hits.clone(), hits.as_ptr());
    assert_eq!((first.len(), first[0].pair), (1, 0));
    batch::sphere_sphere::<f32x4>(&world.spheres(), &world.spheres(), &[(0, 0)], MARGIN, &mut hits);
    assert!(hits.len() == 2 && hits[0] == hits[1] && hits.as_ptr() == pose);
    assert_eq!(<f32x8 as SimdFloat>::WIDTH, 8);
}
