use super::{Opened, WorkloadKind, BYTES_PER_JOB};
use crate::audit::{run_in, spawn};
use rayon::{Scope, ThreadPool};
use rust_agent::machine::require_memory;
use rust_agent::settings::{choice, number, Settings};
use rust_agent::workload::Workload;

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

/// One spawner starts jobs that do almost nothing, and waits for all of them.
struct SpawnJoin {
    from_outside: bool,
    /// Of each job, written by it.
    runs: Vec<u8>,
}

impl SpawnJoin {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let tasks = parameters.number("tasks");
        // With one worker all of them exist before the first one runs.
        require_memory("spawn_join:tasks", "jobs in a queue", tasks, BYTES_PER_JOB)?;
        Ok(Box::new(SpawnJoin {
            from_outside: parameters.choice("from") == "outside",
            runs: vec![0; tasks as usize],
        }))
    }
}

fn spawn_all<'s>(scope: &Scope<'s>, all: &'s mut [u8]) {
    for runs in all {
        spawn(scope, move |_| *runs = runs.wrapping_add(1));
    }
}

impl Workload<ThreadPool> for SpawnJoin {
    fn prepare(&mut self) {
        self.runs.fill(0);
    }

    fn run(&mut self, pool: &ThreadPool) -> u64 {
        let all = &mut self.runs;
        let tasks = all.len() as u64;
        if self.from_outside {
            // The calling thread starts the jobs and only waits for them.
            pool.in_place_scope(|scope| spawn_all(scope, all));
        } else {
            run_in(pool, || rayon::scope(|scope| spawn_all(scope, all)));
        }
        tasks
    }

    fn verify(&self) -> Result<(), String> {
        match self.runs.iter().position(|&runs| runs != 1) {
            Some(i) => Err(format!("task {i} ran {} times", self.runs[i])),
            None => Ok(()),
        }
    }
}
