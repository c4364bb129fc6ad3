//! Prefetching: asks for memory some time before it is needed.
//!
//! Contacts and bodies lie in arrays by slot and are visited in another order; in worlds larger
//! than the caches, half the time of a stage would go by waiting. Prefetching changes no result,
//! and processors other than x86-64 do without.

// The instruction takes an address, and does nothing with a bad one.
#![allow(unsafe_code)]

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Prefetches an element at an address, which need not be valid.
#[inline(always)]
pub fn prefetch<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let mut at = 0;
        while at < size_of::<T>() {
            // SAFETY: prefetching reads nothing that the program could see, and faults on no
            // address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast::<i8>().wrapping_add(at)) };
            at += CACHE_LINE;
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// Prefetches an element of a slice; an index outside does nothing.
#[inline(always)]
pub fn prefetch_at<T>(elements: &[T], at: u32) {
    prefetch(elements.as_ptr().wrapping_add(at as usize));
}
