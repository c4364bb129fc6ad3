//! Who takes part in a contest, by name.

use std::fmt;
use std::str::FromStr;

use carom_broadphase::{Choice, ChoiceError, Method, Space};

use super::contender::{Contender, Own};
use super::peers::{NotBuilt, Peer};

/// A method of ours with its options, or one of another engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entrant {
    /// Ours.
    Own(Choice),
    /// Another's.
    Peer(Peer),
}

/// Why a name takes no part.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    /// No such method, or a bad option.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// This program was built without the peers.
    #[error(transparent)]
    NotBuilt(#[from] NotBuilt),
    /// The system gives no more threads.
    #[error("cannot start {wanted} threads: the system gives {given}")]
    Threads {
        /// Threads asked for.
        wanted: usize,
        /// Threads there are.
        given: usize,
    },
}

impl Entrant {
    /// The broad phase, ready for its first boxes.
    ///
    /// # Errors
    /// If it is a peer that is not built in, or the system gives no threads.
    pub fn contender<const D: usize>(&self, threads: usize) -> Result<Box<dyn Contender<D>>, EntrantError> {
        match self {
            Self::Own(choice) => {
                let mut space = Space::with_broad_phase(choice.broad_phase());
                space.set_threads(threads);
                if space.threads() < threads {
                    return Err(EntrantError::Threads { wanted: threads, given: space.threads() });
                }
                Ok(Box::new(Own::new(space)))
            }
            Self::Peer(peer) => Ok(peer.contender()?),
        }
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(choice) => choice.fmt(f),
            Self::Peer(peer) => f.pad(peer.name()),
        }
    }
}

impl FromStr for Entrant {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(peer) = Peer::ALL.into_iter().find(|peer| peer.name().eq_ignore_ascii_case(text)) {
            peer.is_built()?;
            return Ok(Self::Peer(peer));
        }
        Ok(Self::Own(text.parse()?))
    }
}

/// A comma-separated list of entrants; `all` stands for every method of ours, `peers` for every
/// peer.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrants(pub Vec<Entrant>);

impl Entrants {
    /// Every method of ours with its default options.
    #[must_use]
    pub fn all() -> Self {
        Self(Method::ALL.into_iter().map(|method| Entrant::Own(method.into())).collect())
    }
}

impl FromStr for Entrants {
    type Err = EntrantError;

    /// A name that stands twice takes part once.
    fn from_str(list: &str) -> Result<Self, Self::Err> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for name in list.split(',').map(str::trim) {
            let named = match name {
                "all" => Self::all().0,
                "peers" => {
                    Peer::ALL.iter().try_for_each(|peer| peer.is_built())?;
                    Peer::ALL.map(Entrant::Peer).to_vec()
                }
                _ => vec![name.parse()?],
            };
            for entrant in named {
                if !entrants.contains(&entrant) {
                    entrants.push(entrant);
                }
            }
        }
        Ok(Self(entrants))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let names = |list: &str| -> Vec<String> {
            list.parse::<Entrants>().unwrap().0.iter().map(ToString::to_string).collect()
        };
        assert_eq!(names("SAP, grid?cell=2+obb"), ["sap", "grid?cell=2+obb"]);
        assert_eq!(names("all").len(), Method::ALL.len());
        assert_eq!(names("sap,all,sap").len(), Method::ALL.len());
        let error = "sap,gird".parse::<Entrants>().unwrap_err().to_string();
        assert!(error.starts_with("unknown broad phase 'gird'"), "{error}");
    }

    #[cfg(not(feature = "peers"))]
    #[test]
    fn peers_that_are_not_there_say_how_to_get_them() {
        let error = "parry-bvh".parse::<Entrant>().unwrap_err().to_string();
        assert!(error.contains("--features peers"), "{error}");
    }
}
