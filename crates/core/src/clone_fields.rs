//! Clones into memory that is there already.
//!
//! A derived `clone_from` drops what there was and allocates anew. States that are copied many
//! times a second (rollback) go field by field instead, and lists keep their allocations.

/// Implements `Clone` for a structure field by field, `clone_from` included. Fields after `scratch`
/// mean nothing between uses: clones begin with empty ones and keep their own.
///
/// ```
/// #[derive(Default)]
/// struct Track { points: Vec<u32>, buffer: Vec<u32> }
/// carom_core::clone_fields!(Track { points } scratch { buffer });
///
/// let track = Track { points: vec![1, 2, 3], buffer: vec![7] };
/// let mut copy = Track { points: Vec::with_capacity(8), buffer: Vec::new() };
/// let memory = copy.points.as_ptr();
/// copy.clone_from(&track);
/// assert_eq!((copy.points.as_slice(), copy.points.as_ptr()), ([1, 2, 3].as_slice(), memory));
/// assert!(track.clone().buffer.is_empty());
/// ```
#[macro_export]
macro_rules! clone_fields {
    ($type:ident $(<const $size:ident: usize>)? { $($field:ident),+ $(,)? }
        $(scratch { $($scratch:ident),+ $(,)? })?) => {
        impl $(<const $size: usize>)? Clone for $type $(<$size>)? {
            fn clone(&self) -> Self {
                Self {
                    $($field: self.$field.clone(),)+
                    $($($scratch: Default::default(),)+)?
                }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)+
            }
        }
    };
}
