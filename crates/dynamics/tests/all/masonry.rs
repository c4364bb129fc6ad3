//! Towers and walls of bricks, and stacks of boxes from a millimetre to a hundred metres.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::shape::HalfSpace;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, cuboid};

/// A world of bricks that remembers where they were laid.
struct Masonry {
    world: World,
    bricks: Vec<(BodyId, DVec3)>,
    surface: [f32; 2],
}

impl Masonry {
    /// On a plane, with this friction and restitution.
    fn new(def: WorldDef, friction: f32, restitution: f32) -> Self {
        let mut world = World::new(def);
        let plane = ShapeDef::new(HalfSpace).friction(friction).restitution(restitution);
        world.add_body(BodyDef::fixed(), [plane]).unwrap();
        Self { world, bricks: Vec::new(), surface: [friction, restitution] }
    }

    /// Lays a brick of this size, turned about the vertical.
    fn lay(&mut self, size: [f32; 3], mass: f32, at: DVec3, turn: f32) {
        let [friction, restitution] = self.surface;
        let [x, y, z] = size;
        let shape: ShapeDef = cuboid(0.5 * x, 0.5 * y, 0.5 * z).density(mass / (x * y * z));
        let shape = shape.friction(friction).restitution(restitution);
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).rotated(Rotation::about_axis(Vec3::Y, turn));
        self.bricks.push((self.world.add_body(def, [shape]).unwrap(), at));
    }

    /// The farthest that a brick has moved, after so many seconds.
    fn drift(&mut self, seconds: u32) -> f64 {
        for _ in 0..60 * seconds {
            self.world.step(DT).unwrap();
        }
        let moved = |(id, at): &(BodyId, DVec3)| (self.world.body(*id).unwrap().position() - *at).length();
        self.bricks.iter().map(moved).fold(0.0, f64::max)
    }
}

/// A hollow square tower: storeys of six bricks in bond, on a plate and under a plate.
fn tower(storeys: u32, friction: f32, restitution: f32) -> Masonry {
    let def = WorldDef::default().gravity(Vec3::new(0.0, -10.0, 0.0)).can_sleep(false);
    let mut it = Masonry::new(def, friction, restitution);
    it.lay([7.0, 1.0, 7.0], 10.0, DVec3::new(3.5, 0.5, 3.5), 0.0);
    for k in 1..=storeys {
        let y = f64::from(k) + 0.5;
        let pairs = [(1.5, 0.5), (5.5, 0.5), (5.5, 6.5), (1.5, 6.5)];
        let singles = [(3.5, 0.5), (3.5, 6.5)];
        for (x, z) in pairs {
            if k % 2 == 0 {
                it.lay([3.0, 1.0, 1.0], 1.0, DVec3::new(x, y, z), 0.0);
            } else {
                it.lay([1.0, 1.0, 3.0], 1.0, DVec3::new(z, y, x), 0.0);
            }
        }
        for (x, z) in singles {
            if k % 2 == 0 {
                it.lay([1.0, 1.0, 3.0], 1.0, DVec3::new(z, y, x), 0.0);
            } else {
                it.lay([3.0, 1.0, 1.0], 1.0, DVec3::new(x, y, z), 0.0);
            }
        }
    }
    it.lay([7.0, 1.0, 7.0], 10.0, DVec3::new(3.5, f64::from(storeys) + 1.5, 3.5), 0.0);
    it
}

#[test]
fn towers_of_bricks_stand_still() {
    for (storeys, friction, restitution, seconds, allowed) in
        [(10, 1.0, 0.3, 10, 0.001), (10, 0.5, 0.9, 5, 0.001), (50, 1.0, 0.3, 60, 0.015)]
    {
        let drift = tower(storeys, friction, restitution).drift(seconds);
        assert!(
            drift < allowed,
            "{storeys} storeys, friction {friction}, restitution {restitution}: {drift} m"
        );
    }
}

#[test]
fn a_tower_with_a_bouncing_ball_beside_it_stands_still() {
    let mut it = tower(10, 1.0, 0.3);
    let ball = BodyDef::dynamic().at(20.0, 5.0, 0.0);
    it.world.add_body(ball, [crate::scenes::ball(0.5).restitution(0.9)]).unwrap();
    let drift = it.drift(5);
    assert!(drift < 0.001, "{drift} m");
}

