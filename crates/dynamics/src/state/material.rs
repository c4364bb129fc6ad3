//! Surfaces: how they rub, bounce and move, and how two of them combine.

use glam::Vec3;

/// How a coefficient of two materials becomes that of their contact. If the materials have
/// different rules, the later one in this list counts, as in PhysX and Rapier: max before multiply
/// before min before average, and any rule before the default one.
///
/// ```
/// use carom_dynamics::{CombineRule, Material};
/// let rubber = Material { friction: 0.9, ..Material::default() };
/// let ice = Material { friction: 0.1, friction_rule: CombineRule::Min, ..Material::default() };
/// assert!((rubber.friction_with(&rubber) - 0.9).abs() < 1e-6);
/// assert_eq!(rubber.friction_with(&ice), 0.1);
/// let glue = Material { friction: 2.0, friction_rule: CombineRule::Max, ..Material::default() };
/// assert_eq!(ice.friction_with(&glue), 2.0, "max counts before min");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CombineRule {
    /// That of the engine: the geometric mean of friction, the larger restitution.
    #[default]
    Default,
    /// √(a b).
    GeometricMean,
    /// (a + b) / 2.
    Average,
    /// The smaller one.
    Min,
    /// a b.
    Multiply,
    /// The larger one.
    Max,
}

impl CombineRule {
    /// All rules, in the order of their precedence.
    pub const ALL: [Self; 6] =
        [Self::Default, Self::GeometricMean, Self::Average, Self::Min, Self::Multiply, Self::Max];

    /// Combines two coefficients. `usual` stands for the default rule.
    fn combine(self, usual: Self, a: f32, b: f32) -> f32 {
        match if self == Self::Default { usual } else { self } {
            Self::Default | Self::GeometricMean => (a * b).sqrt(),
            Self::Average => 0.5 * a + 0.5 * b,
            Self::Min => {
                if a < b {
                    a
                } else {
                    b
                }
            }
            // Of two finite numbers that are too large.
            Self::Multiply => (a * b).min(f32::MAX),
            Self::Max => {
                if a > b {
                    a
                } else {
                    b
                }
            }
        }
    }
}

/// How a surface rubs, bounces and moves.
///
/// A surface velocity makes a conveyor belt of a body that stands still, or tracks of one that
/// moves: friction drives whatever touches it to this velocity.
///
/// ```
/// use carom_dynamics::{BodyDef, Material, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Cuboid;
/// use glam::Vec3;
/// let mut world = World::new(WorldDef::default());
/// let belt = Material { surface_velocity: Vec3::X * 2.0, ..Material::default() };
/// let bed = ShapeDef::new(Cuboid::new(Vec3::new(10.0, 0.5, 1.0))?).material(belt);
/// world.add_body(BodyDef::fixed(), [bed])?;
/// let parcel = ShapeDef::new(Cuboid::new(Vec3::splat(0.2))?);
/// let parcel = world.add_body(BodyDef::dynamic().at(-5.0, 0.7, 0.0), [parcel])?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(parcel)?.velocity().x - 2.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Material {
    /// Coulomb's coefficient.
    pub friction: f32,
    /// Share of the approaching speed given back.
    pub restitution: f32,
    /// Resistance to rolling, and of balls to spinning on the spot: torque by pressing force,
    /// metres; the larger of two counts. A ball of radius r that rolls on a plane loses 5/7 · g ·
    /// rolling / r of its speed per second.
    pub rolling: f32,
    /// How two coefficients of friction combine: by their geometric mean, unless one of the
    /// materials says otherwise.
    pub friction_rule: CombineRule,
    /// How two restitutions combine: the larger one counts, unless one of the materials says
    /// otherwise.
    pub restitution_rule: CombineRule,
    /// Velocity of the surface against its body, m/s, in the frame of the shape. Of it, only the
    /// part along the surface counts.
    pub surface_velocity: Vec3,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: 0.6,
            restitution: 0.0,
            rolling: 0.0,
            friction_rule: CombineRule::Default,
            restitution_rule: CombineRule::Default,
            surface_velocity: Vec3::ZERO,
        }
    }
}

impl Material {
    /// Coefficient of friction of a contact with another material.
    #[must_use]
    pub fn friction_with(&self, other: &Self) -> f32 {
        let rule = self.friction_rule.max(other.friction_rule);
        rule.combine(CombineRule::GeometricMean, self.friction, other.friction)
    }

    /// Restitution of a contact with another material.
    #[must_use]
    pub fn restitution_with(&self, other: &Self) -> f32 {
        let rule = self.restitution_rule.max(other.restitution_rule);
        rule.combine(CombineRule::Max, self.restitution, other.restitution)
    }
}
