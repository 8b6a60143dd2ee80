//! Starting jobs, and counting them in a round that is an audit.

use rayon::{Scope, ThreadPool};
use rust_agent::audit::{count_spawn, count_switch};

/// Starts a job that the end of the scope joins.
#[inline]
pub fn spawn<'s, F>(scope: &Scope<'s>, job: F)
where
    F: FnOnce(&Scope<'s>) + Send + 's,
{
    count_spawn();
    scope.spawn(move |scope| {
        count_switch();
        job(scope);
    });
}

/// Runs a job in the pool and waits for it. By a thread that is not of the pool.
pub fn run_in<R: Send>(pool: &ThreadPool, job: impl FnOnce() -> R + Send) -> R {
    count_spawn();
    pool.install(|| {
        count_switch();
        job()
    })
}
