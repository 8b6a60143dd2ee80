use crate::audit::{spawn, spawn_on};
use crate::load::Sample;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::random::derive_seed;
use crate::settings::{number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Figures, Opened, Workload, WorkloadKind};
use std::mem::size_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout_at;

const HOUR: Duration = Duration::from_secs(3600);

pub const KIND: WorkloadKind = WorkloadKind {
    name: "timers",
    operation: "wait",
    fields: &[
        number("sleepers", 1_000_000, 1, 4_000_000_000),
        number("cancelled_percent", 50, 0, 100),
        number("max_ms", 100, 1, 600_000),
    ],
    make: Timers::open,
};

/// Very many tasks that wait for a notification of their own or until a deadline, whichever is first.
struct Timers {
    cancelled_percent: u64,
    max_ns: u64,
    seed: u64,
    shared: Shared<State>,
}

struct State {
    start: Instant,
    waits: Vec<Wait>,
    begun: WaitGroup,
    ended: WaitGroup,
}

/// Times are in nanoseconds after the start of the workload.
struct Wait {
    event: Notify,
    sleep_ns: AtomicU64,
    is_cancelled: AtomicBool,
    // The rest is written by the task.
    due_ns: AtomicU64,
    ended_ns: AtomicU64,
    has_fired: AtomicBool,
}

impl Timers {
    fn open(parameters: &Settings, seed: u64) -> Opened {
        let sleepers = parameters.number("sleepers");
        let bytes_each = size_of::<Wait>() as u64 + BYTES_PER_TASK;
        require_memory("timers:sleepers", "sleeping tasks", sleepers, bytes_each)?;
        let wait = |_| Wait {
            event: Notify::new(),
            sleep_ns: AtomicU64::new(0),
            is_cancelled: AtomicBool::new(false),
            due_ns: AtomicU64::new(0),
            ended_ns: AtomicU64::new(0),
            has_fired: AtomicBool::new(false),
        };
        let state = State {
            start: Instant::now(),
            waits: (0..sleepers).map(wait).collect(),
            begun: WaitGroup::new(),
            ended: WaitGroup::new(),
        };
        Ok(Box::new(Timers {
            cancelled_percent: parameters.number("cancelled_percent"),
            max_ns: parameters.number("max_ms") * 1_000_000,
            seed,
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

impl State {
    fn now_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }
}

async fn sleep(shared: &State, wait: &Wait) {
    shared.begun.done();
    let due_ns = shared.now_ns() + wait.sleep_ns.load(Relaxed);
    wait.due_ns.store(due_ns, Relaxed);
    let due = shared.start + Duration::from_nanos(due_ns);
    let fired = timeout_at(due.into(), wait.event.notified()).await.is_ok();
    wait.has_fired.store(fired, Relaxed);
    wait.ended_ns.store(shared.now_ns(), Relaxed);
    shared.ended.done();
}

impl Workload<Handle> for Timers {
    fn prepare(&mut self) {
        for (i, wait) in self.shared.get().waits.iter().enumerate() {
            let random = derive_seed(self.seed, i as u64);
            let is_cancelled = random % 100 < self.cancelled_percent;
            let sleep_ns = match is_cancelled {
                true => HOUR.as_nanos() as u64,
                false => derive_seed(random, 1) % self.max_ns,
            };
            wait.is_cancelled.store(is_cancelled, Relaxed);
            wait.sleep_ns.store(sleep_ns, Relaxed);
            wait.ended_ns.store(0, Relaxed);
            wait.has_fired.store(false, Relaxed);
        }
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        shared.begun.add(shared.waits.len());
        shared.ended.add(shared.waits.len() + 1);
        spawn_on(runtime, async move {
            for wait in &shared.waits {
                spawn(sleep(shared, wait));
            }
            shared.begun.wait().await;
            for wait in &shared.waits {
                if wait.is_cancelled.load(Relaxed) {
                    wait.event.notify_one();
                }
            }
            shared.ended.done();
        });
        shared.ended.wait_outside(runtime);
        shared.waits.len() as u64
    }

    fn verify(&self) -> Result<(), String> {
        for (i, wait) in self.shared.get().waits.iter().enumerate() {
            let (ended, fired) = (wait.ended_ns.load(Relaxed), wait.has_fired.load(Relaxed));
            if ended == 0 {
                return Err(format!("task {i} did not return from its wait"));
            }
            if fired != wait.is_cancelled.load(Relaxed) {
                let what = if fired { "returned without its event" } else { "timed out" };
                return Err(format!("task {i}: the wait {what}"));
            }
            let due = wait.due_ns.load(Relaxed);
            if !fired && ended < due {
                return Err(format!("task {i} continued {} ns too early", due - ended));
            }
        }
        Ok(())
    }

    fn figures(&self, _workers: u64) -> Figures {
        let waits = &self.shared.get().waits;
        let timed_out = waits.iter().filter(|wait| !wait.has_fired.load(Relaxed));
        let late = |wait: &Wait| wait.ended_ns.load(Relaxed) - wait.due_ns.load(Relaxed);
        let late = Sample::new(timed_out.map(late));
        vec![("lateness_p50", late.quantile(0.5)), ("lateness_p99", late.p99())]
    }
}
