//! What is asked: two shapes, a question, and places of the second beside the first.
//!
//! Places come in trains: a random start, then small steps as bodies make them from frame to frame.
//! Cold contestants forget everything between queries, warm ones keep what they know along a train.

use std::fmt;
use std::sync::Arc;

use carom_core::random::SplitMix64;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use glam::{DVec3, Vec3};

use super::reference::Reference;

/// What is asked about each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Distance with closest points; 0 or less if they overlap.
    Distance,
    /// Do they touch?
    Touch,
    /// Signed distance: depth and normal if they overlap.
    Depth,
    /// Contact points within the margin.
    Manifold,
}

impl Question {
    /// All questions.
    pub const ALL: [Self; 4] = [Self::Distance, Self::Touch, Self::Depth, Self::Manifold];

    /// Name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Touch => "touch",
            Self::Depth => "depth",
            Self::Manifold => "manifold",
        }
    }
}

/// How the shapes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regime {
    /// 5 to 30 cm apart.
    Separated,
    /// 1 cm deep to 5 mm apart.
    Touching,
    /// 8 to 20 cm deep.
    Deep,
}

impl Regime {
    /// All regimes.
    pub const ALL: [Self; 3] = [Self::Separated, Self::Touching, Self::Deep];

    /// Name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Separated => "separated",
            Self::Touching => "touching",
            Self::Deep => "deep",
        }
    }

    /// Range of signed distances of the starts of trains.
    fn range(self) -> [f64; 2] {
        match self {
            Self::Separated => [0.05, 0.30],
            Self::Touching => [-0.010, 0.005],
            Self::Deep => [-0.20, -0.08],
        }
    }
}

/// May something be kept from the query before?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// No.
    Cold,
    /// Yes, along a train.
    Warm,
}

impl Start {
    /// Name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }
}

/// Two shapes, a question and places.
#[derive(Clone, Debug)]
pub struct Task {
    /// Kinds of the two shapes.
    pub pair: &'static str,
    /// First shape, at the origin.
    pub a: Shape,
    /// Second shape.
    pub b: Shape,
    /// What is asked.
    pub question: Question,
    /// How the shapes lie.
    pub regime: Regime,
    /// May something be kept?
    pub start: Start,
    /// Contacts up to this distance are wanted.
    pub margin: f32,
    /// Where the second shape is.
    pub places: Arc<[Pose]>,
    /// The signed distance in each place, from the reference in double precision.
    pub distances: Arc<[f32]>,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.pair, self.question.name(), self.regime.name(), self.start.name())
    }
}

/// Steps of a train.
pub const STEPS: usize = 8;
/// Contacts within 2 cm are wanted, as in Box3D and Rapier.
pub const MARGIN: f32 = 0.02;

impl Task {
    /// Is this place the start of a train?
    #[inline]
    #[must_use]
    pub fn begins_train(&self, place: usize) -> bool {
        place.is_multiple_of(STEPS)
    }

    /// The same places with another question.
    #[must_use]
    pub fn asking(&self, question: Question, start: Start) -> Self {
        Self { question, start, ..self.clone() }
    }
}

fn random_vector(random: &mut SplitMix64) -> DVec3 {
    let [x, y, z] = std::array::from_fn(|_| random.range_f64(-1.0, 1.0));
    DVec3::new(x, y, z)
}

fn random_rotation(random: &mut SplitMix64) -> Rotation<f64> {
    let quaternion = std::array::from_fn(|_| random.range_f64(-1.0, 1.0));
    Rotation::from_xyzw(quaternion).unwrap_or(Rotation::IDENTITY)
}

/// A place at a given signed distance: from somewhere outside, moved along the normal until it
/// fits. `None` if that does not come to an end, as between shapes too thin to be that deep in each
/// other.
fn place_at(reference: &Reference, wanted: f64, random: &mut SplitMix64) -> Option<Pose> {
    let mut place = Pose::new(random_vector(random) * 2.0, random_rotation(random));
    for _ in 0..40 {
        let proximity = reference.proximity(&place)?;
        let error = proximity.distance - wanted;
        if error.abs() < 1e-4 {
            return Some(place.to::<f32>());
        }
        place.translation -= proximity.normal * error;
    }
    None
}

/// Trains of places in a regime; fewer than asked for if the shapes cannot lie like that.
fn trains(reference: &Reference, regime: Regime, count: usize, random: &mut SplitMix64) -> Vec<Pose> {
    let [low, high] = regime.range();
    let mut places = Vec::new();
    for _ in 0..4 * count {
        if places.len() == count * STEPS {
            break;
        }
        let Some(start) = place_at(reference, random.range_f64(low, high), random) else { continue };
        // About 1.5 mm and a third of a degree per frame.
        let drift = (random_vector(random) * 0.0015).as_vec3();
        let turn = Rotation::from_rotation_vector((random_vector(random) * 0.006).as_vec3());
        let mut place = start;
        for _ in 0..STEPS {
            places.push(place);
            place = Pose::new(place.translation + drift, (turn * place.rotation).normalised());
        }
    }
    places
}

