//! Shapes in an array by slot, and the boxes that the broad phase sees of them.

mod core;
mod shared;
mod stored;

pub(crate) use core::{ShapeCore, least_distance};
use shared::SharedPolytopes;

use carom_broadphase::Filter;
use carom_core::clone_fields;
use carom_core::prefetch::prefetch_at;
use carom_geometry::shape::{Bounded, Planar};
use carom_geometry::{Aabb, Pose, Shape};
use carom_narrowphase::toi::InnerBall;
use glam::{DVec3, Vec3};

use super::definition::{Layers, ShapeDef};
use super::id::{NONE, ShapeId, Slots};
use super::material::Material;
use crate::state::motion::Motion;

/// Extents beyond this count as this: infinite ones would make NaN of bodies that do not turn.
const LARGEST_EXTENT: f32 = 1e9;

/// What collision reads of a shape.
#[derive(Clone, Debug)]
pub(crate) struct ShapeRow {
    pub(crate) shape: Shape,
    /// Where it is in the principal frame of its body.
    pub(crate) local_pose: Pose,
    /// Slot of its body.
    pub(crate) body: u32,
    /// Its box in the broad phase.
    pub(crate) proxy: u32,
    /// Centre of its box, in the frame of the shape.
    centre: Vec3,
    /// Half extents of its box without the rounding, in the frame of the shape.
    half: Vec3,
    /// Rounding of the box: with it, boxes of balls and capsules are exact however they are turned.
    radius: f32,
    /// Is the box taken from the shape itself? A box around the turned box of a ball-like shape has
    /// up to five times the volume.
    has_exact_box: bool,
    /// Farthest point from the origin of the shape.
    pub(crate) extent: f32,
    /// Half the thickness of the shape where it is thinnest, or somewhat more; 0 for flat shapes,
    /// infinite for half-spaces.
    pub(crate) half_thickness: f32,
    pub(crate) material: Material,
    pub(crate) is_sensor: bool,
    /// Are the shape and its body enabled?
    pub(crate) is_enabled: bool,
    /// Meets others in several manifolds.
    pub(crate) is_composite: bool,
    /// Is convex and has no thickness.
    pub(crate) is_flat: bool,
    /// Is the place the identity?
    pub(crate) is_centred: bool,
    /// Has its body other shapes?
    pub(crate) has_siblings: bool,
}

/// What hardly any step reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeCold {
    /// Where it is in the frame of the user.
    pub(crate) user_pose: Pose,
    pub(crate) layers: Layers,
    /// kg/m³, or kg/m² for surfaces.
    pub(crate) density: f32,
    /// Is the shape enabled? Its body may not be.
    pub(crate) is_enabled: bool,
    /// Contact forces above this are told, N.
    pub(crate) contact_force_threshold: f32,
    pub(crate) next_of_body: u32,
    pub(crate) user_data: u64,
}

impl ShapeCold {
    /// Of a shape that is on no body yet.
    pub(crate) fn new(def: &ShapeDef) -> Self {
        Self {
            user_pose: def.local_pose,
            layers: def.layers,
            density: def.density,
            is_enabled: def.is_enabled,
            contact_force_threshold: def.contact_force_threshold,
            next_of_body: NONE,
            user_data: def.user_data,
        }
    }
}

/// All shapes.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    pub(crate) cold: Slots<ShapeCold>,
    pub(crate) rows: Vec<ShapeRow>,
    /// Slots by box of the broad phase.
    of_proxy: Vec<u32>,
    /// By box of the broad phase.
    cores: Vec<ShapeCore>,
    polytopes: SharedPolytopes,
    /// Has any shape ever resisted rolling?
    pub(crate) has_rolling: bool,
    /// Has any shape ever had a surface velocity?
    pub(crate) has_surface_velocity: bool,
    /// Has any shape ever had a threshold of contact forces?
    pub(crate) has_force_threshold: bool,
}

clone_fields!(Shapes {
    cold,
    rows,
    of_proxy,
    cores,
    polytopes,
    has_rolling,
    has_surface_velocity,
    has_force_threshold,
});

