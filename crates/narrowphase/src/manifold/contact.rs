//! Contact points from two supporting support features.
//!
//! The support feature that is most nearly perpendicular to the normal is the *reference*; the
//! other one, the *incident*, is cut to the prism above it, and every corner left is a contact
//! point: on the incident support feature, and below it along the normal on the reference plane.
//! All pairs with the same normal go this way, whichever algorithm has found it; that clipping
//! serves every convex pair is known from ODE, Bullet (E. Coumans) and Jolt (J. Rouwe).
//!
//! The separations are true along the normal and grow from the closest or deepest points to both
//! sides. Where clipping misses those (round rims stand as octagons, faces with more than 32
//! corners are thinned), they are added as a point.

use carom_geometry::{Matrix3, Pose, Real, Vector};
use glam::Vec3;

use super::clip::{CUTTER, Corner, Polygon, cut_segment};
use super::reduce::Candidates;
use super::{FeatureId, Manifold, ManifoldPoint, Part};
use crate::Proximity;
use crate::support_feature::{MAX_CORNERS, SupportFeature, SupportFeatureMap, SupportFeatureView};

/// Cosine between normal and support feature below which the support feature is no reference: 75°.
pub(crate) const LEAST_COSINE: f32 = 0.26;

/// By how much the cosine of the second support feature must be larger to be the reference: without
/// a lead the roles would change with every rounding.
const SECOND_LEAD: f32 = 1e-3;

/// Points of one name count as the same if they are closer than this share of their distance from
/// the first corner.
const SAME_POINT: f32 = 1e-5;

/// Sine of the angle below which two segments count as parallel and touch in two points.
pub(crate) const PARALLEL_SINE: f32 = 0.01;

/// Sine of the angle up to which two lines of round walls share a stretch of contact.
pub(crate) const NEARLY_PARALLEL_SINE: f32 = 0.2;

/// How far such lines may be beside each other at the ends of the stretch, as a share of the radii
/// of both walls together: the walls are farther apart there by its half square.
const BESIDE: f32 = 0.05;

/// The contact of two shapes from their supporting support features, both in the frame of the first
/// shape, and an answer with their closest or deepest points. `previous` are the points in use so
/// far, to stay with them if there are more than four.
///
/// All points with a separation of at most `speculative_distance` count. There is one point at
/// least, except where the distance exceeds the speculative distance.
#[must_use]
pub fn contact(
    a: SupportFeatureView<'_>,
    b: SupportFeatureView<'_>,
    proximity: &Proximity,
    pose: &Pose,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    let normal = proximity.normal;
    if proximity.distance > speculative_distance {
        return Manifold::new(normal);
    }
    let align = |support_feature: &SupportFeatureView<'_>, out: Vec3| {
        if support_feature.corners.len() >= 3 { support_feature.normal.dot(out) } else { f32::NEG_INFINITY }
    };
    let (align_a, align_b) = (align(&a, normal), align(&b, -normal));
    let is_second = align_b > align_a + SECOND_LEAD;
    let (reference, incident) = if is_second { (b, a) } else { (a, b) };
    let has_face = Real::max(align_a, align_b) >= LEAST_COSINE && incident.corners.len() >= 2;
    if !has_face {
        return match (a.corners, b.corners) {
            (&[a0, a1], &[b0, b1]) => {
                segments([a0, a1], [b0, b1], (&a, &b), proximity, pose, speculative_distance)
            }
            _ => Manifold::of_proximity(proximity, pose, FeatureId::CLOSEST),
        };
    }
    let job = Job {
        reference,
        incident,
        normal: if is_second { -normal } else { normal },
        is_second,
        closest: Some(proximity),
        pose,
        speculative_distance,
        previous,
    };
    job.run()
}

