use crate::audit::{spawn, spawn_on};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "chained_spawn",
    operation: "link",
    fields: &[
        number("depth", 1000, 1, 1_000_000_000),
        number("chains", 100, 1, 1_000_000),
        choice("front_end", 1, &["task", "fiber"], &["fiber"]),
    ],
    make: ChainedSpawn::open,
};

/// Each link starts the next one and ends; after the last one the calling thread starts the next chain.
struct ChainedSpawn {
    depth: u64,
    chains: u64,
    shared: Shared<State>,
}

struct State {
    /// Written by the running link.
    links: AtomicU64,
    end: WaitGroup,
}

impl ChainedSpawn {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        Ok(Box::new(ChainedSpawn {
            depth: parameters.number("depth"),
            chains: parameters.number("chains"),
            // Safety: a session drops its runtime first.
            shared: unsafe {
                Shared::new(State { links: AtomicU64::new(0), end: WaitGroup::new() })
            },
        }))
    }
}

async fn link(shared: &'static State, left: u64) {
    // There is one running link, so the addition need not be atomic.
    shared.links.store(shared.links.load(Relaxed) + 1, Relaxed);
    if left > 1 {
        spawn_link(shared, left - 1);
    } else {
        shared.end.done();
    }
}

/// Not an async function: the type of `link` would contain itself.
fn spawn_link(shared: &'static State, left: u64) {
    spawn(link(shared, left));
}

impl Workload<Handle> for ChainedSpawn {
    fn prepare(&mut self) {
        self.shared.get().links.store(0, Relaxed);
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        for _ in 0..self.chains {
            shared.end.add(1);
            spawn_on(runtime, link(shared, self.depth));
            shared.end.wait_outside(runtime);
        }
        self.depth * self.chains
    }

    fn verify(&self) -> Result<(), String> {
        let (links, right) = (self.shared.get().links.load(Relaxed), self.depth * self.chains);
        if links == right {
            Ok(())
        } else {
            Err(format!("{links} links ran of {right}"))
        }
    }
}
