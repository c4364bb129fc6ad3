//! Arbitrary scenes for property tests: every variant of the model, every kind of finite number.

use proptest::array::{uniform2, uniform3, uniform4, uniform6};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::model::{
    Action, Anchors, AngularVelocity, Axis, AxisFreedom, Body, BodyKind, Camera, Event, Field, FieldKind,
    Filter, Freedom, Joint, JointKind, Limits, LockedAxes, Look, Mass, Material, Motor, Orientation, Region,
    Scene, Shape, ShapeKind, SolverSettings, SpringLaw, Style, WorldSettings,
};

/// Ordinary and odd numbers alike: any finite bits, and often those people write or tests forget.
fn number() -> impl Strategy<Value = f32> {
    let any_bits = any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite());
    let odd = prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1.0),
        Just(-1.0),
        Just(f32::MAX),
        Just(f32::MIN),
        Just(f32::from_bits(1)),
        Just(f32::MIN_POSITIVE),
        Just(0.1),
        Just(f32::from_bits(0x15ae_43fd)),
        (-1000i16..1000).prop_map(f32::from),
    ];
    prop_oneof![any_bits, odd]
}

fn triple() -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![Just([0.0; 3]), uniform3(number())]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9-]{0,6}", "\\PC{0,4}", "[\\x00-\\x7f]{0,4}", (0u8..4).prop_map(|n| n.to_string())]
}

fn orientation() -> impl Strategy<Value = Orientation> {
    prop_oneof![
        Just(Orientation::IDENTITY),
        uniform4(number()).prop_map(Orientation::Quaternion),
        triple().prop_map(Orientation::EulerDegrees),
    ]
}

fn axis() -> impl Strategy<Value = Axis> {
    prop_oneof![Just(Axis::X), Just(Axis::Y), Just(Axis::Z)]
}

fn shape_kind() -> impl Strategy<Value = ShapeKind> {
    let long = || (number(), number(), axis());
    prop_oneof![
        number().prop_map(|radius| ShapeKind::Sphere { radius }),
        long().prop_map(|(radius, length, axis)| ShapeKind::Capsule { radius, length, axis }),
        (number(), number()).prop_map(|(length, width)| ShapeKind::Tile { length, width }),
        triple().prop_map(|size| ShapeKind::Box { size }),
        long().prop_map(|(radius, length, axis)| ShapeKind::Cylinder { radius, length, axis }),
        long().prop_map(|(radius, length, axis)| ShapeKind::Cone { radius, length, axis }),
        triple().prop_map(|radii| ShapeKind::Ellipsoid { radii }),
        Just(ShapeKind::HalfSpace),
        uniform3(triple()).prop_map(|corners| ShapeKind::Triangle { corners }),
        vec(triple(), 0..6).prop_map(|points| ShapeKind::Convex { points }),
        (name(), number()).prop_map(|(path, scale)| ShapeKind::Mesh { path, scale }),
        (vec(triple(), 0..6), vec(uniform3(any::<u32>()), 0..4))
            .prop_map(|(vertices, triangles)| ShapeKind::TriangleMesh { vertices, triangles }),
        (any::<u32>(), vec(number(), 0..30), uniform2(number()))
            .prop_map(|(columns, heights, spacing)| { ShapeKind::HeightField { columns, heights, spacing } }),
    ]
}

fn material() -> impl Strategy<Value = Material> {
    let free = uniform4(number()).prop_map(|[friction, restitution, density, rolling_friction]| Material {
        friction,
        restitution,
        density,
        rolling_friction,
    });
    prop_oneof![Just(Material::default()), free]
}

fn filter() -> impl Strategy<Value = Filter> {
    let free = (any::<u32>(), any::<u32>(), any::<i32>()).prop_map(|(layers, mask, group)| Filter {
        layers,
        mask,
        group,
    });
    prop_oneof![Just(Filter::default()), free]
}

fn shape() -> impl Strategy<Value = Shape> {
    (shape_kind(), triple(), orientation(), material(), filter(), any::<bool>()).prop_map(
        |(kind, position, orientation, material, filter, sensor)| Shape {
            kind,
            position,
            orientation,
            material,
            filter,
            sensor,
        },
    )
}

fn body_kind() -> impl Strategy<Value = BodyKind> {
    prop_oneof![
        Just(BodyKind::Static),
        Just(BodyKind::Kinematic),
        Just(BodyKind::Dynamic),
        Just(BodyKind::Particle)
    ]
}