impl Shapes {
    /// Inserts a shape; its box and its place in the principal frame come later.
    pub(crate) fn insert(&mut self, body: u32, row: ShapeRow, cold: ShapeCold, next_of_body: u32) -> ShapeId {
        let id: ShapeId = self.cold.insert(ShapeCold { next_of_body, ..cold });
        let mut row = ShapeRow { body, ..row };
        self.polytopes.share(&mut row.shape);
        self.note_material(&row.material);
        self.note_force_threshold(cold.contact_force_threshold);
        match self.rows.get_mut(id.index()) {
            Some(place) => *place = row,
            None => self.rows.push(row),
        }
        id
    }

    /// Makes another shape of one in use; its place in the principal frame comes later.
    pub(crate) fn redefine(&mut self, slot: u32, def: &ShapeDef) {
        let Some(cold) = self.cold.get_mut(slot) else { return };
        *cold = ShapeCold { next_of_body: cold.next_of_body, ..ShapeCold::new(def) };
        let ShapeRow { body, proxy, has_siblings, is_enabled, .. } = self.rows[slot as usize];
        let mut row = ShapeRow { body, proxy, has_siblings, is_enabled, ..ShapeRow::new(def) };
        self.polytopes.share(&mut row.shape);
        self.note_material(&row.material);
        self.note_force_threshold(def.contact_force_threshold);
        self.rows[slot as usize] = row;
    }

    /// Notes what stages of a step are needed for a material.
    fn note_material(&mut self, material: &Material) {
        self.has_rolling |= material.rolling > 0.0;
        self.has_surface_velocity |= material.surface_velocity != Vec3::ZERO;
    }

    fn note_force_threshold(&mut self, threshold: f32) {
        self.has_force_threshold |= threshold < f32::INFINITY;
    }

    /// Gives a shape another threshold of contact forces.
    pub(crate) fn set_force_threshold(&mut self, slot: u32, threshold: f32) {
        if let Some(cold) = self.cold.get_mut(slot) {
            cold.contact_force_threshold = threshold;
        }
        self.note_force_threshold(threshold);
    }

    /// Force beyond which the contact of two shapes is told, N.
    pub(crate) fn force_threshold(&self, slots: [u32; 2]) -> f32 {
        slots.iter().filter_map(|slot| self.cold.get(*slot)).fold(f32::INFINITY, |least, cold| {
            if cold.contact_force_threshold < least { cold.contact_force_threshold } else { least }
        })
    }

    /// Gives a shape another surface.
    pub(crate) fn set_material(&mut self, slot: u32, material: Material) {
        self.rows[slot as usize].material = material;
        self.note_material(&material);
    }

    /// Notes which box stands for a shape.
    pub(crate) fn set_proxy(&mut self, slot: u32, proxy: u32) {
        self.rows[slot as usize].proxy = proxy;
        let at = proxy as usize;
        if at >= self.of_proxy.len() {
            self.of_proxy.resize(at + 1, NONE);
            self.cores.resize(at + 1, ShapeCore::NONE);
        }
        self.of_proxy[at] = slot;
        self.cores[at] = ShapeCore::of(&self.rows[slot as usize]);
    }

    /// Puts a shape somewhere else in the principal frame of its body.
    pub(crate) fn replace(&mut self, slot: u32, pose: Pose) {
        let row = &mut self.rows[slot as usize];
        row.set_local_pose(pose);
        if let Some(core) = self.cores.get_mut(row.proxy as usize) {
            *core = ShapeCore::of(row);
        }
    }

    /// Asks for [`Self::core`].
    #[inline(always)]
    pub(crate) fn prefetch_core(&self, proxy: u32) {
        prefetch_at(&self.cores, proxy);
    }

    /// What contains the shape that a box stands for.
    #[inline]
    pub(crate) fn core(&self, proxy: u32) -> &ShapeCore {
        &self.cores[proxy as usize]
    }

    /// The shape that a box stands for.
    #[inline]
    pub(crate) fn of_proxy(&self, proxy: u32) -> u32 {
        self.of_proxy[proxy as usize]
    }

    /// Slots of shapes by box of the broad phase.
    pub(crate) fn proxies(&self) -> &[u32] {
        &self.of_proxy
    }

