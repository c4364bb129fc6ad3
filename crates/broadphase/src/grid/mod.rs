//! Grids.

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;
use crate::options::Options;

pub(crate) fn about(method: Method) -> About {
    let (name, options): (&str, &[&str]) = match method {
        Method::Grid => ("grid", &["cell"]),
        Method::HashGrid => ("hash-grid", &["cell"]),
        Method::HierGrid => ("hier-grid", &["cell"]),
        _ => ("", &[]),
    };
    About { name, what: "", contract: "", cost: "", best: "", options }
}

pub(crate) fn finder<const D: usize>(_method: Method, _options: &Options) -> Box<dyn Finder<D>> {
    brute::finder(Method::Aabb)
}
