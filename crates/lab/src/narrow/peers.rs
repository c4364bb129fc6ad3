//! Narrow phases of other libraries, asked the same. Only with the feature `peers`.
//!
//! How each is driven:
//!
//! - `parry`: parry3d, the library of Rapier, through its default dispatcher as Rapier does.
//!   Distances with `distance`; contacts with `contact_manifolds` at our margin, cold with empty
//!   manifolds and workspace, warm with those of the step before; touching with
//!   `intersection_test`; depth with `contact`, which gives one point.
//! - `fcl`: `fcl::distance` with closest points (signed only for the question of depth),
//!   `fcl::collide` with up to four contacts, in double precision because that is what its compiled
//!   part and Debian's libccd have. `fcl-indep` is the same with its own GJK instead of that of
//!   libccd.
//! - `libccd-gjk`, `libccd-mpr`: for hulls, with a support function that looks at all corners
//!   (libccd leaves it to its user). It has no distance of separated hulls, so it answers about
//!   touching and depth only.
//!
//! FCL and libccd keep nothing between queries, so that warm is the same as cold for them.

#[cfg(feature = "peers")]
mod fcl;
#[cfg(feature = "peers")]
mod parry;

use super::Contestant;

/// All of them; none without the feature `peers`.
#[must_use]
pub fn all() -> Vec<Box<dyn Contestant>> {
    #[cfg(feature = "peers")]
    return vec![
        Box::new(parry::Parry::default()),
        Box::new(fcl::Fcl::new(fcl::Way::Fcl)),
        Box::new(fcl::Fcl::new(fcl::Way::FclIndependent)),
        Box::new(fcl::Fcl::new(fcl::Way::CcdGjk)),
        Box::new(fcl::Fcl::new(fcl::Way::CcdMpr)),
    ];
    #[cfg(not(feature = "peers"))]
    Vec::new()
}