    /// Notes of all shapes of a body whether they are alone.
    pub(crate) fn note_siblings(&mut self, first: u32) {
        let has_siblings = self.chain(first).nth(1).is_some();
        let mut slot = first;
        while slot != NONE {
            self.rows[slot as usize].has_siblings = has_siblings;
            slot = self.cold.get(slot).map_or(NONE, |cold| cold.next_of_body);
        }
    }

    /// Slots of the shapes of a body, from the first.
    pub(crate) fn chain(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(first).filter(|slot| *slot != NONE), |slot| {
            self.cold.get(*slot).map(|cold| cold.next_of_body).filter(|next| *next != NONE)
        })
    }

    /// As [`Self::chain`], once it was [noted](Self::note_siblings) which shapes are alone: of
    /// those nothing more is read.
    #[inline]
    pub(crate) fn noted_chain(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(first).filter(|slot| *slot != NONE), |slot| {
            if !self.rows[*slot as usize].has_siblings {
                return None;
            }
            self.cold.get(*slot).map(|cold| cold.next_of_body).filter(|next| *next != NONE)
        })
    }

    /// With whom a shape pairs in the broad phase. A shape that is alone on its body needs not say
    /// which that is: filters cost nothing where no shape has a body or layers to tell. One that is
    /// disabled pairs with nobody.
    pub(crate) fn filter(&self, slot: u32, is_static: bool) -> Filter {
        let layers = self.cold.get(slot).map_or(Layers::default(), |cold| cold.layers);
        let row = &self.rows[slot as usize];
        if !row.is_enabled {
            return Filter { category: 0, mask: 0, ..Filter::STATIC };
        }
        let body = row.has_siblings.then_some(row.body);
        Filter { is_static, body, ..layers.filter() }
    }
}

impl ShapeRow {
    /// Of a shape that is on no body yet.
    pub(crate) fn new(def: &ShapeDef) -> Self {
        let shape = def.shape.clone();
        let (centre, half, radius) = rounded_box(&shape);
        let half_thickness = half_thickness(&shape);
        let is_composite = matches!(shape, Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_));
        Self {
            half_thickness,
            is_flat: half_thickness == 0.0 && !is_composite,
            extent: extent_of(&shape).unwrap_or(centre.length() + half.length() + radius),
            centre,
            half,
            radius,
            has_exact_box: has_exact_box(&shape),
            local_pose: def.local_pose,
            body: NONE,
            proxy: NONE,
            material: def.material,
            is_sensor: def.is_sensor,
            is_enabled: def.is_enabled,
            is_composite,
            is_centred: def.local_pose == Pose::IDENTITY,
            has_siblings: false,
            shape,
        }
    }

    /// Puts the shape somewhere else in the principal frame.
    pub(crate) fn set_local_pose(&mut self, pose: Pose) {
        self.local_pose = pose;
        self.is_centred = pose == Pose::IDENTITY;
    }

    /// Farthest point of the shape from the centre of mass of its body, at most [`LARGEST_EXTENT`].
    pub(crate) fn bounded_reach(&self) -> f32 {
        let reach = self.local_pose.translation.length() + self.extent;
        if reach < LARGEST_EXTENT { reach } else { LARGEST_EXTENT }
    }

    /// See [`BodyState::turn_radius`](super::bodies::BodyState::turn_radius).
    pub(crate) fn bounded_turn_radius(&self) -> f32 {
        let core = extent_of(&self.shape).unwrap_or(self.centre.length() + self.half.length());
        let radius = self.local_pose.translation.length() + core;
        if radius < LARGEST_EXTENT { radius } else { LARGEST_EXTENT }
    }

    /// The box of the shape when its body moves like this, rounded outwards.
    pub(crate) fn tight_box(&self, motion: &Motion) -> Aabb<3> {
        let rotation = motion.rotation * self.local_pose.rotation;
        if !self.half.is_finite() {
            // Half-spaces: their box depends on how they are turned in a way of its own.
            let centre = motion.position + motion.rotation.rotate(self.local_pose.translation).as_dvec3();
            return self.shape.aabb_at(&Pose::new(centre.as_vec3(), rotation));
        }
        if self.has_exact_box {
            let bounds = self.shape.aabb_at(&Pose::new(Vec3::ZERO, rotation));
            let local = motion.rotation.rotate(self.local_pose.translation);
            let centre = motion.position + local.as_dvec3() + bounds.centre().as_dvec3();
            // Rounding of the support points and of the centre between them.
            return around(centre, bounds.half() + Vec3::splat(self.extent * (8.0 * f32::EPSILON)));
        }
        let local = self.local_pose.translation + self.local_pose.rotation.rotate(self.centre);
        let centre = motion.position + motion.rotation.rotate(local).as_dvec3();
        let reach = rotation.to_matrix().abs().times(self.half) + Vec3::splat(self.radius);
        around(centre, reach)
    }
}

