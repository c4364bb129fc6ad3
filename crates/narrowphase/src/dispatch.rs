//! Which algorithm answers a question about two kinds of shapes.
//!
//! One table over kind × kind × [`Question`] gives an [`Algorithm`]. [`RULES`] is its only source:
//! the table is built from it at compile time, the queries of [`pair`](crate::pair),
//! [`composite`](crate::composite), [`cast`](crate::cast) and [`toi`](crate::toi) look it up once
//! per pair, and the table in `docs/narrowphase.md` is written from it (a test compares the two).
//!
//! Invariants, checked at compile time: every two kinds have a rule, no rule is hidden behind the
//! rules before it, and the order of the two shapes does not matter. What depends on the sizes of
//! shapes and not on their kinds (hulls of many vertices) is decided by the algorithm itself; its
//! [description](Algorithm::what) says so.
//!
//! A table of bytes was preferred to one of function pointers: the queries differ in their
//! arguments, and the cheap formulas stay visible to the compiler at the place of the lookup.

mod markdown;

use carom_geometry::Shape;

pub use markdown::markdown;

/// A kind of shape: what [`Shape`] holds, without its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ShapeKind {
    /// [`Shape::Sphere`].
    Sphere,
    /// [`Shape::Capsule`].
    Capsule,
    /// [`Shape::Tile`].
    Tile,
    /// [`Shape::Cuboid`].
    Cuboid,
    /// [`Shape::Cylinder`].
    Cylinder,
    /// [`Shape::Cone`].
    Cone,
    /// [`Shape::Ellipsoid`].
    Ellipsoid,
    /// [`Shape::HalfSpace`].
    HalfSpace,
    /// [`Shape::Triangle`].
    Triangle,
    /// [`Shape::Polytope`].
    Polytope,
    /// [`Shape::Mesh`].
    Mesh,
    /// [`Shape::HeightField`].
    HeightField,
    /// [`Shape::Compound`].
    Compound,
    /// [`Shape::Planar`].
    Planar,
}

use ShapeKind::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, HeightField, Mesh, Planar, Polytope,
    Sphere, Tile, Triangle,
};

impl ShapeKind {
    /// All kinds, in the order of [`Shape`].
    pub const ALL: [Self; 14] = [
        Sphere,
        Capsule,
        Tile,
        Cuboid,
        Cylinder,
        Cone,
        Ellipsoid,
        HalfSpace,
        Triangle,
        Polytope,
        Mesh,
        HeightField,
        Compound,
        Planar,
    ];

    /// The kind of a shape.
    #[inline]
    #[must_use]
    pub const fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere(_) => Sphere,
            Shape::Capsule(_) => Capsule,
            Shape::Tile(_) => Tile,
            Shape::Cuboid(_) => Cuboid,
            Shape::Cylinder(_) => Cylinder,
            Shape::Cone(_) => Cone,
            Shape::Ellipsoid(_) => Ellipsoid,
            Shape::HalfSpace(_) => HalfSpace,
            Shape::Triangle(_) => Triangle,
            Shape::Polytope(_) => Polytope,
            Shape::Mesh(_) => Mesh,
            Shape::HeightField(_) => HeightField,
            Shape::Compound(_) => Compound,
            Shape::Planar(_) => Planar,
        }
    }

    /// The name that [`Shape::name`] gives.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Sphere => "sphere",
            Capsule => "capsule",
            Tile => "tile",
            Cuboid => "box",
            Cylinder => "cylinder",
            Cone => "cone",
            Ellipsoid => "ellipsoid",
            HalfSpace => "half-space",
            Triangle => "triangle",
            Polytope => "convex",
            Mesh => "mesh",
            HeightField => "height-field",
            Compound => "compound",
            Planar => "planar",
        }
    }
}

/// What is asked about two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Question {
    /// Signed distance with closest points: [`pair::proximity`](crate::pair::proximity).
    Distance,
    /// Do they touch? [`pair::touches`](crate::pair::touches).
    Overlap,
    /// Contact points: [`pair::manifold`](crate::pair::manifold), and
    /// [`composite::contacts`](crate::composite::contacts) where there may be several manifolds.
    Manifold,
    /// First touch along a displacement: [`cast::cast_shape`](crate::cast::cast_shape).
    Cast,
    /// First touch of two motions with rotation:
    /// [`toi::time_of_impact_of_shapes`](crate::toi::time_of_impact_of_shapes).
    TimeOfImpact,
}