/// The contact of any two convex shapes from an answer with their closest or deepest points: takes
/// their support features along the normal and makes [`contact`] of them.
///
/// ```
/// use carom_geometry::{Pose, shape::{Capsule, Cuboid}};
/// use carom_narrowphase::{Manifold, gjk, manifold};
/// use glam::Vec3;
/// let (table, pill) = (Cuboid::cube(1.0f32)?, Capsule::along_z(0.5f32, 0.25)?);
/// let above = Pose::at(Vec3::new(0.0, 1.26, 0.0));
/// let found = gjk::proximity(&table, &pill, &above, &mut gjk::SimplexCache::default());
/// let contact = manifold::contact_of(&table, &pill, &above, &found, 0.02, &Manifold::default());
/// assert_eq!(contact.points().len(), 2);
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[must_use]
pub fn contact_of<A: SupportFeatureMap + ?Sized, B: SupportFeatureMap + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose,
    proximity: &Proximity,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    if proximity.distance > speculative_distance {
        return Manifold::new(proximity.normal);
    }
    let (mut feature_a, mut feature_b) = (SupportFeature::default(), SupportFeature::default());
    a.support_feature(proximity.normal, &mut feature_a);
    b.support_feature(-pose.rotation.rotate_back(proximity.normal), &mut feature_b);
    feature_b.pose(pose);
    contact(feature_a.view(), feature_b.view(), proximity, pose, speculative_distance, previous)
}

/// The contact above a face of the first shape (or of the second, if `is_second`): `normal` is the
/// outward normal of that face, the reference, and both support features are in the frame of the
/// first shape.
///
/// Points with a separation of at most `speculative_distance` count; there may be none. For callers
/// who know that the support features belong together, as a separating axis does: nothing is added
/// beside the clipped points.
#[must_use]
pub fn face_contact(
    reference: SupportFeatureView<'_>,
    incident: SupportFeatureView<'_>,
    normal: Vec3,
    is_second: bool,
    pose: &Pose,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    Job { reference, incident, normal, is_second, closest: None, pose, speculative_distance, previous }.run()
}

/// What is to be clipped.
struct Job<'a> {
    reference: SupportFeatureView<'a>,
    incident: SupportFeatureView<'a>,
    /// From the reference to the incident shape.
    normal: Vec3,
    /// True if the second shape is the reference.
    is_second: bool,
    closest: Option<&'a Proximity>,
    pose: &'a Pose,
    speculative_distance: f32,
    previous: &'a Manifold,
}

/// Coordinates across and along the normal, from the first corner of the reference.
struct Frame {
    origin: Vec3,
    u: Vec3,
    v: Vec3,
    n: Vec3,
    /// How the height of the reference plane changes with u and v.
    slope: [f32; 2],
}

impl Frame {
    #[inline]
    fn coordinates(&self, point: Vec3) -> [f32; 3] {
        let p = point - self.origin;
        [self.u.dot(p), self.v.dot(p), self.n.dot(p)]
    }

    #[inline]
    fn point(&self, [u, v, h]: [f32; 3]) -> Vec3 {
        self.origin + self.u * u + self.v * v + self.n * h
    }
}

