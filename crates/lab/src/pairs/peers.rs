//! Broad phases of other engines, measured on the same frames. Only with the feature `peers`.
//!
//! How each is driven:
//!
//! - `parry-bvh`: `parry3d::partitioning::Bvh`, the tree of Rapier's broad phase. Moved leaves are
//!   written without a margin (`insert_or_update_partially`), then `refit` and
//!   `optimize_incremental`, then all pairs of leaves are listed (`traverse_bvtt_single_tree`).
//!   Exact. A frame without changes costs nothing.
//! - `bullet-dbvt`: `btDbvtBroadphase` with deferred collision (`m_deferedcollide`): `setAabb` for
//!   moved boxes, the tree is searched in `calculateOverlappingPairs`. Boxes are fat by Bullet's
//!   margin and pairs are forgotten late.
//! - `bullet-dbvt-forced`: the same class, every moved box by `setAabbForceUpdate`, which puts it
//!   into the tree again and searches at once.
//! - `bullet-axis-sweep3`: `btAxisSweep3` (above 16 000 boxes `bt32BitAxisSweep3`) without the tree
//!   for rays, in a world twice as large as the first boxes fill. Coordinates are rounded outwards
//!   to its grid.
//!
//! Of the Bullet methods only that nothing is missed can be checked. Pairs of static boxes are
//! excluded inside Bullet by its filter groups, all other filters when pairs are read. Reading the
//! pairs out of Bullet's cache, sorting them and filtering are not timed, which is a favour: our
//! methods deliver a filtered, sorted list within the time. In two dimensions boxes are flat. All
//! run on one thread.

#[cfg(feature = "peers")]
mod bullet;
#[cfg(feature = "peers")]
mod parry;

use super::contender::Contender;
#[cfg(feature = "peers")]
use super::frames::Frame;

/// A broad phase of another engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Parry's tree.
    ParryBvh,
    /// Bullet's dynamic trees, searched once per frame.
    BulletDbvt,
    /// Bullet's dynamic trees, searched for every moved box.
    BulletDbvtForced,
    /// Bullet's sweep and prune.
    BulletAxisSweep3,
}

/// This program has no peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the peer '{}' is not built in: cargo build --release -p carom-cli --features peers (needs a C++ compiler and \
     libbullet-dev, libfcl-dev, libccd-dev)",
    .0.name()
)]
pub struct NotBuilt(pub Peer);

impl Peer {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::ParryBvh, Self::BulletDbvt, Self::BulletDbvtForced, Self::BulletAxisSweep3];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ParryBvh => "parry-bvh",
            Self::BulletDbvt => "bullet-dbvt",
            Self::BulletDbvtForced => "bullet-dbvt-forced",
            Self::BulletAxisSweep3 => "bullet-axis-sweep3",
        }
    }

    /// What it is, in one line.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::ParryBvh => {
                "Parry's tree of boxes, as Rapier uses it: leaves updated, tree refitted and improved."
            }
            Self::BulletDbvt => "Bullet's two dynamic trees, searched once per frame (deferred).",
            Self::BulletDbvtForced => {
                "Bullet's two dynamic trees, searched for every box that moves (forced)."
            }
            Self::BulletAxisSweep3 => "Bullet's sweep and prune on three axes.",
        }
    }

    /// Is it part of this program?
    ///
    /// # Errors
    /// If it is not, with what to do.
    pub fn is_built(self) -> Result<(), NotBuilt> {
        if cfg!(feature = "peers") { Ok(()) } else { Err(NotBuilt(self)) }
    }

    /// The broad phase, ready for its first boxes.
    ///
    /// # Errors
    /// If it is not part of this program.
    #[cfg(feature = "peers")]
    pub fn contender<const D: usize>(self) -> Result<Box<dyn Contender<D>>, NotBuilt> {
        Ok(match self {
            Self::ParryBvh => Box::new(parry::ParryBvh::default()),
            Self::BulletDbvt => Box::new(bullet::Bullet::new(bullet::Kind::Deferred)),
            Self::BulletDbvtForced => Box::new(bullet::Bullet::new(bullet::Kind::Forced)),
            Self::BulletAxisSweep3 => Box::new(bullet::Bullet::new(bullet::Kind::Sweep)),
        })
    }

    /// The broad phase, ready for its first boxes.
    ///
    /// # Errors
    /// If it is not part of this program.
    #[cfg(not(feature = "peers"))]
    pub fn contender<const D: usize>(self) -> Result<Box<dyn Contender<D>>, NotBuilt> {
        Err(NotBuilt(self))
    }
}

/// The admissible ones of a peer's pairs, ascending.
#[cfg(feature = "peers")]
fn read_out<const D: usize>(frame: &Frame<'_, D>, pairs: &[(u32, u32)]) -> Vec<carom_broadphase::Pair> {
    let admitted = pairs.iter().filter(|(a, b)| frame.admits(*a, *b));
    let mut pairs: Vec<_> = admitted.map(|&(a, b)| carom_broadphase::Pair::new(a, b)).collect();
    pairs.sort_unstable();
    pairs
}
