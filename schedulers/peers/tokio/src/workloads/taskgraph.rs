use crate::audit::{spawn, spawn_on};
use crate::machine::{available_cpus, require_memory};
use crate::message::{Kind, Refusal};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::spin::SpinWork;
use crate::task_graph::{Shape, TaskGraph, PATTERNS};
use crate::wait_group::WaitGroup;
use crate::workload::{Figures, Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;
use tokio::runtime::Handle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "taskgraph",
    operation: "task",
    fields: &[
        choice("pattern", 2, PATTERNS, PATTERNS),
        number("width", 32, 1, 1_000_000),
        number("steps", 500, 1, 1_000_000),
        number("grain_ns", 1_000, 0, 1_000_000_000),
        number("radix", 5, 1, 1_000_000),
    ],
    make: Taskgraph::open,
};

/// Tasks in steps, each of which starts when the last task that it depends on has ended.
struct Taskgraph {
    grain_ns: u64,
    expected: Vec<u64>,
    wall_ns: u64,
    shared: Shared<State>,
}

struct State {
    graph: TaskGraph,
    grain: SpinWork,
    /// Of each task: dependences that have not ended.
    left: Vec<AtomicU32>,
    /// Of each task: its number and the values before it.
    values: Vec<AtomicU64>,
    /// Of each task: its value when it ran, written by it.
    seen: Vec<AtomicU64>,
    done: WaitGroup,
}

/// What a task adds to its value.
fn number_of(task: usize) -> u64 {
    task as u64 * 2 + 1
}

impl Taskgraph {
    fn open(parameters: &Settings, seed: u64) -> Opened {
        const BYTES_PER_TASK: u64 = 64; // of all tables
        let shape = Shape {
            pattern: parameters.choice("pattern"),
            width: parameters.number("width"),
            steps: parameters.number("steps"),
            radix: parameters.number("radix"),
            seed,
        };
        require_memory("taskgraph:steps", "tasks", shape.width * shape.steps, BYTES_PER_TASK)?;
        let dependences = shape.most_dependences();
        if dependences > u64::from(u32::MAX) {
            let message = format!(
                "{dependences} dependences are more than 4 billion; use fewer steps or a smaller width"
            );
            return Err(Refusal::new(Kind::Limit, message));
        }
        require_memory("taskgraph:steps", "dependences", dependences, 4)?;
        let graph = TaskGraph::new(shape);
        let places = graph.needs.len();
        let mut expected = vec![0u64; places];
        for task in (0..places).filter(|&task| graph.exists(task)) {
            expected[task] = expected[task].wrapping_add(number_of(task));
            for &dependent in graph.dependents(task) {
                expected[dependent as usize] =
                    expected[dependent as usize].wrapping_add(expected[task]);
            }
        }
        let grain_ns = parameters.number("grain_ns");
        let state = State {
            graph,
            grain: SpinWork::new(grain_ns),
            left: (0..places).map(|_| AtomicU32::new(0)).collect(),
            values: (0..places).map(|_| AtomicU64::new(0)).collect(),
            seen: (0..places).map(|_| AtomicU64::new(0)).collect(),
            done: WaitGroup::new(),
        };
        Ok(Box::new(Taskgraph {
            grain_ns,
            expected,
            wall_ns: 1,
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

async fn run_task(shared: &'static State, task: usize) {
    shared.grain.run();
    // Relaxed: the decrements of `left` order the values of the tasks that this one depends on before it.
    let own = number_of(task);
    let value = shared.values[task].fetch_add(own, Ordering::Relaxed).wrapping_add(own);
    shared.seen[task].store(value, Ordering::Relaxed);
    for &dependent in shared.graph.dependents(task) {
        let dependent = dependent as usize;
        // Relaxed: as above.
        shared.values[dependent].fetch_add(value, Ordering::Relaxed);
        // AcqRel: pairs with itself in the other tasks: the last one has seen the values of all.
        if shared.left[dependent].fetch_sub(1, Ordering::AcqRel) == 1 {
            spawn_task(shared, dependent);
        }
    }
    shared.done.done();
}

/// Not an async function: the type of `run_task` would contain itself.
fn spawn_task(shared: &'static State, task: usize) {
    spawn(run_task(shared, task));
}

impl Workload<Handle> for Taskgraph {
    fn prepare(&mut self) {
        let shared = self.shared.get();
        for (task, needs) in shared.graph.needs.iter().enumerate() {
            // Relaxed: no task runs.
            shared.left[task].store(*needs, Ordering::Relaxed);
            shared.values[task].store(0, Ordering::Relaxed);
            shared.seen[task].store(0, Ordering::Relaxed);
        }
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        let start = Instant::now();
        shared.done.add(shared.graph.tasks as usize);
        spawn_on(runtime, async move {
            for (task, needs) in shared.graph.needs.iter().enumerate() {
                if *needs == 0 && shared.graph.exists(task) {
                    spawn_task(shared, task);
                }
            }
        });
        shared.done.wait_outside(runtime);
        self.wall_ns = (start.elapsed().as_nanos() as u64).max(1);
        shared.graph.tasks
    }

    fn verify(&self) -> Result<(), String> {
        let seen = &self.shared.get().seen;
        match (0..seen.len())
            .find(|&task| seen[task].load(Ordering::Relaxed) != self.expected[task])
        {
            Some(task) => {
                Err(format!("task {task} ran before all that it depends on had ended, or not once"))
            }
            None => Ok(()),
        }
    }

    fn figures(&self, workers: u64) -> Figures {
        let workers = workers.min(available_cpus());
        let tasks = self.shared.get().graph.tasks as f64;
        let granularity = (self.wall_ns * workers) as f64 / tasks;
        vec![("granularity", granularity), ("efficiency", self.grain_ns as f64 / granularity)]
    }
}