/// A box around a point that may be far from the origin, rounded outwards.
fn around(centre: DVec3, reach: Vec3) -> Aabb<3> {
    let near = centre.as_vec3();
    // Rounding of the centre, of the sums, and of the reach.
    let reach = reach * (1.0 + 8.0 * f32::EPSILON) + near.abs() * (2.0 * f32::EPSILON);
    Aabb { min: (near - reach).to_array(), max: (near + reach).to_array() }
}

/// Polytopes of so many vertices or fewer have exact boxes: 32 take 30 ns, eight at a time.
const MOST_VERTICES: usize = 64;

/// See [`ShapeRow::has_exact_box`].
fn has_exact_box(shape: &Shape) -> bool {
    match shape {
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => true,
        Shape::Polytope(polytope) => polytope.points().len() <= MOST_VERTICES,
        Shape::Planar(figure) => matches!(figure, Planar::Polygon(_)),
        _ => false,
    }
}

/// Farthest point of a shape from its origin, rounded up, where it is not the corner of its box.
fn extent_of(shape: &Shape) -> Option<f32> {
    let square = match shape {
        Shape::Cylinder(c) => c.radius * c.radius + c.half_length * c.half_length,
        Shape::Cone(c) => c.radius * c.radius + c.half_length * c.half_length,
        Shape::Ellipsoid(ellipsoid) => ellipsoid.radii.max_element() * ellipsoid.radii.max_element(),
        Shape::Polytope(polytope) => {
            polytope.points().iter().fold(0.0, |most, point| point.length_squared().max(most))
        }
        Shape::Planar(Planar::Polygon(polygon)) => {
            let most = polygon.vertices().iter().fold(0.0, |most, v| v.length_squared().max(most));
            return Some((most.sqrt() + polygon.radius()) * (1.0 + 4.0 * f32::EPSILON));
        }
        _ => return None,
    };
    Some(square.sqrt() * (1.0 + 4.0 * f32::EPSILON))
}

/// See [`ShapeRow::half_thickness`]. A compound is as thin as the thinnest of its children.
/// Recursion is bounded by the depth of compounds.
fn half_thickness(shape: &Shape) -> f32 {
    match shape {
        Shape::HalfSpace(_) => f32::INFINITY,
        Shape::Compound(compound) => compound.children().iter().fold(f32::INFINITY, |thinnest, child| {
            let own = half_thickness(&child.shape);
            if own < thinnest { own } else { thinnest }
        }),
        _ => InnerBall::of(shape).map_or_else(|| shape.aabb().half().min_element(), |ball| ball.radius),
    }
}

