//! What the tasks of a workload share.

/// A value for tasks, which may refer to nothing that ends before them. In an Arc a million tasks would count it up and
/// down, all in one cache line, and that would be measured with them.
pub struct Shared<T: 'static>(*mut T);

impl<T: Sync> Shared<T> {
    /// # Safety
    /// It may be dropped only after the runtime whose tasks have got at the value.
    pub unsafe fn new(value: T) -> Self {
        Shared(Box::into_raw(Box::new(value)))
    }

    pub fn get(&self) -> &'static T {
        // Safety: by the promise of new() it outlives whom it is given to.
        unsafe { &*self.0 }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // Safety: by the promise of new() nobody has it any more.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Keeps apart what different tasks write.
#[repr(align(64))]
pub struct CacheLine<T>(pub T);
