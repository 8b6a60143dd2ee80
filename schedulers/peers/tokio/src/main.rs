//! An agent of the Tokio runtime, with the protocol of docs/agent-protocol.md.

mod audit;
mod clock;
mod load;
mod random;
mod shared;
mod spin;
mod task_graph;
mod wait_group;
mod workload;
mod workloads;

use rust_agent::agent::{Runtime, WORKERS};
use rust_agent::message::{Kind, Refusal};
use rust_agent::settings::{choice, number, Field, Settings};
use rust_agent::{machine, message, settings};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::runtime::{Builder, Handle};

struct Tokio(tokio::runtime::Runtime);

/// Whether the runtime has the drivers of I/O and time. Without them their use would end the process.
static HAS_DRIVERS: AtomicBool = AtomicBool::new(false);

/// What a workload that needs them reports as its answer.
fn require_drivers() -> Result<(), String> {
    match HAS_DRIVERS.load(Relaxed) {
        true => Ok(()),
        false => Err("it needs sockets or timers: drivers=all".into()),
    }
}

impl Runtime for Tokio {
    const NAME: &'static str = "tokio";
    const VERSION: &'static str = env!("RUNTIME_VERSION");
    const TASKS: &'static str = "async tasks";
    const CONFIG: &'static [Field] = &[
        WORKERS,
        // Tokio's own defaults.
        number("event_interval", 61, 1, 1_000_000),
        number("global_queue_interval", 61, 1, 1_000_000),
        // The drivers of I/O and time: all as under #[tokio::main]; echo, timers and greedy need them.
        choice("drivers", 0, &["all", "none"], &["all", "none"]),
    ];
    const WORKLOADS: &'static [workload::WorkloadKind] = workload::WORKLOADS;

    type Handle = Handle;

    fn start(config: &Settings) -> Result<Self, Refusal> {
        let mut builder = Builder::new_multi_thread();
        builder
            .worker_threads(config.number("workers") as usize)
            .event_interval(config.number("event_interval") as u32)
            .global_queue_interval(config.number("global_queue_interval") as u32);
        let has_drivers = config.choice("drivers") == "all";
        HAS_DRIVERS.store(has_drivers, Relaxed);
        if has_drivers {
            builder.enable_all();
        }
        builder
            .build()
            .map(Tokio)
            .map_err(|error| Refusal::new(Kind::Limit, format!("no runtime: {error}")))
    }

    fn handle(&self) -> &Handle {
        self.0.handle()
    }
}

fn main() {
    rust_agent::serve::<Tokio>();
}
