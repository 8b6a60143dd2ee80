use crate::audit::spawn_on;
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::yield_now;
use tokio::time::sleep;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "greedy",
    operation: "wake-up",
    fields: &[
        number("sleep_ms", 1000, 1, 3_600_000),
        // A task runs until it waits or yields: nothing preempts it.
        choice("loop", 1, &["spins", "points", "yields"], &["yields"]),
    ],
    make: Greedy::open,
};

/// A task adds numbers in a loop, and another one sleeps and then ends the loop.
struct Greedy {
    shared: Shared<State>,
}

struct State {
    sleep: Duration,
    over: AtomicBool,
    /// Of the greedy task.
    turns: AtomicU64,
    done: WaitGroup,
}

impl Greedy {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let state = State {
            sleep: Duration::from_millis(parameters.number("sleep_ms")),
            over: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            done: WaitGroup::new(),
        };
        // Safety: a session drops its runtime first.
        Ok(Box::new(Greedy { shared: unsafe { Shared::new(state) } }))
    }
}

impl Workload<Handle> for Greedy {
    fn prepare(&mut self) {
        let shared = self.shared.get();
        shared.over.store(false, Relaxed);
        shared.turns.store(0, Relaxed);
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        shared.done.add(2);
        spawn_on(runtime, async move {
            sleep(shared.sleep).await;
            shared.over.store(true, Relaxed);
            shared.done.done();
        });
        spawn_on(runtime, async move {
            while !shared.over.load(Relaxed) {
                // No other task writes it, so the addition need not be atomic.
                shared.turns.store(shared.turns.load(Relaxed) + 1, Relaxed);
                yield_now().await;
            }
            shared.done.done();
        });
        shared.done.wait_outside(runtime);
        1
    }

    fn verify(&self) -> Result<(), String> {
        match self.shared.get().turns.load(Relaxed) {
            0 => Err("the greedy task made no turn".into()),
            _ => Ok(()),
        }
    }
}
