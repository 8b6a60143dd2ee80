//! mimalloc, as in the programs that are compared with this one.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

#[link(name = "mimalloc")]
extern "C" {
    fn mi_malloc(size: usize) -> *mut c_void;
    fn mi_malloc_aligned(size: usize, alignment: usize) -> *mut c_void;
    fn mi_zalloc_aligned(size: usize, alignment: usize) -> *mut c_void;
    fn mi_realloc_aligned(block: *mut c_void, size: usize, alignment: usize) -> *mut c_void;
    fn mi_free(block: *mut c_void);
}

/// The alignment that mi_malloc guarantees for any size that is not smaller.
const ALIGNED_ANYWAY: usize = 16;

pub struct Mimalloc;

// Safety: mimalloc's functions fulfil the contract of GlobalAlloc, mi_malloc for the layouts that it aligns.
unsafe impl GlobalAlloc for Mimalloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED_ANYWAY && layout.align() <= layout.size() {
            mi_malloc(layout.size()).cast()
        } else {
            mi_malloc_aligned(layout.size(), layout.align()).cast()
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, _layout: Layout) {
        mi_free(block.cast());
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        mi_zalloc_aligned(layout.size(), layout.align()).cast()
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        mi_realloc_aligned(block.cast(), size, layout.align()).cast()
    }
}
