//! Trees that cut space.

use crate::Method;
use crate::brute;
use crate::finder::Finder;
use crate::method::About;
use crate::options::Options;

pub(crate) fn about(method: Method) -> About {
    let (name, options): (&str, &[&str]) = match method {
        Method::Quadtree => ("quadtree", &["leaf", "depth"]),
        Method::LooseQuadtree => ("loose-quadtree", &["depth"]),
        Method::Octree => ("octree", &["leaf", "depth"]),
        Method::LooseOctree => ("loose-octree", &["depth"]),
        Method::KdTree => ("kd-tree", &["leaf", "depth"]),
        Method::BinaryKdTree => ("kd-tree-binary", &["leaf", "depth"]),
        Method::Bsp => ("bsp", &["leaf", "depth"]),
        _ => ("", &[]),
    };
    About { name, what: "", contract: "", cost: "", best: "", options }
}

pub(crate) fn finder<const D: usize>(_method: Method, _options: &Options) -> Box<dyn Finder<D>> {
    brute::finder(Method::Aabb)
}
