//! Trees of boxes.
//!
//! `bvh` and `bvh-refit` share one tree without pointers, eight children wide ([`tree`]); `dbvt` is the binary tree of fat
//! boxes that grows and shrinks one leaf at a time.

mod block;
mod order;
mod rebuilt;
mod search;
mod tree;

pub use rebuilt::RebuiltTree;

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;
use crate::options::Options;

pub(crate) fn about(method: Method) -> About {
    let (name, options): (&str, &[&str]) = match method {
        Method::Dbvt => ("dbvt", &["margin"]),
        Method::Bvh => ("bvh", &[]),
        Method::BvhRefit => ("bvh-refit", &[]),
        _ => ("", &[]),
    };
    About { name, what: "", contract: "", cost: "", best: "", options }
}

pub(crate) fn finder<const D: usize>(method: Method, _options: &Options) -> Box<dyn Finder<D>> {
    match method {
        Method::Bvh => Box::new(RebuiltTree::default()),
        _ => brute::finder(Method::Aabb),
    }
}
