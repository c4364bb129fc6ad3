//! Sweep and prune.

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;
use crate::options::Options;

pub(crate) fn about(method: Method) -> About {
    let (name, options): (&str, &[&str]) = match method {
        Method::Sap => ("sap", &[]),
        Method::SapObb => ("sapobb", &[]),
        Method::DirectSap => ("direct-sap", &["sort", "pairs"]),
        Method::IncrementalSap => ("incremental-sap", &["sort", "pairs", "update"]),
        Method::MultiSap => ("multi-sap", &["cell"]),
        _ => ("", &[]),
    };
    About { name, what: "", contract: "", cost: "", best: "", options }
}

pub(crate) fn finder<const D: usize>(_method: Method, _options: &Options) -> Box<dyn Finder<D>> {
    brute::finder(Method::Aabb)
}