impl Job<'_> {
    #[inline]
    fn run(&self) -> Manifold {
        // Buffers as small as possible: clearing large ones would take as long as the clipping of
        // boxes.
        match self.reference.corners.len() + self.incident.corners.len() {
            0..=8 => self.clip::<8, 8, 16>(),
            9..=16 => self.clip::<16, 16, 24>(),
            _ => self.clip::<{ 2 * MAX_CORNERS }, MAX_CORNERS, { 2 * MAX_CORNERS + 8 }>(),
        }
    }

    /// `N` corners in a clipped polygon, `R` corners of the reference and `C` candidates at most.
    #[inline]
    fn clip<const N: usize, const R: usize, const C: usize>(&self) -> Manifold {
        let frame = self.frame();
        let mut outline = [[0.0f32; 2]; R];
        for (pose, &corner) in outline.iter_mut().zip(self.reference.corners) {
            let p = corner - frame.origin;
            *pose = [frame.u.dot(p), frame.v.dot(p)];
        }
        let outline = &outline[..self.reference.corners.len().min(R)];
        let mut candidates = Candidates::<C>::new();
        let count = self.incident.corners.len() as u32;
        let corners = self.incident.corners.iter().zip(0..count).map(|(&corner, k)| {
            let arriving = if k == 0 { count - 1 } else { k - 1 };
            Corner::new(frame.coordinates(corner), arriving, k)
        });
        if count > 2 {
            let mut polygon = Polygon::<N>::new(corners);
            for k in 0..outline.len() {
                let next = if k + 1 == outline.len() { 0 } else { k + 1 };
                polygon.cut(k as u32, outline[k], outline[next]);
            }
            self.collect(&frame, polygon.corners(), &mut candidates)
        } else {
            let mut ends = [Corner::default(); 2];
            for (k, (pose, corner)) in ends.iter_mut().zip(corners).enumerate() {
                *pose = Corner { sides: (k << 16 | k) as u32, ..corner };
            }
            if count == 1 {
                ends[1] = ends[0];
            }
            let (corners, count) = cut_segment(ends, outline);
            self.collect(&frame, &corners[..count], &mut candidates)
        }
    }

    #[inline]
    fn frame(&self) -> Frame {
        let n = self.normal;
        let (u, v) = n.frame();
        let plane = self.reference.normal;
        let rise = -1.0 / Real::max(plane.dot(n), LEAST_COSINE);
        let slope = [plane.dot(u) * rise, plane.dot(v) * rise];
        Frame { origin: self.reference.corners[0], u, v, n, slope }
    }

    /// From clipped corners to contact points.
    #[inline]
    fn collect<const C: usize>(
        &self,
        frame: &Frame,
        corners: &[Corner],
        candidates: &mut Candidates<C>,
    ) -> Manifold {
        let radii = self.reference.radius + self.incident.radius;
        let mut heights = [0.0f32; C];
        let mut deepest = f32::INFINITY;
        for corner in corners {
            let gap = corner.h - (corner.u * frame.slope[0] + corner.v * frame.slope[1]);
            if gap - radii <= self.speculative_distance && candidates.len < C {
                let near = SAME_POINT * (Real::abs(corner.u) + Real::abs(corner.v));
                let name = self.name(*corner);
                if let Some(at) = candidates.push_renamed(corner.u, corner.v, gap - radii, name, near) {
                    heights[at] = corner.h;
                }
                deepest = Real::min(gap - radii, deepest);
            }
        }
        let normal = if self.is_second { -self.normal } else { self.normal };
        // Support features stand for round bodies roughly.
        let closest = self.closest.filter(|p| deepest > p.distance + rounding(p));
        let closest_at = candidates.len;
        if let Some(p) = closest {
            let [u, v, _] = frame.coordinates(p.on_a);
            candidates.push(u, v, p.distance, FeatureId::CLOSEST);
        }
        let mut ids = [FeatureId(0); Manifold::CAPACITY];
        let chosen = candidates.reduced(self.previous.features(&mut ids));
        let mut manifold = Manifold::new(normal);
        let rotation = self.pose.rotation.to_matrix();
        for &k in chosen.indices() {
            let k = usize::from(k);
            let (separation, feature) = (candidates.separations[k], candidates.ids[k]);
            let [on_a, on_b] = match closest {
                Some(p) if k == closest_at => [p.on_a, p.on_b],
                _ => {
                    let core = frame.point([candidates.xs[k], candidates.ys[k], heights[k]]);
                    let incident = core - frame.n * self.incident.radius;
                    let reference = incident - frame.n * separation;
                    if self.is_second { [incident, reference] } else { [reference, incident] }
                }
            };
            manifold.push(ManifoldPoint {
                on_a,
                on_b: undo(&rotation, self.pose, on_b),
                separation,
                feature,
            });
        }
        manifold
    }

    /// The features that meet in a clipped corner.
    #[inline]
    fn name(&self, corner: Corner) -> FeatureId {
        let (arriving, leaving) = (corner.arriving(), corner.leaving());
        let edges = |incident: u32, reference: u32| {
            let reference = self.reference.sides[(reference - CUTTER) as usize];
            // A segment has one side for both ends.
            (Part::Edge(reference), Part::Edge(self.incident.sides[incident as usize]))
        };
        let (reference, incident) = match (arriving < CUTTER, leaving < CUTTER) {
            (true, true) => {
                (Part::Face(self.reference.face), Part::Vertex(self.incident.names[leaving as usize]))
            }
            (true, false) => edges(arriving, leaving),
            (false, true) => edges(leaving, arriving),
            (false, false) if arriving == leaving => edges(0, leaving),
            (false, false) => {
                let (from, to) = (arriving - CUTTER, leaving - CUTTER);
                let after = |side: u32| {
                    if side as usize + 1 == self.reference.corners.len() { 0 } else { side + 1 }
                };
                let vertex = |side: u32| Part::Vertex(self.reference.names[side as usize]);
                let part = if to == after(from) {
                    vertex(to)
                } else if from == after(to) {
                    vertex(from)
                } else {
                    Part::Other((from << 6 | to) as u16)
                };
                (part, Part::Face(self.incident.face))
            }
        };
        if self.is_second { FeatureId::new(incident, reference) } else { FeatureId::new(reference, incident) }
    }
}

