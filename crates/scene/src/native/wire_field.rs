//! Force fields on the wire: one key for what the field does, at most one for where.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scalar::{Num, Triple, at_most_one, exactly_one, plain, unless, unless_one, wire};
use crate::model::{Field, FieldKind, Region};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct InsideBox {
    min: Triple,
    max: Triple,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct InsideSphere {
    centre: Triple,
    radius: Num,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Uniform {
    acceleration: Triple,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Attractor {
    centre: Option<Triple>,
    strength: Num,
    softening: Option<Num>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Drag {
    wind: Option<Triple>,
    linear: Option<Num>,
    quadratic: Option<Num>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Vortex {
    centre: Option<Triple>,
    axis: Option<Triple>,
    strength: Num,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Buoyancy {
    level: Option<Num>,
    density: Option<Num>,
    drag: Option<Num>,
}

/// Every key a field can have.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WireField {
    uniform: Option<Uniform>,
    attractor: Option<Attractor>,
    drag: Option<Drag>,
    vortex: Option<Vortex>,
    buoyancy: Option<Buoyancy>,
    inside_box: Option<InsideBox>,
    inside_sphere: Option<InsideSphere>,
}

/// Axis of a vortex that gives none: up.
const UP: [f32; 3] = [0.0, 1.0, 0.0];
/// Distance below which an attractor's pull stops growing if the file does not say, metres.
const SOFTENING: f32 = 1.0;
/// Density of the liquid if the file does not say: water, kg/m³.
const WATER: f32 = 1000.0;

/// A field as it stands in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldEntry(pub(super) Field);

impl<'de> Deserialize<'de> for FieldEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WireField::deserialize(deserializer)?.into_model().map(Self).map_err(D::Error::custom)
    }
}

impl Serialize for FieldEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WireField::from_model(self.0).serialize(serializer)
    }
}

impl WireField {
    fn from_model(field: Field) -> Self {
        let mut keys = Self::default();
        match field.kind {
            FieldKind::Uniform { acceleration } => {
                keys.uniform = Some(Uniform { acceleration: wire(acceleration) });
            }
            FieldKind::Attractor { centre, strength, softening } => {
                keys.attractor = Some(Attractor {
                    centre: unless(centre, [0.0; 3]),
                    strength: Num(strength),
                    softening: unless_one(softening, SOFTENING),
                });
            }
            FieldKind::Drag { wind, linear, quadratic } => {
                keys.drag = Some(Drag {
                    wind: unless(wind, [0.0; 3]),
                    linear: unless_one(linear, 0.0),
                    quadratic: unless_one(quadratic, 0.0),
                });
            }
            FieldKind::Vortex { centre, axis, strength } => {
                keys.vortex = Some(Vortex {
                    centre: unless(centre, [0.0; 3]),
                    axis: unless(axis, UP),
                    strength: Num(strength),
                });
            }
            FieldKind::Buoyancy { level, density, drag } => {
                keys.buoyancy = Some(Buoyancy {
                    level: unless_one(level, 0.0),
                    density: unless_one(density, WATER),
                    drag: unless_one(drag, 0.0),
                });
            }
        }
        match field.region {
            Region::Everywhere => {}
            Region::Box { min, max } => {
                keys.inside_box = Some(InsideBox { min: wire(min), max: wire(max) });
            }
            Region::Sphere { centre, radius } => {
                keys.inside_sphere = Some(InsideSphere { centre: wire(centre), radius: Num(radius) });
            }
        }
        keys
    }

    fn into_model(self) -> Result<Field, String> {
        let kinds = [
            ("uniform", self.uniform.map(|u| FieldKind::Uniform { acceleration: plain(u.acceleration) })),
            (
                "attractor",
                self.attractor.map(|a| FieldKind::Attractor {
                    centre: a.centre.map_or([0.0; 3], plain),
                    strength: a.strength.0,
                    softening: a.softening.map_or(SOFTENING, |n| n.0),
                }),
            ),
            (
                "drag",
                self.drag.map(|d| FieldKind::Drag {
                    wind: d.wind.map_or([0.0; 3], plain),
                    linear: d.linear.map_or(0.0, |n| n.0),
                    quadratic: d.quadratic.map_or(0.0, |n| n.0),
                }),
            ),
            (
                "vortex",
                self.vortex.map(|v| FieldKind::Vortex {
                    centre: v.centre.map_or([0.0; 3], plain),
                    axis: v.axis.map_or(UP, plain),
                    strength: v.strength.0,
                }),
            ),
            (
                "buoyancy",
                self.buoyancy.map(|b| FieldKind::Buoyancy {
                    level: b.level.map_or(0.0, |n| n.0),
                    density: b.density.map_or(WATER, |n| n.0),
                    drag: b.drag.map_or(0.0, |n| n.0),
                }),
            ),
        ];
        let places =
            at_most_one("region", ("inside-box", self.inside_box), ("inside-sphere", self.inside_sphere))?;
        let region = match places {
            (Some(b), _) => Region::Box { min: plain(b.min), max: plain(b.max) },
            (None, Some(s)) => Region::Sphere { centre: plain(s.centre), radius: s.radius.0 },
            (None, None) => Region::Everywhere,
        };
        Ok(Field { region, kind: exactly_one("the field", kinds)? })
    }
}