/// Centre, half extents and rounding of a box around a shape, in its frame; infinite half extents
/// for half-spaces.
fn rounded_box(shape: &Shape) -> (Vec3, Vec3, f32) {
    match shape {
        Shape::Sphere(ball) => (Vec3::ZERO, Vec3::ZERO, ball.radius),
        Shape::Capsule(capsule) => {
            let (a, b) = (capsule.segment.a, capsule.segment.b);
            ((a + b) * 0.5, (b - a).abs() * 0.5, capsule.radius)
        }
        Shape::HalfSpace(_) => (Vec3::ZERO, Vec3::INFINITY, 0.0),
        Shape::Planar(Planar::Disc { radius }) => (Vec3::ZERO, Vec3::ZERO, *radius),
        Shape::Planar(Planar::Capsule { ends: [a, b], radius }) => {
            (((*a + *b) * 0.5).extend(0.0), ((*b - *a).abs() * 0.5).extend(0.0), *radius)
        }
        Shape::Planar(Planar::Rectangle { half, radius }) => (Vec3::ZERO, half.extend(0.0), *radius),
        _ => {
            let aabb = shape.aabb();
            (aabb.centre(), aabb.half(), 0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use carom_core::random::Random;
    use carom_geometry::hull::{HullOptions, convex_hull};
    use carom_geometry::shape::{Cone, Cylinder, Ellipsoid, Support};
    use carom_geometry::{Polytope, Rotation};

    use super::*;

    /// A shape with a point of it farthest along a direction.
    type WithSupport = (Shape, Box<dyn Fn(Vec3) -> Vec3>);

    fn with(shape: impl Support<f32> + Clone + Into<Shape> + 'static) -> WithSupport {
        (shape.clone().into(), Box::new(move |direction| shape.support(direction)))
    }

    /// Ball-like, flat, long and off their origin.
    fn zoo() -> Vec<WithSupport> {
        let away: Vec<Vec3> =
            (0..20).map(|k| Vec3::new((k % 3) as f32 + 7.0, (k % 5) as f32, (k % 7) as f32)).collect();
        let mut all = vec![
            with(Cylinder { radius: 0.5, half_length: 0.01 }),
            with(Cylinder { radius: 0.02, half_length: 3.0 }),
            with(Cone { radius: 0.7, half_length: 0.4 }),
            with(Ellipsoid { radii: Vec3::new(0.2, 1.0, 0.6) }),
            with(Polytope::cuboid(Vec3::new(0.3, 1.0, 2.0)).unwrap()),
            with(convex_hull(&away, &HullOptions::default()).unwrap()),
        ];
        all.extend([8, 32, 64, 200].map(|count| with(Polytope::random_on_sphere(count, 2.0, 3).unwrap())));
        all
    }

    fn random_rotation(random: &mut Random) -> Rotation {
        Rotation::from_rotation_vector(Vec3::from(random.direction()) * random.range(0.0, 3.1))
    }

    #[test]
    fn boxes_contain_their_shapes_and_no_room() {
        let mut random = Random::new(5);
        for (shape, support) in zoo() {
            let row = ShapeRow::new(&ShapeDef::new(shape));
            for at in 0..200 {
                let far = [0.0, 10.0, 1e5][at % 3];
                let mut row = row.clone();
                if at % 2 == 1 {
                    let offset = Vec3::from(random.direction()) * 3.0;
                    row.set_local_pose(Pose::new(offset, random_rotation(&mut random)));
                }
                let motion = Motion {
                    position: Vec3::from(random.direction()).as_dvec3() * far,
                    rotation: random_rotation(&mut random),
                    velocity: Vec3::ZERO,
                    angular_velocity: Vec3::ZERO,
                };
                let bounds = row.tight_box(&motion);
                let local = row.local_pose.to::<f64>();
                let turn = motion.rotation.to::<f64>();
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    for direction in [axis, -axis] {
                        let seen =
                            row.local_pose.rotation.rotate_back(motion.rotation.rotate_back(direction));
                        let point = motion.position + turn.rotate(local.apply(support(seen).as_dvec3()));
                        let corner = if direction == axis { bounds.high() } else { bounds.low() };
                        let room = direction.as_dvec3().dot(corner.as_dvec3() - point);
                        assert!(room >= 0.0, "{:?} is out by {room}", row.shape.name());
                        let rounding = 1e-6 * (far + 20.0);
                        assert!(!row.has_exact_box || room <= rounding, "{} has {room}", row.shape.name());
                    }
                }
            }
        }
    }

    #[test]
    fn extents_reach_the_farthest_point_and_not_beyond() {
        let mut random = Random::new(6);
        for (shape, support) in zoo() {
            let extent = ShapeRow::new(&ShapeDef::new(shape.clone())).extent;
            let mut most = 0.0f32;
            for _ in 0..2000 {
                most = most.max(support(random.direction().into()).length());
            }
            assert!(most <= extent && extent <= 1.001 * most, "{}: {extent}, {most}", shape.name());
        }
    }
}