impl Question {
    /// All questions, in the order of [`Rule::answers`].
    pub const ALL: [Self; 5] =
        [Self::Distance, Self::Overlap, Self::Manifold, Self::Cast, Self::TimeOfImpact];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Overlap => "overlap",
            Self::Manifold => "manifold",
            Self::Cast => "cast",
            Self::TimeOfImpact => "time of impact",
        }
    }
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Algorithm {
    /// A formula: [`analytic`](crate::analytic).
    Analytic,
    /// A formula, for pairs that separating axes do not rule out before.
    SatThenAnalytic,
    /// Separating axes and clipping: [`sat`](crate::sat).
    Sat,
    /// Separating axes for hulls of few vertices, GJK and EPA for large ones.
    SatOrGjkEpa,
    /// Voronoi clipping from the features of the last query: [`vclip`](crate::vclip).
    VClip,
    /// [`gjk`](crate::gjk), and [`epa`](crate::epa) where cores overlap.
    GjkEpa,
    /// Newton's method along the segment of a capsule beside a polytope; GJK and EPA where it is
    /// not certain.
    PolytopeCapsule,
    /// Candidate directions of a body of revolution ([`revolved`](crate::revolved)); GJK and EPA
    /// where they do not decide, and for polytopes of many edges.
    Revolved,
    /// A separating axis of two bodies of revolution; if none is found, GJK and EPA.
    RevolvedThenGjkEpa,
    /// Sides and corners of figures in one plane; sheets without thickness to GJK and EPA.
    PlaneGeometry,
    /// A ray against the target grown by the radius of the mover.
    RoundedRay,
    /// A ray against the Minkowski difference, by GJK.
    GjkRay,
    /// Conservative advancement from separating axis to separating axis.
    ConservativeAdvancement,
    /// The support point of the shape against the plane.
    HalfSpaceSupport,
    /// Two planes.
    HalfSpaces,
    /// The convex shape against the triangles of a surface that it comes near.
    Surface,
    /// Every triangle of one surface against the other shape.
    TriangleByTriangle,
    /// The children of a compound one by one.
    Children,
    /// Not answered.
    Unsupported,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 19] = [
        Self::Analytic,
        Self::SatThenAnalytic,
        Self::Sat,
        Self::SatOrGjkEpa,
        Self::VClip,
        Self::GjkEpa,
        Self::PolytopeCapsule,
        Self::Revolved,
        Self::RevolvedThenGjkEpa,
        Self::PlaneGeometry,
        Self::RoundedRay,
        Self::GjkRay,
        Self::ConservativeAdvancement,
        Self::HalfSpaceSupport,
        Self::HalfSpaces,
        Self::Surface,
        Self::TriangleByTriangle,
        Self::Children,
        Self::Unsupported,
    ];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analytic => "analytic",
            Self::SatThenAnalytic => "SAT, then analytic",
            Self::Sat => "SAT",
            Self::SatOrGjkEpa => "SAT or GJK/EPA",
            Self::VClip => "V-Clip",
            Self::GjkEpa => "GJK/EPA",
            Self::PolytopeCapsule => "polytope–capsule",
            Self::Revolved => "revolved",
            Self::RevolvedThenGjkEpa => "revolved axis, then GJK/EPA",
            Self::PlaneGeometry => "plane geometry",
            Self::RoundedRay => "rounded ray",
            Self::GjkRay => "GJK ray",
            Self::ConservativeAdvancement => "advancement",
            Self::HalfSpaceSupport => "support point",
            Self::HalfSpaces => "two planes",
            Self::Surface => "triangles near",
            Self::TriangleByTriangle => "triangle by triangle",
            Self::Children => "children",
            Self::Unsupported => "–",
        }
    }

    /// One sentence about it.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Analytic => "A formula.",
            Self::SatThenAnalytic => {
                "Separating axes rule out pairs beyond the distance asked for; a formula measures the rest."
            }
            Self::Sat => "Separating axes, then clipping of faces.",
            Self::SatOrGjkEpa => {
                "Separating axes up to 22 500 pairs of vertices; GJK and EPA with clipped support features above."
            }
            Self::VClip => "Voronoi clipping from the features of the last query; EPA for the depth.",
            Self::GjkEpa => "GJK while cores are apart, EPA where they overlap.",
            Self::PolytopeCapsule => {
                "Newton's method along the segment over the Voronoi regions of the polytope; GJK and EPA where the \
                 support functions do not confirm it."
            }
            Self::Revolved => {
                "The candidate directions of a cylinder or cone; GJK and EPA where they do not decide and for \
                 polytopes of more than 20 edges. For distances GJK comes first, except with capsules."
            }
            Self::RevolvedThenGjkEpa => {
                "A separating axis that is easily found; GJK and EPA if there is none."
            }
            Self::PlaneGeometry => {
                "Sides and corners of figures in one plane; figures in different planes are sheets, left to GJK \
                 and EPA. Casts advance by the distance."
            }
            Self::RoundedRay => "A ray against the target grown by the radius of the mover.",
            Self::GjkRay => "A ray against the Minkowski difference, by GJK.",
            Self::ConservativeAdvancement => {
                "Conservative advancement from separating axis to separating axis; a cast if nothing rotates."
            }
            Self::HalfSpaceSupport => "The support point of the shape against the plane.",
            Self::HalfSpaces => "Two planes.",
            Self::Surface => "The triangles that the convex shape comes near.",
            Self::TriangleByTriangle => "Every triangle of one surface against the other shape.",
            Self::Children => "The children of the compound, each by its own row.",
            Self::Unsupported => "Not answered.",
        }
    }
}