/// A hull of points on a sphere of 0.5 m.
fn hull(points: usize) -> Option<Shape> {
    Some(Shape::from(Polytope::random_on_sphere(points, 0.5, 11).ok()?))
}

/// The pairs of shapes, by name; all about a metre large.
fn pairs() -> Vec<(&'static str, Option<[Shape; 2]>)> {
    let sphere = || Sphere::new(0.5).ok().map(Shape::from);
    let capsule = || Capsule::along_z(0.4, 0.3).ok().map(Shape::from);
    let cuboid = || Cuboid::new(Vec3::new(0.5, 0.4, 0.6)).ok().map(Shape::from);
    let tile = || Tile::new(0.7, 0.6).ok().map(Shape::from);
    let cylinder = || Cylinder::new(0.5, 0.4).ok().map(Shape::from);
    let cone = || Cone::new(0.5, 0.5).ok().map(Shape::from);
    let corner = |x, z| Vec3::new(x, 0.0, z);
    let triangle =
        || Some(Shape::from(Triangle::new(corner(-0.8, -0.5), corner(0.0, 0.9), corner(0.8, -0.4))));
    let ground = || Some(Shape::from(HalfSpace));
    let both = |a: Option<Shape>, b: Option<Shape>| Some([a?, b?]);
    vec![
        ("sphere–sphere", both(sphere(), sphere())),
        ("sphere–capsule", both(sphere(), capsule())),
        ("capsule–capsule", both(capsule(), capsule())),
        ("tile–sphere", both(tile(), sphere())),
        ("tile–capsule", both(tile(), capsule())),
        ("tile–tile", both(tile(), tile())),
        ("box–sphere", both(cuboid(), sphere())),
        ("box–capsule", both(cuboid(), capsule())),
        ("box–box", both(cuboid(), cuboid())),
        ("triangle–sphere", both(triangle(), sphere())),
        ("triangle–capsule", both(triangle(), capsule())),
        ("triangle–box", both(triangle(), cuboid())),
        ("triangle–hull30", both(triangle(), hull(30))),
        ("ground–sphere", both(ground(), sphere())),
        ("ground–capsule", both(ground(), capsule())),
        ("ground–box", both(ground(), cuboid())),
        ("ground–cylinder", both(ground(), cylinder())),
        ("ground–hull30", both(ground(), hull(30))),
        ("cylinder–sphere", both(cylinder(), sphere())),
        ("cylinder–capsule", both(cylinder(), capsule())),
        ("cylinder–box", both(cylinder(), cuboid())),
        ("cylinder–cylinder", both(cylinder(), cylinder())),
        ("cone–sphere", both(cone(), sphere())),
        ("cone–box", both(cone(), cuboid())),
        ("hull30–sphere", both(hull(30), sphere())),
        ("hull30–capsule", both(hull(30), capsule())),
        ("hull30–box", both(hull(30), cuboid())),
        ("hull10–hull10", both(hull(10), hull(10))),
        ("hull30–hull30", both(hull(30), hull(30))),
        ("hull100–hull100", both(hull(100), hull(100))),
        ("hull300–hull300", both(hull(300), hull(300))),
        ("hull1000–hull1000", both(hull(1000), hull(1000))),
    ]
}

/// Names of all pairs.
#[must_use]
pub fn pair_names() -> Vec<&'static str> {
    pairs().into_iter().map(|(name, _)| name).collect()
}

/// The tasks of a pair in every regime, with the first question: `trains` starts each. Empty for an
/// unknown name.
#[must_use]
pub fn tasks(pair: &str, trains_wanted: usize) -> Vec<Task> {
    let Some((name, Some([a, b]))) = pairs().into_iter().find(|(name, _)| *name == pair) else {
        return Vec::new();
    };
    let reference = Reference::new(&a, &b);
    let mut tasks = Vec::new();
    for regime in Regime::ALL {
        let mut random = SplitMix64::new(17 + regime as u64);
        let places = trains(&reference, regime, trains_wanted, &mut random);
        let distances = places
            .iter()
            .map(|place| reference.proximity(&place.to::<f64>()).map_or(f32::NAN, |p| p.distance as f32));
        tasks.push(Task {
            pair: name,
            a: a.clone(),
            b: b.clone(),
            question: Question::Distance,
            regime,
            start: Start::Cold,
            margin: MARGIN,
            distances: distances.collect(),
            places: places.into(),
        });
    }
    tasks
}
