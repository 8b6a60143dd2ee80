use super::{Opened, WorkloadKind};
use crate::audit::spawn;
use rayon::{Scope, ThreadPool};
use rust_agent::settings::{choice, number, Settings};
use rust_agent::workload::Workload;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
    /// Written by the running link.
    links: AtomicU64,
}

impl ChainedSpawn {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        Ok(Box::new(ChainedSpawn {
            depth: parameters.number("depth"),
            chains: parameters.number("chains"),
            links: AtomicU64::new(0),
        }))
    }
}

fn link<'s>(scope: &Scope<'s>, links: &'s AtomicU64, left: u64) {
    // There is one running link, so the addition need not be atomic.
    links.store(links.load(Relaxed) + 1, Relaxed);
    if left > 1 {
        spawn(scope, move |scope| link(scope, links, left - 1));
    }
}

impl Workload<ThreadPool> for ChainedSpawn {
    fn prepare(&mut self) {
        self.links.store(0, Relaxed);
    }

    fn run(&mut self, pool: &ThreadPool) -> u64 {
        let (links, depth) = (&self.links, self.depth);
        for _ in 0..self.chains {
            pool.in_place_scope(|scope| {
                spawn(scope, move |scope| link(scope, links, depth));
            });
        }
        self.depth * self.chains
    }

    fn verify(&self) -> Result<(), String> {
        let (links, right) = (self.links.load(Relaxed), self.depth * self.chains);
        if links == right {
            Ok(())
        } else {
            Err(format!("{links} links ran of {right}"))
        }
    }
}
