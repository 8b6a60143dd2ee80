//! An agent of rayon, with the protocol of docs/agent-protocol.md.

mod audit;
mod workloads;

use rayon::{ThreadPool, ThreadPoolBuilder};
use rust_agent::agent::{Runtime, WORKERS};
use rust_agent::message::{Kind, Refusal};
use rust_agent::settings::{Field, Settings};
use rust_agent::workload::WorkloadKind;

struct Rayon(ThreadPool);

impl Runtime for Rayon {
    const NAME: &'static str = "rayon";
    const VERSION: &'static str = env!("RUNTIME_VERSION");
    const TASKS: &'static str = "jobs, without stacks";
    const CONFIG: &'static [Field] = &[WORKERS];
    const WORKLOADS: &'static [WorkloadKind<ThreadPool>] = workloads::WORKLOADS;

    type Handle = ThreadPool;

    fn start(config: &Settings) -> Result<Self, Refusal> {
        ThreadPoolBuilder::new()
            .num_threads(config.number("workers") as usize)
            .build()
            .map(Rayon)
            .map_err(|error| Refusal::new(Kind::Limit, format!("no threads: {error}")))
    }

    fn handle(&self) -> &ThreadPool {
        &self.0
    }
}

fn main() {
    rust_agent::serve::<Rayon>();
}
