use crate::audit::{spawn, spawn_on};
use crate::machine::{require_memory, resident_bytes, BYTES_PER_TASK};
use crate::settings::{number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Figures, Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Notify;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "million",
    operation: "fiber",
    fields: &[number("fibers", 1_000_000, 1, 4_000_000_000)],
    make: Million::open,
};

/// Very many tasks that wait for one event.
struct Million {
    all_suspended: bool,
    create_time: Duration,
    wake_time: Duration,
    bytes_suspended: u64,
    shared: Shared<State>,
}

struct State {
    /// Of each task, written by it.
    steps: Vec<AtomicU8>,
    gate: Notify,
    begun: WaitGroup,
    ended: WaitGroup,
}

impl Million {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let fibers = parameters.number("fibers");
        require_memory("million:fibers", "suspended tasks", fibers, BYTES_PER_TASK)?;
        let state = State {
            steps: (0..fibers).map(|_| AtomicU8::new(0)).collect(),
            gate: Notify::new(),
            begun: WaitGroup::new(),
            ended: WaitGroup::new(),
        };
        Ok(Box::new(Million {
            all_suspended: false,
            create_time: Duration::ZERO,
            wake_time: Duration::ZERO,
            bytes_suspended: 0,
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

/// No other task uses the step, so the addition need not be atomic.
fn advance(step: &AtomicU8) {
    step.store(step.load(Relaxed).wrapping_add(1), Relaxed);
}

async fn wait_for_all(shared: &State, step: &AtomicU8) {
    // From here on the task receives the notification, although it does not wait yet.
    let fired = shared.gate.notified();
    advance(step);
    shared.begun.done();
    fired.await;
    advance(step);
    shared.ended.done();
}

impl Workload<Handle> for Million {
    fn prepare(&mut self) {
        self.shared.get().steps.iter().for_each(|step| step.store(0, Relaxed));
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        let start = Instant::now();
        shared.begun.add(shared.steps.len());
        shared.ended.add(shared.steps.len());
        spawn_on(runtime, async move {
            for step in &shared.steps {
                spawn(wait_for_all(shared, step));
            }
        });
        // The last ones, at most one per worker, may not have reached the gate yet.
        shared.begun.wait_outside(runtime);
        self.create_time = start.elapsed();
        self.bytes_suspended = resident_bytes();
        self.all_suspended = shared.steps.iter().all(|step| step.load(Relaxed) == 1);

        let fired = Instant::now();
        spawn_on(runtime, async move { shared.gate.notify_waiters() });
        shared.ended.wait_outside(runtime);
        self.wake_time = fired.elapsed();
        shared.steps.len() as u64
    }

    fn verify(&self) -> Result<(), String> {
        if !self.all_suspended {
            return Err("a task began to wait, and its step was not visible".into());
        }
        for (i, step) in self.shared.get().steps.iter().enumerate() {
            let step = step.load(Relaxed);
            if step != 2 {
                return Err(format!("task {i} made {step} of 2 steps"));
            }
        }
        Ok(())
    }

    fn figures(&self, _workers: u64) -> Figures {
        let fibers = self.shared.get().steps.len() as f64;
        vec![
            ("create_time", self.create_time.as_nanos() as f64),
            ("wake_time", self.wake_time.as_nanos() as f64),
            ("bytes_per_fiber", self.bytes_suspended as f64 / fibers),
        ]
    }
}
