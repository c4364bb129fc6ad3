//! Closed forms where long runs found them wrong once.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Sphere, Tile};
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Proximity;
use carom_narrowphase::analytic::{
    capsule_capsule, cone_sphere, cuboid_capsule, cuboid_cuboid, tile_capsule, triangle_cuboid,
    triangle_sphere, triangle_triangle,
};
use carom_narrowphase::oracle::{OracleShape, certify};
use glam::{DVec3, Vec3};

use crate::analytic::{extent, widened};

/// A vector of numbers that single precision holds.
fn at([x, y, z]: [f32; 3]) -> DVec3 {
    Vec3::new(x, y, z).as_dvec3()
}

fn placed(translation: [f32; 3], [x, y, z, w]: [f32; 4]) -> Pose {
    Pose::new(Vec3::from_array(translation), Rotation { xyz: Vec3::new(x, y, z), w })
}

/// As in a long run: the answer in single precision, checked in double.
fn passes(a: &impl OracleShape, b: &impl OracleShape, pose: &Pose, answer: &Proximity) {
    let size = extent(a) + extent(b) + pose.translation.as_dvec3().length();
    let verdict = certify(a, b, &pose.to::<f64>(), &widened(answer), 1e-5 * size.max(1e-3));
    assert!(verdict.is_ok(), "{verdict:?} {answer:?}");
}

/// Long runs found these: a segment parallel to a face but for rounding, beside the edge whose
/// direction is as good as that of the face; one that is over a tile by rounding only; one through
/// a box that is a point; a tiny one beside a tile.
#[test]
fn segments_parallel_to_faces_have_points_of_both() {
    let shape = Cuboid::new(DVec3::new(1.262_403_488_159_179_7, 1.242_349_386_215_21, 1.0)).unwrap();
    let rod = Capsule::along_z(1.5, 0.605_625_808_238_983_2).unwrap();
    let rotation =
        Rotation { xyz: DVec3::new(-0.382_683_441_425_785_4, 0.0, 0.923_879_528_758_223_7), w: 0.0 };
    let pose = Pose::new(
        DVec3::new(-0.240_647_181_868_553_16, -0.462_752_342_224_121_1, -0.041_476_286_947_727_2),
        rotation,
    );
    assert_eq!(certify(&shape, &rod, &pose, &cuboid_capsule(&shape, &rod, &pose), 4e-9), Ok(()));

    let point = Cuboid::new(DVec3::ZERO).unwrap();
    let rod = Capsule::along_z(0.5, 1.5).unwrap();
    let pose = placed(
        [0.0, 0.110_759_065, -0.110_759_065],
        [-0.653_281_5, -0.653_281_5, -0.270_598_05, 0.270_598_05],
    );
    passes(&point, &rod, &pose, &cuboid_capsule(&point.to::<f32>(), &rod.to::<f32>(), &pose));

    let tile = |x: f32, z: f32| Tile::new(f64::from(x), f64::from(z)).unwrap();
    let upright = |half: f32, radius: f32| Capsule::along_z(f64::from(half), f64::from(radius)).unwrap();
    let leaning =
        Capsule::new(DVec3::new(-2.0, 0.0, -1.0), DVec3::new(1.0, 1.0, -1.0), 0.998_779_594_898_223_9);
    for (tile, rod, pose) in [
        (
            tile(1.408_547_8, 1.919_770_5),
            leaning.unwrap(),
            placed(
                [0.182_584_18, -0.559_683_26, -1.914_095],
                [0.653_281_5, -0.270_598_05, -0.653_281_5, 0.270_598_05],
            ),
        ),
        (
            tile(1.5, 1.0),
            upright(0.400_185_6, 0.240_199_6),
            placed([0.709_932_1, 0.0, -1.419_864_2], [3.607_109e-7, 1.044_147_24e-7, -2.197_713_7e-7, 1.0]),
        ),
        (
            tile(1.175_136_4, 1.347_771_8),
            upright(1e-4, 0.5),
            placed([1.207_197_8, 0.0, 0.603_598_9], [-0.538_91, 0.237_765_12, 0.552_753_2, -0.589_497_8]),
        ),
    ] {
        passes(&tile, &rod, &pose, &tile_capsule(&tile.to::<f32>(), &rod.to::<f32>(), &pose));
    }
}

