use crate::audit::spawn_on;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;
use tokio::task::yield_now;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "yield",
    operation: "yield",
    fields: &[
        number("fibers", 1000, 1, 1_000_000),
        number("yields", 1000, 1, 1_000_000_000),
        choice("front_end", 1, &["task", "fiber", "coroutine"], &["fiber"]),
    ],
    make: Yields::open,
};

/// Tasks that only yield.
struct Yields {
    yields: u64,
    shared: Shared<State>,
}

struct State {
    /// Of each task, written by it.
    yields_done: Vec<AtomicU64>,
    done: WaitGroup,
}

impl Yields {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let fibers = parameters.number("fibers");
        require_memory("yield:fibers", "tasks", fibers, BYTES_PER_TASK)?;
        let yields_done = (0..fibers).map(|_| AtomicU64::new(0)).collect();
        Ok(Box::new(Yields {
            yields: parameters.number("yields"),
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(State { yields_done, done: WaitGroup::new() }) },
        }))
    }
}

impl Workload<Handle> for Yields {
    fn prepare(&mut self) {
        self.shared.get().yields_done.iter().for_each(|done| done.store(0, Relaxed));
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let (shared, yields) = (self.shared.get(), self.yields);
        shared.done.add(shared.yields_done.len());
        for yields_done in &shared.yields_done {
            spawn_on(runtime, async move {
                let mut count = 0;
                while count < yields {
                    yield_now().await;
                    count += 1;
                }
                yields_done.store(count, Relaxed);
                shared.done.done();
            });
        }
        shared.done.wait_outside(runtime);
        shared.yields_done.len() as u64 * yields
    }

    fn verify(&self) -> Result<(), String> {
        for (i, done) in self.shared.get().yields_done.iter().enumerate() {
            let done = done.load(Relaxed);
            if done != self.yields {
                return Err(format!("task {i} yielded {done} times of {}", self.yields));
            }
        }
        Ok(())
    }
}
