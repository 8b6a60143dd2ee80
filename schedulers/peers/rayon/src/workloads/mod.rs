//! One file is one workload.

mod chained_spawn;
mod fib;
mod nqueens;
mod skynet;
mod spawn_join;

use rayon::ThreadPool;

pub type Opened = rust_agent::workload::Opened<ThreadPool>;
pub type WorkloadKind = rust_agent::workload::WorkloadKind<ThreadPool>;

pub const WORKLOADS: &[WorkloadKind] =
    &[fib::KIND, nqueens::KIND, skynet::KIND, spawn_join::KIND, chained_spawn::KIND];

/// Memory of a job in a queue: a box with its closure, its place in the deque, the allocator's rounding.
const BYTES_PER_JOB: u64 = 128;