fn mass() -> impl Strategy<Value = Mass> {
    prop_oneof![
        Just(Mass::FromDensity),
        number().prop_map(Mass::Total),
        (number(), triple(), uniform6(number())).prop_map(|(mass, centre, inertia)| Mass::Full {
            mass,
            centre,
            inertia
        }),
    ]
}

fn look() -> impl Strategy<Value = Look> {
    let style = prop_oneof![Just(Style::Plain), Just(Style::Rocket)];
    let free = (any::<[u8; 3]>(), any::<bool>(), style).prop_map(|(colour, visible, style)| Look {
        colour,
        visible,
        style,
    });
    prop_oneof![Just(Look::default()), free]
}

fn body() -> impl Strategy<Value = Body> {
    let angular_velocity =
        prop_oneof![triple().prop_map(AngularVelocity::Radians), triple().prop_map(AngularVelocity::Degrees)];
    let state = (triple(), orientation(), triple(), angular_velocity, triple());
    let numbers = (uniform3(number()), of(number()), of(number()), mass());
    let locked = (any::<[bool; 3]>(), any::<[bool; 3]>())
        .prop_map(|(translation, rotation)| LockedAxes { translation, rotation });
    let flags = (locked, any::<bool>(), any::<bool>());
    (name(), body_kind(), state, numbers, flags, vec(shape(), 0..3), look()).prop_map(
        |(
            id,
            kind,
            (position, orientation, velocity, angular_velocity, acceleration),
            numbers,
            flags,
            shapes,
            look,
        )| {
            let ([gravity_scale, linear_damping, angular_damping], max_speed, max_angular_speed, mass) =
                numbers;
            let (locked, bullet, can_sleep) = flags;
            Body {
                id,
                kind,
                position,
                orientation,
                velocity,
                angular_velocity,
                acceleration,
                gravity_scale,
                linear_damping,
                angular_damping,
                max_speed,
                max_angular_speed,
                mass,
                locked,
                bullet,
                can_sleep,
                shapes,
                look,
            }
        },
    )
}

fn limits() -> impl Strategy<Value = Limits> {
    (number(), number()).prop_map(|(min, max)| Limits { min, max })
}

fn law() -> impl Strategy<Value = SpringLaw> {
    prop_oneof![
        (number(), number()).prop_map(|(stiffness, damping)| SpringLaw::Hooke { stiffness, damping }),
        (number(), number()).prop_map(|(hertz, ratio)| SpringLaw::Tuned { hertz, ratio }),
    ]
}

fn motor() -> impl Strategy<Value = Motor> {
    (number(), of(number()), number(), number(), of(number())).prop_map(
        |(velocity, position, stiffness, damping, max_force)| Motor {
            velocity,
            position,
            stiffness,
            damping,
            max_force,
        },
    )
}

fn axis_freedom() -> impl Strategy<Value = AxisFreedom> {
    let freedom =
        prop_oneof![Just(Freedom::Locked), limits().prop_map(Freedom::Limited), Just(Freedom::Free)];
    (freedom, of(motor()), of(law())).prop_map(|(freedom, motor, spring)| AxisFreedom {
        freedom,
        motor,
        spring,
    })
}

fn joint_kind() -> impl Strategy<Value = JointKind> {
    let one_axis = || (triple(), of(limits()), of(motor()), of(law()));
    prop_oneof![
        (triple(), triple()).prop_map(|(min, max)| JointKind::Boundary { min, max }),
        of(number()).prop_map(|length| JointKind::Rod { length }),
        of(number()).prop_map(|length| JointKind::Rope { length }),
        (of(number()), law()).prop_map(|(rest_length, law)| JointKind::Spring { rest_length, law }),
        (of(number()), of(number()), of(number()), of(law())).prop_map(|(min, max, rest_length, spring)| {
            JointKind::Distance { min, max, rest_length, spring }
        }),
        (of(number()), of(limits()), triple(), of(law()), of(number())).prop_map(
            |(cone, twist, axis, spring, friction)| JointKind::Ball { cone, twist, axis, spring, friction }
        ),
        one_axis().prop_map(|(axis, limits, motor, spring)| JointKind::Hinge { axis, limits, motor, spring }),
        one_axis().prop_map(|(axis, limits, motor, spring)| JointKind::Slider {
            axis,
            limits,
            motor,
            spring
        }),
        of(law()).prop_map(|spring| JointKind::Fixed { spring }),
        (triple(), triple()).prop_map(|(axis_a, axis_b)| JointKind::Universal { axis_a, axis_b }),
        (triple(), triple(), of(law()), of(limits()), of(motor()), axis_freedom()).prop_map(
            |(suspension, axle, spring, travel, motor, steering)| JointKind::Wheel {
                suspension,
                axle,
                spring,
                travel,
                motor,
                steering
            }
        ),
        uniform6(axis_freedom()).prop_map(|axes| JointKind::Generic { axes }),
    ]
}

