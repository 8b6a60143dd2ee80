use crate::audit::spawn_on;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::spin::SpinWork;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "blocking_syscall",
    operation: "call",
    fields: &[
        number("fibers", 16, 1, 1_000_000),
        number("calls", 20, 1, 1_000_000),
        number("call_us", 200, 0, 10_000_000),
        number("work_ns", 5000, 0, 1_000_000_000),
        choice("by", 0, &["blocking", "syscall"], &["blocking"]),
    ],
    make: BlockingSyscall::open,
};

/// Tasks that block threads in the kernel: those of the blocking pool, one for each call at a time.
struct BlockingSyscall {
    shared: Shared<State>,
}

struct State {
    calls: u64,
    call: Duration,
    work: SpinWork,
    /// Calls of each task.
    returned: Vec<AtomicU64>,
    done: WaitGroup,
}

impl BlockingSyscall {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let fibers = parameters.number("fibers");
        require_memory("blocking_syscall:fibers", "tasks in calls", fibers, BYTES_PER_TASK)?;
        let state = State {
            calls: parameters.number("calls"),
            call: Duration::from_micros(parameters.number("call_us")),
            work: SpinWork::new(parameters.number("work_ns")),
            returned: (0..fibers).map(|_| AtomicU64::new(0)).collect(),
            done: WaitGroup::new(),
        };
        // Safety: a session drops its runtime first.
        Ok(Box::new(BlockingSyscall { shared: unsafe { Shared::new(state) } }))
    }
}

async fn call_each(shared: &'static State, returned: &AtomicU64) {
    for _ in 0..shared.calls {
        shared.work.run();
        let call = move || {
            if !shared.call.is_zero() {
                sleep(shared.call);
            }
            1
        };
        // No other task uses it, so the addition need not be atomic.
        let ones = spawn_blocking(call).await.unwrap_or(0);
        returned.store(returned.load(Relaxed) + ones, Relaxed);
    }
    shared.done.done();
}

impl Workload<Handle> for BlockingSyscall {
    fn prepare(&mut self) {
        self.shared.get().returned.iter().for_each(|returned| returned.store(0, Relaxed));
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        shared.done.add(shared.returned.len());
        for returned in &shared.returned {
            spawn_on(runtime, call_each(shared, returned));
        }
        shared.done.wait_outside(runtime);
        shared.calls * shared.returned.len() as u64
    }

    fn verify(&self) -> Result<(), String> {
        let shared = self.shared.get();
        for (i, returned) in shared.returned.iter().enumerate() {
            let returned = returned.load(Relaxed);
            if returned != shared.calls {
                return Err(format!("task {i} returned from {returned} of {} calls", shared.calls));
            }
        }
        Ok(())
    }
}
