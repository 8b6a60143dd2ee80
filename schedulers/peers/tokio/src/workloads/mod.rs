//! One file is one workload.

pub mod blocking_syscall;
pub mod chained_spawn;
pub mod channel_mpmc;
pub mod echo;
pub mod fib;
pub mod greedy;
pub mod million;
pub mod mutex;
pub mod open_loop;
pub mod pingpong;
pub mod skynet;
pub mod spawn_join;
pub mod taskgraph;
pub mod timers;
pub mod yields;

/// The note of workloads that are opened with a channel of capacity 0.
const CAPACITY_NOTE: &str =
    "Tokio has no channel without a buffer: capacity 0 becomes 1, so a sender need not wait for its receiver";
