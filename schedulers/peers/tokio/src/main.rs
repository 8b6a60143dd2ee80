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
use std::env;
use std::path::PathBuf;
use tokio::runtime::{Builder, Handle};

struct Tokio(tokio::runtime::Runtime);

/// Without the drivers of I/O and time these would end the process.
const NEED_DRIVERS: [&str; 3] = ["echo", "greedy", "timers"];

impl Runtime for Tokio {
    const NAME: &'static str = "tokio";
    const VERSION: &'static str = env!("RUNTIME_VERSION");
    const TASKS: &'static str = "async tasks";
    const CONFIG: &'static [Field] = &[
        WORKERS,
        // Tokio's own defaults.
        number("event_interval", 61, 1, 1_000_000),
        number("global_queue_interval", 61, 1, 1_000_000),
        choice("lifo_slot", 0, &["on", "off"], &["on", "off"]),
        // The drivers of I/O and time: all as under #[tokio::main].
        choice("drivers", 0, &["all", "none"], &["all", "none"]),
    ];
    const WORKLOADS: &'static [workload::WorkloadKind] = workload::WORKLOADS;

    type Handle = Handle;

    fn check(config: &Settings, workload: &str) -> Result<(), Refusal> {
        if config.choice("drivers") == "none" && NEED_DRIVERS.contains(&workload) {
            return Err(Refusal::input(format!(
                "config /drivers: {workload} needs the drivers of I/O and time; expected all"
            )));
        }
        Ok(())
    }

    // Only a build with tokio_unstable has no LIFO slot on request. That build also counts events, so that it serves this setting alone.
    fn other_program(config: &Settings) -> Option<PathBuf> {
        let off = config.choice("lifo_slot") == "off";
        let own = env::current_exe().unwrap_or_default();
        (off != cfg!(tokio_unstable))
            .then(|| own.with_extension(if off { "no_lifo_slot" } else { "" }))
    }

    fn start(config: &Settings) -> Result<Self, Refusal> {
        let mut builder = Builder::new_multi_thread();
        builder
            .worker_threads(config.number("workers") as usize)
            .event_interval(config.number("event_interval") as u32)
            .global_queue_interval(config.number("global_queue_interval") as u32);
        #[cfg(tokio_unstable)]
        builder.disable_lifo_slot();
        if config.choice("drivers") == "all" {
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