#[test]
fn crosswise_layers_stand() {
    let mut it = Masonry::new(WorldDef::default().can_sleep(false), 0.5, 0.0);
    for k in 0..50 {
        let y = 0.3 + 0.6 * f64::from(k);
        for j in [-1.0, 0.0, 1.0] {
            if k % 2 == 0 {
                it.lay([3.0, 0.6, 0.98], 1.0, DVec3::new(0.0, y, j), 0.0);
            } else {
                it.lay([0.98, 0.6, 3.0], 1.0, DVec3::new(j, y, 0.0), 0.0);
            }
        }
    }
    let drift = it.drift(30);
    assert!(drift < 0.03, "{drift} m");
}

#[test]
fn walls_stand() {
    for rows in [12, 30] {
        let mut it = Masonry::new(WorldDef::default().can_sleep(false), 0.6, 0.0);
        for k in 0..rows {
            let (bricks, first) = if k % 2 == 0 { (10, 0.0) } else { (9, 1.0) };
            for j in 0..bricks {
                let at = DVec3::new(first + 2.0 * f64::from(j), f64::from(k) + 0.5, 0.0);
                it.lay([1.98, 1.0, 1.0], 2.0, at, 0.0);
            }
        }
        let drift = it.drift(20);
        assert!(drift < 0.03, "{rows} rows: {drift} m");
    }
}

#[test]
fn round_towers_stand() {
    let mut it = Masonry::new(WorldDef::default().can_sleep(false), 0.5, 0.2);
    for k in 0..40 {
        for j in 0..12 {
            let turn = (f64::from(j) + 0.5 * f64::from(k % 2)) / 12.0 * std::f64::consts::TAU;
            let at = DVec3::new(3.0 * turn.cos(), 0.25 + 0.5 * f64::from(k), 3.0 * turn.sin());
            it.lay([0.6, 0.5, 1.4], 1.0, at, -turn as f32);
        }
    }
    let drift = it.drift(10);
    assert!(drift < 0.05, "{drift} m");
}

/// Ten cubes of an edge on each other, at a place.
fn stack(it: &mut Masonry, edge: f32, x: f64) {
    for k in 0..10 {
        let at = DVec3::new(x, f64::from(edge) * (f64::from(k) + 0.5), 0.0);
        it.lay([edge; 3], 1000.0 * edge.powi(3), at, 0.0);
    }
}

#[test]
fn stacks_of_any_size_stand_and_fall_asleep() {
    for edge in [0.001f32, 0.002, 0.005, 0.01, 0.03, 0.1, 1.0, 10.0, 100.0] {
        let mut it = Masonry::new(WorldDef::default(), 0.6, 0.2);
        stack(&mut it, edge, 0.0);
        let drift = it.drift(10) / f64::from(edge);
        assert!(drift < 0.1, "edge {edge} m: {drift} of it");
        assert!(it.bricks.iter().all(|(id, _)| !it.world.body(*id).unwrap().is_awake()), "edge {edge}");
    }
}

#[test]
fn stacks_of_many_sizes_stand_in_one_world() {
    let mut it = Masonry::new(WorldDef::default(), 0.6, 0.0);
    for (edge, x) in [(0.002f32, 0.0), (0.01, 0.5), (0.1, 1.0), (1.0, 3.0)] {
        stack(&mut it, edge, x);
    }
    it.drift(10);
    for (k, (id, at)) in it.bricks.iter().enumerate() {
        let edge = [0.002, 0.01, 0.1, 1.0][k / 10];
        let moved = (it.world.body(*id).unwrap().position() - *at).length();
        assert!(moved < 0.1 * edge, "edge {edge}: {moved} m");
    }
}

#[test]
fn thin_planks_stand_on_each_other() {
    for thickness in [0.003f32, 0.01, 0.02] {
        let mut it = Masonry::new(WorldDef::default().can_sleep(false), 0.6, 0.0);
        for k in 0..10 {
            let at = DVec3::new(0.0, f64::from(thickness) * (f64::from(k) + 0.5), 0.0);
            it.lay([1.0, thickness, 0.2], 1.0, at, 0.0);
        }
        let drift = it.drift(10) / f64::from(thickness);
        assert!(drift < 0.3, "thickness {thickness}: {drift} of it");
    }
}
