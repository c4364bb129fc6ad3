//! One axis sorted and swept.

mod bucket;
mod divide;
mod entry;
mod lanes;
mod search;
mod still;
mod sweep;

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;
use crate::options::Options;

pub(crate) fn about(method: Method) -> About {
    let (name, options): (&str, &[&str]) = match method {
        Method::BoxPruning => ("box-pruning", &["sort"]),
        Method::BucketPruning => ("bucket-pruning", &["cell"]),
        Method::KdSweep => ("kd-sweep", &["leaf"]),
        _ => ("", &[]),
    };
    About { name, what: "", contract: "", cost: "", best: "", options }
}

pub(crate) fn finder<const D: usize>(_method: Method, _options: &Options) -> Box<dyn Finder<D>> {
    match _method {
        Method::BucketPruning => Box::new(bucket::BucketPruning::default()),
        _ => brute::finder(Method::Aabb),
    }
}
