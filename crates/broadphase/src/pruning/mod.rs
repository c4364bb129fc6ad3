//! One axis sorted and swept.

mod kd_sweep;

pub use kd_sweep::KdSweep;

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;
use crate::options::Options;

pub(crate) fn about(method: Method) -> About {
    let (name, options): (&str, &[&str]) = match method {
        Method::BoxPruning => ("box-pruning", &["sort"]),
        Method::BucketPruning => ("bucket-pruning", &["cell"]),
        Method::KdSweep => return kd_sweep::ABOUT,
        _ => ("", &[]),
    };
    About { name, what: "", contract: "", cost: "", best: "", options }
}

pub(crate) fn finder<const D: usize>(method: Method, options: &Options) -> Box<dyn Finder<D>> {
    match method {
        Method::KdSweep => Box::new(KdSweep::new(options.leaf)),
        _ => brute::finder(Method::Aabb),
    }
}