/// The algorithms of all pairs with one kind of each list, in either order.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Kinds of one shape.
    pub one: &'static [ShapeKind],
    /// Kinds of the other.
    pub other: &'static [ShapeKind],
    /// An algorithm for every question, in the order of [`Question::ALL`].
    pub answers: [Algorithm; Question::ALL.len()],
}

const fn rule(
    one: &'static [ShapeKind],
    other: &'static [ShapeKind],
    answers: [Algorithm; Question::ALL.len()],
) -> Rule {
    Rule { one, other, answers }
}

const CONVEX: &[ShapeKind] =
    &[Sphere, Capsule, Tile, Cuboid, Cylinder, Cone, Ellipsoid, Triangle, Polytope, Planar];

/// What the table is made of; of the rules for two kinds the first one counts.
pub const RULES: &[Rule] = {
    use Algorithm::{
        Analytic, Children, ConservativeAdvancement as Advance, GjkEpa, GjkRay, HalfSpaceSupport, HalfSpaces,
        PlaneGeometry, PolytopeCapsule, Revolved, RevolvedThenGjkEpa, RoundedRay, Sat, SatOrGjkEpa,
        SatThenAnalytic, Surface, TriangleByTriangle, Unsupported, VClip,
    };
    &[
        rule(&[Compound], &ShapeKind::ALL, [Unsupported, Unsupported, Children, Children, Children]),
        rule(&[Mesh, HeightField], CONVEX, [Unsupported, Unsupported, Surface, Surface, Surface]),
        rule(
            &[Mesh, HeightField],
            &[Mesh, HeightField, HalfSpace],
            [Unsupported, Unsupported, Unsupported, TriangleByTriangle, Unsupported],
        ),
        rule(&[HalfSpace], &[HalfSpace], [Unsupported, Unsupported, Unsupported, HalfSpaces, Unsupported]),
        rule(&[HalfSpace], CONVEX, [Analytic, Analytic, Analytic, HalfSpaceSupport, HalfSpaceSupport]),
        rule(
            &[Sphere],
            &[Sphere, Capsule, Tile, Cuboid, Triangle],
            [Analytic, Analytic, Analytic, RoundedRay, Advance],
        ),
        rule(&[Capsule], &[Capsule], [Analytic, Analytic, Analytic, RoundedRay, Advance]),
        rule(&[Sphere], &[Cylinder, Cone, Polytope], [Analytic, Analytic, Analytic, GjkRay, Advance]),
        rule(&[Capsule], &[Tile, Cuboid, Triangle], [Analytic, Analytic, Analytic, GjkRay, Advance]),
        rule(&[Tile, Cuboid], &[Tile, Cuboid, Triangle], [SatThenAnalytic, Analytic, Sat, GjkRay, Advance]),
        rule(&[Triangle], &[Triangle], [Analytic, Analytic, Sat, GjkRay, Advance]),
        rule(&[Polytope], &[Polytope], [VClip, VClip, SatOrGjkEpa, GjkRay, Advance]),
        rule(&[Polytope], &[Tile, Cuboid, Triangle], [GjkEpa, GjkEpa, Sat, GjkRay, Advance]),
        rule(&[Polytope], &[Capsule], [PolytopeCapsule, GjkEpa, PolytopeCapsule, GjkRay, Advance]),
        rule(
            &[Cylinder, Cone],
            &[Capsule, Tile, Cuboid, Triangle, Polytope],
            [Revolved, GjkEpa, Revolved, GjkRay, Advance],
        ),
        rule(&[Cylinder], &[Cylinder], [Revolved, GjkEpa, Revolved, GjkRay, Advance]),
        rule(&[Cone], &[Cylinder, Cone], [GjkEpa, GjkEpa, RevolvedThenGjkEpa, GjkRay, Advance]),
        rule(&[Planar], &[Planar], [PlaneGeometry, PlaneGeometry, PlaneGeometry, PlaneGeometry, Advance]),
        rule(&[Planar], &[Sphere], [Analytic, Analytic, Analytic, PlaneGeometry, Advance]),
        rule(
            &[Planar],
            &[Capsule, Tile, Cuboid, Cylinder, Cone, Triangle, Polytope],
            [GjkEpa, GjkEpa, GjkEpa, GjkRay, Advance],
        ),
        rule(&[Ellipsoid], CONVEX, [GjkEpa, GjkEpa, GjkEpa, GjkRay, Advance]),
    ]
};

