//! Waiting for many tasks at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// Counts tasks that are to be waited for, and wakes who waits once. Their JoinHandles, awaited one after the other, take
/// two to three times as long for a million tasks, for all of them are kept until then. One waits each time that the
/// count goes up from 0 and back; then it may be used again.
pub struct WaitGroup {
    left: AtomicUsize,
    all_done: Notify,
}

impl WaitGroup {
    pub fn new() -> Self {
        WaitGroup { left: AtomicUsize::new(0), all_done: Notify::new() }
    }

    /// Not while the tasks of an earlier count are on their way: all at once, before the first of them starts.
    pub fn add(&self, tasks: usize) {
        // Relaxed: starting a task orders it.
        self.left.fetch_add(tasks, Ordering::Relaxed);
    }

    pub fn done(&self) {
        // AcqRel: the last one tells what all others have written.
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.all_done.notify_one();
        }
    }

    pub async fn wait(&self) {
        self.all_done.notified().await;
    }

    /// Waits on a thread that is no worker.
    pub fn wait_outside(&self, runtime: &Handle) {
        runtime.block_on(self.wait());
    }
}
