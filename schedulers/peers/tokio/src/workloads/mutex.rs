use crate::audit::spawn_on;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::settings::{number, Settings};
use crate::shared::{CacheLine, Shared};
use crate::spin::SpinWork;
use crate::wait_group::WaitGroup;
use crate::workload::{Figures, Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "mutex",
    operation: "section",
    fields: &[
        number("fibers", 16, 1, 1_000_000),
        number("sections", 2000, 1, 1_000_000_000),
        number("critical_ns", 100, 0, 1_000_000_000),
        number("outside_ns", 100, 0, 1_000_000_000),
    ],
    make: Sections::open,
};

/// Tasks that lock one mutex again and again.
struct Sections {
    clients: u64,
    /// Of each client.
    sections: u64,
    took: Duration,
    shared: Shared<State>,
}

struct State {
    critical: SpinWork,
    outside: SpinWork,
    /// Sections so far.
    data: CacheLine<Mutex<u64>>,
    /// In ns after the start; 0: no client yet.
    first_done: AtomicU64,
    done: WaitGroup,
}

impl Sections {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let clients = parameters.number("fibers");
        require_memory("mutex:fibers", "clients", clients, BYTES_PER_TASK)?;
        let state = State {
            critical: SpinWork::new(parameters.number("critical_ns")),
            outside: SpinWork::new(parameters.number("outside_ns")),
            data: CacheLine(Mutex::new(0)),
            first_done: AtomicU64::new(0),
            done: WaitGroup::new(),
        };
        Ok(Box::new(Sections {
            clients,
            sections: parameters.number("sections"),
            took: Duration::ZERO,
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

impl Workload<Handle> for Sections {
    fn prepare(&mut self) {
        let shared = self.shared.get();
        *shared.data.0.try_lock().expect("no client is there") = 0;
        shared.first_done.store(0, Relaxed);
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let (shared, sections) = (self.shared.get(), self.sections);
        let start = Instant::now();
        shared.done.add(self.clients as usize);
        for _ in 0..self.clients {
            spawn_on(runtime, async move {
                for _ in 0..sections {
                    let mut sections_so_far = shared.data.0.lock().await;
                    *sections_so_far += 1;
                    shared.critical.run();
                    drop(sections_so_far);
                    shared.outside.run();
                }
                let now = start.elapsed().as_nanos() as u64;
                let _ = shared.first_done.compare_exchange(0, now, Relaxed, Relaxed);
                shared.done.done();
            });
        }
        shared.done.wait_outside(runtime);
        self.took = start.elapsed();
        self.clients * sections
    }

    fn verify(&self) -> Result<(), String> {
        let counted = *self.shared.get().data.0.try_lock().expect("no client is there");
        let right = self.clients * self.sections;
        if counted == right {
            Ok(())
        } else {
            Err(format!("the shared data counted {counted} critical sections of {right}"))
        }
    }

    fn figures(&self, _workers: u64) -> Figures {
        let first = self.shared.get().first_done.load(Relaxed) as f64;
        vec![("first_done", first / self.took.as_nanos() as f64)]
    }
}