const KINDS: usize = ShapeKind::ALL.len();

const TABLE: [[[Algorithm; KINDS]; KINDS]; Question::ALL.len()] = build();

/// The algorithm for a question about two kinds of shapes.
#[inline]
#[must_use]
pub const fn algorithm(question: Question, a: ShapeKind, b: ShapeKind) -> Algorithm {
    TABLE[question as usize][a as usize][b as usize]
}

/// The algorithm for a question about two shapes.
#[inline]
#[must_use]
pub(crate) const fn algorithm_for(question: Question, a: &Shape, b: &Shape) -> Algorithm {
    algorithm(question, ShapeKind::of(a), ShapeKind::of(b))
}

const fn contains(kinds: &[ShapeKind], kind: ShapeKind) -> bool {
    let mut k = 0;
    while k < kinds.len() {
        if kinds[k] as u8 == kind as u8 {
            return true;
        }
        k += 1;
    }
    false
}

const fn build() -> [[[Algorithm; KINDS]; KINDS]; Question::ALL.len()] {
    let mut table = [[[Algorithm::Unsupported; KINDS]; KINDS]; Question::ALL.len()];
    let mut is_used = [false; RULES.len()];
    let mut pair = 0;
    while pair < KINDS * KINDS {
        let (row, column) = (pair / KINDS, pair % KINDS);
        let (a, b) = (ShapeKind::ALL[row], ShapeKind::ALL[column]);
        assert!(a as usize == row, "kinds are listed in their order");
        let mut r = 0;
        loop {
            assert!(r < RULES.len(), "two kinds of shapes have no rule");
            let Rule { one, other, .. } = RULES[r];
            if contains(one, a) && contains(other, b) || contains(one, b) && contains(other, a) {
                break;
            }
            r += 1;
        }
        is_used[r] = true;
        let mut question = 0;
        while question < Question::ALL.len() {
            assert!(Question::ALL[question] as usize == question, "questions are listed in their order");
            table[question][row][column] = RULES[r].answers[question];
            question += 1;
        }
        pair += 1;
    }
    let mut r = 0;
    while r < RULES.len() {
        assert!(is_used[r], "a rule is hidden behind the rules before it");
        r += 1;
    }
    table
}