#[inline]
fn undo(rotation: &Matrix3<f32>, pose: &Pose, point: Vec3) -> Vec3 {
    rotation.transposed_times(point - pose.translation)
}

/// The contact of two polygons along edges that look at each other along the normal of closest
/// points; `None` if one of them has no such edge, but a vertex.
pub(crate) fn edge_points(
    a: SupportFeatureView<'_>,
    b: SupportFeatureView<'_>,
    proximity: &Proximity,
    pose: &Pose,
    speculative_distance: f32,
) -> Option<Manifold> {
    let (side_a, side_b) = (farthest_side(&a, proximity.normal)?, farthest_side(&b, -proximity.normal)?);
    let ends = |of: &SupportFeatureView<'_>, side: usize| [side, (side + 1) % of.corners.len()];
    let (ends_a, ends_b) = (ends(&a, side_a), ends(&b, side_b));
    let (names_a, names_b) = (ends_a.map(|k| a.names[k]), ends_b.map(|k| b.names[k]));
    let (corners_a, corners_b) = (ends_a.map(|k| a.corners[k]), ends_b.map(|k| b.corners[k]));
    let edge_a = SupportFeatureView { corners: &corners_a, names: &names_a, sides: &a.sides[side_a..], ..a };
    let edge_b = SupportFeatureView { corners: &corners_b, names: &names_b, sides: &b.sides[side_b..], ..b };
    Some(segments(corners_a, corners_b, (&edge_a, &edge_b), proximity, pose, speculative_distance))
}

/// The side of a polygon that is farthest along a direction, if it is nearly across it.
fn farthest_side(of: &SupportFeatureView<'_>, direction: Vec3) -> Option<usize> {
    let count = of.corners.len();
    if count < 2 {
        return None;
    }
    let height = |k: usize| direction.dot(of.corners[k % count]);
    let side = (1..count).fold(0, |best, k| {
        if height(k) + height(k + 1) > height(best) + height(best + 1) { k } else { best }
    });
    let along = of.corners[(side + 1) % count] - of.corners[side];
    let rise = direction.dot(along);
    (rise * rise <= PARALLEL_SINE * PARALLEL_SINE * along.length_squared()).then_some(side)
}

