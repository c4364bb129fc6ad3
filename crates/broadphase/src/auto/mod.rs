//! Picks a method.

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;

pub(crate) fn about() -> About {
    About { name: "auto", what: "", contract: "", cost: "", best: "", options: &[] }
}

pub(crate) fn finder<const D: usize>() -> Box<dyn Finder<D>> {
    brute::finder(Method::Aabb)
}
