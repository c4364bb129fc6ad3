//! What is drawn, how large and in which colours.

use carom_geometry::Aabb;

use super::canvas::Colour;

/// Colours of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugColours {
    /// Shapes of static bodies.
    pub fixed: Colour,
    /// Shapes of kinematic bodies.
    pub kinematic: Colour,
    /// Shapes of dynamic bodies that are awake.
    pub dynamic: Colour,
    /// Shapes of dynamic bodies that are asleep.
    pub asleep: Colour,
    /// Sensors.
    pub sensor: Colour,
    /// Shapes and joints that are disabled.
    pub disabled: Colour,
    /// Islands, one after the other; those asleep are dimmed. If there is none, bodies are drawn as
    /// without islands.
    pub islands: Vec<Colour>,
    /// Boxes round shapes as they are.
    pub shape_box: Colour,
    /// Boxes that the broad phase knows.
    pub fat_box: Colour,
    /// Volumes of the broad phase round several boxes.
    pub tree_box: Colour,
    /// Contact points that press, and their forces.
    pub contact: Colour,
    /// Contact points ahead, which do not press.
    pub speculative: Colour,
    /// Normals of contacts.
    pub normal: Colour,
    /// Friction.
    pub friction: Colour,
    /// Joints.
    pub joint: Colour,
    /// Limits of joints.
    pub limit: Colour,
    /// Centres of mass.
    pub centre: Colour,
    /// Velocities.
    pub velocity: Colour,
    /// Angular velocities.
    pub angular_velocity: Colour,
    /// Axes x, y, z of frames.
    pub axes: [Colour; 3],
    /// Words.
    pub label: Colour,
}

impl Default for DebugColours {
    /// Colours for a dark background.
    fn default() -> Self {
        Self {
            fixed: Colour::rgb(120, 130, 120),
            kinematic: Colour::rgb(90, 160, 255),
            dynamic: Colour::rgb(255, 200, 120),
            asleep: Colour::rgb(150, 120, 90),
            sensor: Colour::rgb(200, 230, 90),
            disabled: Colour::rgb(70, 70, 70),
            islands: [
                [230, 25, 75],
                [60, 180, 75],
                [255, 225, 25],
                [67, 99, 216],
                [245, 130, 49],
                [145, 30, 180],
                [70, 240, 240],
                [240, 50, 230],
                [188, 246, 12],
                [250, 190, 190],
                [0, 128, 128],
                [170, 110, 40],
            ]
            .map(|[red, green, blue]| Colour::rgb(red, green, blue))
            .to_vec(),
            shape_box: Colour::rgb(180, 180, 220),
            fat_box: Colour::rgb(110, 110, 160),
            tree_box: Colour::rgb(70, 90, 70),
            contact: Colour::rgb(255, 60, 60),
            speculative: Colour::rgb(130, 60, 60),
            normal: Colour::rgb(255, 255, 255),
            friction: Colour::rgb(255, 150, 40),
            joint: Colour::rgb(190, 110, 230),
            limit: Colour::rgb(110, 220, 200),
            centre: Colour::rgb(255, 255, 255),
            velocity: Colour::rgb(80, 220, 80),
            angular_velocity: Colour::rgb(220, 80, 220),
            axes: [Colour::rgb(230, 60, 60), Colour::rgb(60, 200, 60), Colour::rgb(70, 110, 255)],
            label: Colour::rgb(230, 230, 230),
        }
    }
}

/// What a drawing shows: by default shapes as wireframes, contacts and joints.
///
/// ```
/// use carom_dynamics::DebugDrawOptions;
/// let options = DebugDrawOptions { velocities: true, segments: 32, ..DebugDrawOptions::default() };
/// assert!(options.shapes && !options.labels);
/// assert_eq!(DebugDrawOptions { joints: true, ..DebugDrawOptions::nothing() }.shapes, false);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DebugDrawOptions {
    /// Wireframes of shapes, in colours of their kind and whether they sleep.
    pub shapes: bool,
    /// Shapes as triangles.
    pub faces: bool,
    /// Dynamic bodies in the colours of their islands: bodies that hold each other by contacts and
    /// joints have one colour.
    pub islands: bool,
    /// The smallest boxes along the axes round the shapes.
    pub shape_boxes: bool,
    /// The larger boxes that the broad phase works with.
    pub fat_boxes: bool,
    /// Volumes of the broad phase round several boxes, if its method has such.
    pub tree_boxes: bool,
    /// Contact points.
    pub contacts: bool,
    /// Normals of contact points.
    pub contact_normals: bool,
    /// Forces of contact points along their normals, and friction at their middle.
    pub contact_forces: bool,
    /// Joints: lines from the bodies to the anchors, and axes.
    pub joints: bool,
    /// Frames of joints on both bodies.
    pub joint_frames: bool,
    /// How far joints may go, and where they are.
    pub joint_limits: bool,
    /// Centres of mass, with the principal axes.
    pub centres_of_mass: bool,
    /// Frames of bodies.
    pub body_frames: bool,
    /// Velocities and angular velocities.
    pub velocities: bool,
    /// The names of bodies at their centres of mass.
    pub labels: bool,
    /// Only what lies in this box, or may: shapes by their boxes, the rest by its points.
    pub region: Option<Aabb<3>>,
    /// Straight parts of a circle: rounded up to a multiple of four, and 256 at most.
    pub segments: u32,
    /// Opacity of triangles, 0 to 255.
    pub face_opacity: u8,
    /// How far planes without end are drawn to each side of their origin, metres.
    pub plane_reach: f32,
    /// Length of the axes of frames, and radius of the arcs of joints, metres.
    pub axis_length: f32,
    /// Length of normals, metres.
    pub normal_length: f32,
    /// Length of a force of a newton, metres.
    pub force_scale: f32,
    /// Length of a velocity of a metre per second or a radian per second, metres.
    pub velocity_scale: f32,
    /// Colours.
    pub colours: DebugColours,
}

impl Default for DebugDrawOptions {
    fn default() -> Self {
        Self { shapes: true, contacts: true, contact_normals: true, joints: true, ..Self::nothing() }
    }
}

impl DebugDrawOptions {
    /// Most straight parts of a circle.
    pub const MOST_SEGMENTS: u32 = 256;

    /// Nothing is drawn: a start for those who want few things.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            shapes: false,
            faces: false,
            islands: false,
            shape_boxes: false,
            fat_boxes: false,
            tree_boxes: false,
            contacts: false,
            contact_normals: false,
            contact_forces: false,
            joints: false,
            joint_frames: false,
            joint_limits: false,
            centres_of_mass: false,
            body_frames: false,
            velocities: false,
            labels: false,
            region: None,
            segments: 24,
            face_opacity: 60,
            plane_reach: 10.0,
            axis_length: 0.25,
            normal_length: 0.15,
            force_scale: 1e-4,
            velocity_scale: 0.1,
            colours: DebugColours::default(),
        }
    }

    /// Everything is drawn.
    #[must_use]
    pub fn everything() -> Self {
        Self {
            shapes: true,
            faces: true,
            islands: true,
            shape_boxes: true,
            fat_boxes: true,
            tree_boxes: true,
            contacts: true,
            contact_normals: true,
            contact_forces: true,
            joints: true,
            joint_frames: true,
            joint_limits: true,
            centres_of_mass: true,
            body_frames: true,
            velocities: true,
            labels: true,
            ..Self::nothing()
        }
    }
}