/// Long runs found these: places on a segment or triangle that are equally near but for rounding,
/// with other normals.
#[test]
fn normals_are_those_of_the_nearest_points_where_distances_tie() {
    let rod = |a: [f32; 3], b: [f32; 3], radius: f32| Capsule::new(at(a), at(b), f64::from(radius)).unwrap();
    let point = [0.013_313_691, -1.484_556_2, 0.457_017_24];
    for (a, b, pose) in [
        (
            rod([2.0, 0.0, 1.0], [-31.528_633, 8.734_413, 8.232], 1.0),
            rod(point, point, 0.127_034_28),
            placed(
                [10.061_778, 19.568_628, 18.000_044],
                [-0.146_446_62, 0.353_553_38, -0.853_553_4, -0.353_553_38],
            ),
        ),
        (
            rod([1.259_992_4, 0.157_173_68, 0.778_790_9], [1.259_992_4, 0.157_173_68, 0.778_790_9], 0.5),
            rod([1.055_349_2, -0.111_099_19, -0.358_070_4], [0.121_887_32, 0.110_222_15, 0.826_568_1], 0.5),
            placed(
                [0.793_479_44, -1.586_958_9, -1.586_958_9],
                [-0.458_115_73, 0.655_285, -0.580_457_2, 0.154_275_69],
            ),
        ),
        (
            rod([1.0, -2.0, 1.0], [-1.0, -2.0, -1.0], 1e-4),
            rod([0.0, 0.0, -1e-4], [0.0, 0.0, 1e-4], 1.0),
            placed([-0.902_982_4, 0.109_893_1, 0.410_477_2], [0.0, 0.923_879_56, 0.0, -0.382_683_46]),
        ),
    ] {
        passes(&a, &b, &pose, &capsule_capsule(&a.to::<f32>(), &b.to::<f32>(), &pose));
    }
    let triangle = |a, b, c| Triangle::new(at(a), at(b), at(c));
    for (triangle, radius, centre) in [
        (
            triangle(
                [0.059_361_7, -1.004_882_2, 1.215_657_5],
                [-0.222_452_22, 1.364_911_3, 0.147_393_52],
                [-0.381_560_77, 1.137_659_7, 0.141_860_59],
            ),
            1.602_045_4f32,
            [0.404_551_48, 0.052_342_076, -0.649_897_46],
        ),
        (
            triangle(
                [0.0, 0.0, -2.0],
                [1.047_579_4, 1.407_391, -0.928_503],
                [1.048_607, 1.408_808_4, -0.927_441_5],
            ),
            1.072_290_1,
            [-0.421_986_97, 0.140_662_33, -0.421_986_97],
        ),
    ] {
        let ball = Sphere::new(f64::from(radius)).unwrap();
        let pose = placed(centre, [0.0, 0.0, 0.0, 1.0]);
        passes(&triangle, &ball, &pose, &triangle_sphere(&triangle.to::<f32>(), &ball.to::<f32>(), &pose));
    }
    let beam = |x: f32, y: f32, z: f32| Cuboid::new(at([x, y, z])).unwrap();
    let (a, b) = (beam(1.0, 1.257_246_7, 1.643_576_3), beam(1.625_736_5, 20.0, 1.471_042_5));
    let pose = placed(
        [-12.363_822, -9.500_392, 10.223_156],
        [0.305_269_66, -0.425_827_65, -0.843_122_4, -0.120_937_06],
    );
    passes(&a, &b, &pose, &cuboid_cuboid(&a.to::<f32>(), &b.to::<f32>(), &pose));
}

/// Long runs found these: edges so nearly parallel that projections to and fro creep.
#[test]
fn shapes_that_overlap_by_nearly_parallel_edges_have_points_of_both() {
    let triangle = |a, b, c| Triangle::new(at(a), at(b), at(c));
    let (a, b) = (
        triangle(
            [-2.0, 0.0, -1.0],
            [1.021_632_8, -0.055_911_344, -0.522_484_66],
            [0.389_545_68, 0.339_510_17, -0.877_194_34],
        ),
        Cuboid::new(at([0.872_416_14, 0.893_448_77, 1.0])).unwrap(),
    );
    let pose =
        placed([0.0, 0.197_123_51, 0.394_247_03], [0.746_736_5, 0.121_125_36, 0.614_360_6, 0.224_219_43]);
    passes(&a, &b, &pose, &triangle_cuboid(&a.to::<f32>(), &b.to::<f32>(), &pose));
    let (a, b) = (
        triangle(
            [-0.888_548_3, -0.773_565_95, -0.812_707_96],
            [-0.561_262_6, 1.477_174_9, 1.363_158_1],
            [-0.504_168_9, 0.334_264_13, 0.308_175_38],
        ),
        triangle(
            [-0.186_013_25, -0.932_796_8, 0.312_345_45],
            [-0.920_516_2, 1.425_56, 1.381_649_3],
            [0.906_516_13, 1.084_628_3, 0.876_464_1],
        ),
    );
    let pose = placed(
        [-0.492_301_4, -0.040_853_925, -0.382_725_83],
        [3.621_719_5e-8, 1.571_556_8e-7, -3.861_687_5e-7, 1.0],
    );
    passes(&a, &b, &pose, &triangle_triangle(&a.to::<f32>(), &b.to::<f32>(), &pose));
}

/// A cone without radius is a segment, and its tip is nearest to what is beyond it.
#[test]
fn a_ball_beyond_the_tip_of_a_needle_is_outside() {
    let (cone, ball) = (Cone::new(0.5f32, 0.0).unwrap(), Sphere::new(0.851_236_8).unwrap());
    for (height, expected) in [(4.0, 3.5), (-4.0, 3.5), (0.25, 0.0)] {
        let found = cone_sphere(&cone, &ball, &Pose::at(Vec3::new(0.0, 0.0, height)));
        assert!((found.distance - (expected - 0.851_236_8)).abs() < 1e-6, "{found:?}");
    }
}