fn joint() -> impl Strategy<Value = Joint> {
    let anchors = prop_oneof![
        triple().prop_map(Anchors::World),
        (triple(), triple()).prop_map(|(a, b)| Anchors::Local(a, b))
    ];
    (name(), name(), of(name()), anchors, joint_kind(), any::<bool>(), of(number()), of(number())).prop_map(
        |(id, a, b, anchors, kind, collide, break_force, break_torque)| Joint {
            id,
            a,
            b,
            anchors,
            kind,
            collide,
            break_force,
            break_torque,
        },
    )
}

fn field() -> impl Strategy<Value = Field> {
    let region = prop_oneof![
        Just(Region::Everywhere),
        (triple(), triple()).prop_map(|(min, max)| Region::Box { min, max }),
        (triple(), number()).prop_map(|(centre, radius)| Region::Sphere { centre, radius }),
    ];
    let kind = prop_oneof![
        triple().prop_map(|acceleration| FieldKind::Uniform { acceleration }),
        (triple(), number(), number()).prop_map(|(centre, strength, softening)| FieldKind::Attractor {
            centre,
            strength,
            softening
        }),
        (triple(), number(), number()).prop_map(|(wind, linear, quadratic)| FieldKind::Drag {
            wind,
            linear,
            quadratic
        }),
        (triple(), triple(), number()).prop_map(|(centre, axis, strength)| FieldKind::Vortex {
            centre,
            axis,
            strength
        }),
        (number(), number(), number()).prop_map(|(level, density, drag)| FieldKind::Buoyancy {
            level,
            density,
            drag
        }),
    ];
    (region, kind).prop_map(|(region, kind)| Field { region, kind })
}

fn event() -> impl Strategy<Value = Event> {
    let action = prop_oneof![
        body().prop_map(|body| Action::Spawn(Box::new(body))),
        name().prop_map(|body| Action::Remove { body }),
        (name(), of(motor())).prop_map(|(joint, motor)| Action::SetMotor { joint, motor }),
        (name(), triple()).prop_map(|(body, velocity)| Action::SetVelocity { body, velocity }),
        (name(), triple(), of(triple())).prop_map(|(body, impulse, point)| Action::Impulse {
            body,
            impulse,
            point
        }),
        triple().prop_map(|gravity| Action::SetGravity { gravity }),
    ];
    (number(), action).prop_map(|(time, action)| Event { time, action })
}

fn camera() -> impl Strategy<Value = Camera> {
    prop_oneof![
        Just(Camera::default()),
        (number(), number(), number(), triple()).prop_map(|(distance, pitch, yaw, target)| Camera::Orbit {
            distance,
            pitch,
            yaw,
            target
        }),
        (triple(), number(), number()).prop_map(|(position, pitch, yaw)| Camera::Free {
            position,
            pitch,
            yaw
        }),
    ]
}

fn solver() -> impl Strategy<Value = SolverSettings> {
    let counts = || of(any::<u32>());
    let names = (of(name()), of(name()), of(name()), of(name()));
    ((counts(), counts(), counts(), counts()), names, of(any::<bool>())).prop_map(
        |((steps_per_second, frames, substeps, iterations), (solver, broad, narrow, integrator), sleep)| {
            SolverSettings {
                steps_per_second,
                frames,
                substeps,
                iterations,
                solver,
                broad,
                narrow,
                integrator,
                sleep,
            }
        },
    )
}

/// A scene with anything in it, sensible or not; all numbers finite.
pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    let wide = any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite());
    let world = (triple(), prop_oneof![Just([0.0; 3]), uniform3(wide)])
        .prop_map(|(gravity, origin)| WorldSettings { gravity, origin });
    let head = (name(), name(), world, solver(), camera());
    let lists = (vec(body(), 0..4), vec(joint(), 0..4), vec(field(), 0..3), vec(event(), 0..4));
    (head, lists).prop_map(
        |((name, description, world, solver, camera), (bodies, joints, fields, events))| Scene {
            name,
            description,
            world,
            solver,
            camera,
            bodies,
            joints,
            fields,
            events,
        },
    )
}
