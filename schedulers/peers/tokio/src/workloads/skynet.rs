use crate::audit::{spawn, spawn_on};
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use crate::workloads::CAPACITY_NOTE;
use rust_agent::fork_join::{Leaves, CHILDREN};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{channel, Sender};
use tokio::task::JoinHandle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "skynet",
    operation: "fiber",
    fields: &[
        number("leaves", 100_000, 1, 100_000_000),
        choice("report", 0, &["channel", "join"], &["channel", "join"]),
        choice("fork", 0, &["spawn", "structured"], &["spawn"]),
    ],
    make: Skynet::open,
};

const NO_SUM: u64 = u64::MAX;

/// A tree of tasks, ten below each; a leaf reports its number to its parent, any other task the sum of its children.
struct Skynet {
    tree: Leaves,
    nodes: u64,
    by_channel: bool,
    shared: Shared<State>,
}

struct State {
    /// Written by the root, read after the round.
    sum: AtomicU64,
    done: WaitGroup,
}

impl Skynet {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let tree = Leaves { first: 0, count: parameters.number("leaves") };
        // For ten leaves there is one task above them, and so on.
        let bytes_each = BYTES_PER_TASK * CHILDREN / (CHILDREN - 1);
        require_memory("skynet:leaves", "leaves and the tasks above them", tree.count, bytes_each)?;
        let state = State { sum: AtomicU64::new(NO_SUM), done: WaitGroup::new() };
        Ok(Box::new(Skynet {
            tree,
            nodes: tree.nodes(),
            by_channel: parameters.choice("report") == "channel",
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

async fn sum_by_channel(leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    let (sender, mut sums) = channel(1);
    for child in leaves.children() {
        spawn_sender(child, sender.clone());
    }
    let mut sum = 0;
    for _ in leaves.children() {
        sum += sums.recv().await.expect("a sender is here");
    }
    sum
}

/// Not an async function: the type of `sum_by_channel` would contain itself.
fn spawn_sender(leaves: Leaves, parent: Sender<u64>) {
    spawn(async move {
        let sum = sum_by_channel(leaves).await;
        parent.send(sum).await.expect("a parent waits for its children");
    });
}

async fn sum_by_join(leaves: Leaves) -> u64 {
    if leaves.count == 1 {
        return leaves.first;
    }
    let children: Vec<_> = leaves.children().map(spawn_sum).collect();
    let mut sum = 0;
    for child in children {
        sum += child.await.expect("a child ends");
    }
    sum
}

/// Not an async function: the type of `sum_by_join` would contain itself.
fn spawn_sum(leaves: Leaves) -> JoinHandle<u64> {
    spawn(sum_by_join(leaves))
}

impl Workload<Handle> for Skynet {
    fn prepare(&mut self) {
        self.shared.get().sum.store(NO_SUM, Relaxed);
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let (shared, tree, by_channel) = (self.shared.get(), self.tree, self.by_channel);
        shared.done.add(1);
        spawn_on(runtime, async move {
            let sum = if by_channel { sum_by_channel(tree).await } else { sum_by_join(tree).await };
            shared.sum.store(sum, Relaxed);
            shared.done.done();
        });
        shared.done.wait_outside(runtime);
        self.nodes
    }

    fn verify(&self) -> Result<(), String> {
        let right = self.tree.count * (self.tree.count - 1) / 2;
        match self.shared.get().sum.load(Relaxed) {
            NO_SUM => Err("the root reported no sum".into()),
            sum if sum != right => Err(format!("the leaves' sum is {right}, not {sum}")),
            _ => Ok(()),
        }
    }

    fn note(&self) -> Option<&'static str> {
        self.by_channel.then_some(CAPACITY_NOTE)
    }
}
