use super::{Opened, WorkloadKind};
use crate::audit::{run_in, spawn};
use rayon::prelude::*;
use rayon::ThreadPool;
use rust_agent::fork_join::{Leaves, CHILDREN};
use rust_agent::message::Refusal;
use rust_agent::settings::{choice, number, Settings};
use rust_agent::workload::Workload;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "skynet",
    operation: "fiber",
    fields: &[
        number("leaves", 100_000, 1, 100_000_000),
        choice("report", 0, &["channel", "join"], &["channel", "join"]),
        choice("fork", 0, &["spawn", "structured"], &["spawn", "structured"]),
    ],
    make: Skynet::open,
};

const NO_SUM: u64 = u64::MAX;

/// A tree of calls, ten below each; a leaf returns its number, any other call the sum of its children.
struct Skynet {
    tree: Leaves,
    nodes: u64,
    structured: bool,
    sum: u64,
}

impl Skynet {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let structured = parameters.choice("fork") == "structured";
        if !structured && parameters.choice("report") == "channel" {
            return Err(Refusal::input(
                "parameters /report: a job of rayon cannot wait for a channel, only report=join",
            ));
        }
        let tree = Leaves { first: 0, count: parameters.number("leaves") };
        Ok(Box::new(Skynet { tree, nodes: tree.nodes(), structured, sum: NO_SUM }))
    }
}

/// with_max_len: each call is worth a fork here, and is made by one.
fn sum_structured(leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    (0..leaves.child_count() as usize)
        .into_par_iter()
        .with_max_len(1)
        .map(|i| sum_structured(leaves.child(i as u64)))
        .sum()
}

fn sum_spawned(leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    let mut sums = [0; CHILDREN as usize];
    rayon::scope(|scope| {
        for (sum, child) in sums.iter_mut().zip(leaves.children()) {
            spawn(scope, move |_| *sum = sum_spawned(child));
        }
    });
    sums.iter().sum()
}

impl Workload<ThreadPool> for Skynet {
    fn prepare(&mut self) {
        self.sum = NO_SUM;
    }

    fn run(&mut self, pool: &ThreadPool) -> u64 {
        let (tree, structured) = (self.tree, self.structured);
        self.sum =
            run_in(pool, || if structured { sum_structured(tree) } else { sum_spawned(tree) });
        self.nodes
    }

    fn verify(&self) -> Result<(), String> {
        let right = self.tree.count * (self.tree.count - 1) / 2;
        match self.sum {
            NO_SUM => Err("the root reported no sum".into()),
            sum if sum != right => Err(format!("the leaves' sum is {right}, not {sum}")),
            _ => Ok(()),
        }
    }
}
