//! What the tasks of a workload share.

/// A value for tasks, which may not refer to anything that ends before them. An Arc would be measured too: a million tasks
/// would change its count, in one cache line.
pub struct Shared<T: 'static>(*mut T);

impl<T: Sync> Shared<T> {
    /// # Safety
    /// It may be dropped only after the runtime whose tasks use the value.
    pub unsafe fn new(value: T) -> Self {
        Shared(Box::into_raw(Box::new(value)))
    }

    pub fn get(&self) -> &'static T {
        // Safety: by the contract of new() it outlives the tasks that use it.
        unsafe { &*self.0 }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // Safety: by the contract of new() no task uses it any more.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Keeps data of different tasks in different cache lines.
#[repr(align(64))]
pub struct CacheLine<T>(pub T);