/// Two segments: two points where they run side by side, one where they cross, and three where two
/// round walls cross at a small angle: one point alone would let them rock from end to end.
fn segments(
    [a0, a1]: [Vec3; 2],
    [b0, b1]: [Vec3; 2],
    (a, b): (&SupportFeatureView<'_>, &SupportFeatureView<'_>),
    proximity: &Proximity,
    pose: &Pose,
    speculative_distance: f32,
) -> Manifold {
    let n = proximity.normal;
    let edges = FeatureId::new(Part::Edge(a.sides[0]), Part::Edge(b.sides[0]));
    let single = || Manifold::of_proximity(proximity, pose, edges);
    let flat = |v: Vec3| v - n * n.dot(v);
    let (along_a, along_b) = (flat(a1 - a0), flat(b1 - b0));
    let square = along_a.length_squared();
    let limit = PARALLEL_SINE * PARALLEL_SINE;
    let across = along_a.cross(along_b).length_squared();
    let both = square * along_b.length_squared();
    if square <= limit * (a1 - a0).length_squared()
        || across > NEARLY_PARALLEL_SINE * NEARLY_PARALLEL_SINE * both
    {
        return single();
    }
    let is_crossing = across > limit * both;
    let is_sharp = |of: &SupportFeatureView<'_>| of.radius == 0.0 && of.wall == [0.0; 2];
    if is_crossing && is_sharp(a) && is_sharp(b) {
        return single();
    }
    // Parameters of the ends of B along A.
    let at = |p: Vec3| along_a.dot(p - a0) / square;
    let (first, last) = (at(b0), at(b1));
    if first == last {
        return single();
    }
    let (low, high) = if first < last { (first, last) } else { (last, first) };
    let (mut from, mut to) = (Real::max(low, 0.0), Real::min(high, 1.0));
    let on_both = |t: f32| {
        let u = Real::clamp((t - first) / (last - first), 0.0, 1.0);
        let radius_a = a.radius + a.wall[0] + (a.wall[1] - a.wall[0]) * t;
        let radius_b = b.radius + b.wall[0] + (b.wall[1] - b.wall[0]) * u;
        (a0 + (a1 - a0) * t, b0 + (b1 - b0) * u, [radius_a, radius_b])
    };
    if is_crossing {
        // Where the lines are beside each other by no more than walls of such radii bear.
        let [start, end] = [from, to].map(|t| {
            let (core_a, core_b, radii) = on_both(t);
            (flat(core_b - core_a), radii[0] + radii[1])
        });
        let widest = BESIDE * Real::min(start.1, end.1);
        let (beside, change) = (start.0, end.0 - start.0);
        let change_squared = change.length_squared();
        // Deep overlaps are no matter of lines.
        if !(widest > 0.0 && change_squared > 0.0 && proximity.distance > -2.0 * widest) {
            return single();
        }
        let middle = -beside.dot(change) / change_squared;
        let least = (beside + change * middle).length_squared();
        let reach = Real::sqrt(Real::max(widest * widest - least, 0.0) / change_squared);
        let [low, high] = [middle - reach, middle + reach].map(|share| from + (to - from) * share);
        (from, to) = (Real::max(from, low), Real::min(to, high));
    }
    // A shared length below 1 % of the first segment is a point.
    if to - from < 0.01 {
        return single();
    }
    let mut manifold = Manifold::new(n);
    for (k, t) in [from, to].into_iter().enumerate() {
        let (core_a, core_b, radii) = on_both(t);
        let (mut on_a, mut on_b) = (core_a + n * a.radius, core_b - n * b.radius);
        let feature = if is_crossing {
            // Where two circles of these radii that are beside each other are nearest along the
            // normal.
            let beside = flat(core_b - core_a) * (1.0 / (radii[0] + radii[1]));
            let drop = |radius: f32| {
                let across = beside.length_squared() * radius * radius;
                radius - Real::sqrt(Real::max(radius * radius - across, 0.0))
            };
            on_a = on_a + beside * radii[0] - n * drop(radii[0]);
            on_b = on_b - beside * radii[1] + n * drop(radii[1]);
            FeatureId::new(Part::Edge(a.sides[0]), Part::Other(k as u16))
        } else if t == 0.0 || t == 1.0 {
            // Where an end of A limits the contact it gives the name, otherwise the end of B.
            FeatureId::new(Part::Vertex(a.names[usize::from(t == 1.0)]), Part::Edge(b.sides[0]))
        } else {
            FeatureId::new(Part::Edge(a.sides[0]), Part::Vertex(b.names[usize::from(t == last)]))
        };
        let separation =
            if is_crossing { n.dot(on_b - on_a) } else { n.dot(core_b - core_a) - a.radius - b.radius };
        let on_b = pose.undo(on_b);
        if separation <= speculative_distance {
            manifold.push(ManifoldPoint { on_a, on_b, separation, feature });
        }
    }
    match manifold.deepest() > proximity.distance + rounding(proximity) {
        false => manifold,
        true if is_crossing => {
            for point in single().points() {
                manifold.push(*point);
            }
            manifold
        }
        true => single(),
    }
}

/// What rounding may do to distances at the closest points: clipping that ends farther above them
/// has missed them.
#[inline]
pub(crate) fn rounding(closest: &Proximity) -> f32 {
    1e-5 * Vector::abs(closest.on_a).max_element()
}
