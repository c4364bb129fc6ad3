//! Force fields: forces that fill space or a part of it.

/// Where a field acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Region {
    /// Everywhere.
    #[default]
    Everywhere,
    /// Inside an axis-aligned box.
    Box {
        /// Lowest corner.
        min: [f32; 3],
        /// Highest corner.
        max: [f32; 3],
    },
    /// Inside a sphere.
    Sphere {
        /// Centre.
        centre: [f32; 3],
        /// Radius.
        radius: f32,
    },
}

/// What a field does to a body inside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    /// The same acceleration for all, m/s².
    Uniform {
        /// m/s².
        acceleration: [f32; 3],
    },
    /// Pull towards a point: acceleration `strength / max(distance, softening)²`; negative pushes
    /// away.
    Attractor {
        /// Point.
        centre: [f32; 3],
        /// m³/s².
        strength: f32,
        /// Distance below which the pull stops growing, metres.
        softening: f32,
    },
    /// Drag relative to a medium that may itself move (wind): `−(linear + quadratic·|v|)·v` as a
    /// force.
    Drag {
        /// Velocity of the medium.
        wind: [f32; 3],
        /// N·s/m.
        linear: f32,
        /// N·s²/m².
        quadratic: f32,
    },
    /// Acceleration round an axis, m/s² at one metre, growing with the distance.
    Vortex {
        /// A point of the axis.
        centre: [f32; 3],
        /// Direction of the axis.
        axis: [f32; 3],
        /// 1/s².
        strength: f32,
    },
    /// Buoyancy of a liquid with a level surface.
    Buoyancy {
        /// Height of the surface.
        level: f32,
        /// kg/m³.
        density: f32,
        /// Drag under water, N·s/m.
        drag: f32,
    },
}

/// One field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Where.
    pub region: Region,
    /// What.
    pub kind: FieldKind,
}
