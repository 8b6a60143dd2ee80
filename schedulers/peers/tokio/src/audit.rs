//! Starting tasks, and counting them in a round that is an audit.

use rust_agent::audit::{count_spawn, count_switch, is_on};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

pub use rust_agent::audit::count_inline_call;

/// Starts a task of a workload from another task.
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    if is_on() {
        count_spawn();
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
    if is_on() {
        count_spawn();
        runtime.spawn(Counted(future));
    } else {
        runtime.spawn(future);
    }
}

/// Counts how often a worker polls the task.
struct Counted<F>(F);

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        count_switch();
        // Safety: the future is never moved out of the pinned Counted.
        unsafe { self.map_unchecked_mut(|counted| &mut counted.0) }.poll(context)
    }
}
