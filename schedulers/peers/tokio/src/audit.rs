//! Starting tasks, and counting in a round that is an audit.

use serde_json::{json, Value};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// Written while no task of a round exists. In a round that is not an audit it costs a load and a branch.
static ON: AtomicBool = AtomicBool::new(false);

static SPAWNS: AtomicU64 = AtomicU64::new(0);
static POLLS: AtomicU64 = AtomicU64::new(0);
static INLINE_CALLS: AtomicU64 = AtomicU64::new(0);

/// Starts a task of a workload from another task.
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    if ON.load(Relaxed) {
        SPAWNS.fetch_add(1, Relaxed);
        return tokio::spawn(Counted(future));
    }
    tokio::spawn(future)
}

/// Starts a task of a workload from a thread that is not a worker.
pub fn spawn_on<F>(runtime: &Handle, future: F)
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    if ON.load(Relaxed) {
        SPAWNS.fetch_add(1, Relaxed);
        runtime.spawn(Counted(future));
    } else {
        runtime.spawn(future);
    }
}

pub fn count_inline_call() {
    if ON.load(Relaxed) {
        INLINE_CALLS.fetch_add(1, Relaxed);
    }
}

/// Counts how often a worker polls the task.
struct Counted<F>(F);

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        POLLS.fetch_add(1, Relaxed);
        // Safety: the future is never moved out of the pinned Counted.
        unsafe { self.map_unchecked_mut(|counted| &mut counted.0) }.poll(context)
    }
}

/// Calls the function and returns the counts.
pub fn audited(round: impl FnOnce()) -> Value {
    for counter in [&SPAWNS, &POLLS, &INLINE_CALLS] {
        counter.store(0, Relaxed);
    }
    ON.store(true, Relaxed);
    round();
    ON.store(false, Relaxed);
    json!({
        "spawns": SPAWNS.load(Relaxed),
        "switches": POLLS.load(Relaxed),
        "inline_calls": INLINE_CALLS.load(Relaxed),
    })
}
