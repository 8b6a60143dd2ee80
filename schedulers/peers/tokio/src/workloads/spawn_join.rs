use crate::audit::{spawn, spawn_on};
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use tokio::runtime::Handle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "spawn_join",
    operation: "task",
    fields: &[
        number("tasks", 1_000_000, 1, 100_000_000),
        choice("from", 0, &["inside", "outside"], &["inside", "outside"]),
        choice("front_end", 1, &["task", "fiber", "coroutine", "future"], &["fiber"]),
    ],
    make: SpawnJoin::open,
};

/// One spawner starts tasks that do almost nothing, and waits for all of them.
struct SpawnJoin {
    external_submissions: bool,
    shared: Shared<State>,
}

struct State {
    /// Of each task, written by it.
    runs: Vec<AtomicU8>,
    tasks: WaitGroup,
    done: WaitGroup,
}

impl SpawnJoin {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let tasks = parameters.number("tasks");
        // With one worker all of them exist before the first one runs.
        require_memory("spawn_join:tasks", "tasks in a queue", tasks, BYTES_PER_TASK)?;
        let runs = (0..tasks).map(|_| AtomicU8::new(0)).collect();
        let state = State { runs, tasks: WaitGroup::new(), done: WaitGroup::new() };
        Ok(Box::new(SpawnJoin {
            external_submissions: parameters.choice("from") == "outside",
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

/// The work of one task. No other task uses its counter, so the addition need not be atomic.
async fn count_run(shared: &State, runs: &AtomicU8) {
    runs.store(runs.load(Relaxed).wrapping_add(1), Relaxed);
    shared.tasks.done();
}

impl Workload<Handle> for SpawnJoin {
    fn prepare(&mut self) {
        self.shared.get().runs.iter().for_each(|runs| runs.store(0, Relaxed));
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        shared.tasks.add(shared.runs.len());
        if self.external_submissions {
            for runs in &shared.runs {
                spawn_on(runtime, count_run(shared, runs));
            }
            shared.tasks.wait_outside(runtime);
        } else {
            shared.done.add(1);
            spawn_on(runtime, async move {
                for runs in &shared.runs {
                    spawn(count_run(shared, runs));
                }
                shared.tasks.wait().await;
                shared.done.done();
            });
            shared.done.wait_outside(runtime);
        }
        shared.runs.len() as u64
    }

    fn verify(&self) -> Result<(), String> {
        for (i, runs) in self.shared.get().runs.iter().enumerate() {
            let runs = runs.load(Relaxed);
            if runs != 1 {
                return Err(format!("task {i} ran {runs} times"));
            }
        }
        Ok(())
    }
}
