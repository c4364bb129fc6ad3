//! What a contact keeps when its manifold is made again: impulses go from points of before to the
//! points of now at the same place. Contacts whose shapes part keep nothing.

use carom_narrowphase::Manifold;

use crate::state::contacts::{ContactInfo, ManifoldRecord};
use crate::state::impulses::Impulses;

/// The shapes are far apart: nothing of their last manifold is of use.
#[inline]
pub(super) fn forget(manifold: &mut Manifold, record: &mut Option<ManifoldRecord>) {
    manifold.clear();
    *record = None;
}

/// A manifold is not solved: what it carried ends here. A touch that begins later begins without
/// impulses, whatever its points are called.
#[inline]
pub(crate) fn deactivate(info: &mut ContactInfo, impulses: &mut Impulses) {
    info.is_touching = false;
    if info.is_active {
        info.is_active = false;
        *impulses = Impulses::default();
    }
}

/// Points of one shape that are no farther apart than so many margins are the same point; names
/// decide first.
pub(super) const SAME_POINT: f32 = 2.5;

/// Sorts the impulses of the old points to the new ones.
pub(super) fn carry_over(new: &Manifold, old: &Manifold, same_point: f32, impulses: &mut Impulses) {
    if old.is_empty() || new.is_empty() {
        *impulses = Impulses::default();
        return;
    }
    // A single point wanders, and jumps where edges are nearly parallel: it still bears the load.
    let same = new.points().len() == old.points().len()
        && (new.points().len() == 1
            || new.points().iter().zip(old.points()).all(|(p, q)| p.feature == q.feature));
    if same {
        return;
    }
    let matches = new.match_points(old, same_point);
    let before = impulses.normal;
    impulses.normal = [0.0; 4];
    for (impulse, found) in impulses.normal.iter_mut().zip(matches) {
        if let Some(k) = found {
            *impulse = before[usize::from(k)];
        }
    }
}

/// Old manifolds whose normals differ by more than this cosine are others.
const SAME_SIDE: f32 = 0.9;

/// Impulses for one manifold of a composite from all its old manifolds that face the same way: its
/// points may come from several of them. What is carried over is taken from the old impulses, so
/// that no other manifold starts with it too.
pub(super) fn carry_over_parts(
    new: &Manifold,
    previous: &[Manifold],
    same_point: f32,
    known: &mut [Impulses],
) -> Impulses {
    let mut carried = Impulses::default();
    let mut found = [false; Manifold::CAPACITY];
    // Friction goes with the most pressure.
    let mut most = 0.0;
    for (old, known) in previous.iter().zip(known) {
        if old.normal.dot(new.normal) <= SAME_SIDE {
            continue;
        }
        let mut pressure = 0.0;
        if new.points().len() == 1 && old.points().len() == 1 && !found[0] {
            found[0] = true;
            carried.normal[0] = std::mem::take(&mut known.normal[0]);
            pressure = carried.normal[0];
        }
        for (k, matched) in new.match_points(old, same_point).into_iter().enumerate() {
            if let Some(at) = matched
                && !found[k]
            {
                found[k] = true;
                carried.normal[k] = std::mem::take(&mut known.normal[usize::from(at)]);
                pressure += carried.normal[k];
            }
        }
        if pressure > most {
            most = pressure;
            carried.friction = std::mem::take(&mut known.friction);
            carried.twist = std::mem::take(&mut known.twist);
            carried.rolling = std::mem::take(&mut known.rolling);
        }
    }
    carried
}
