//! The list of all workloads.

use crate::workloads::*;
use tokio::runtime::Handle;

pub use rust_agent::workload::{Figures, Workload};

pub type Opened = rust_agent::workload::Opened<Handle>;
pub type WorkloadKind = rust_agent::workload::WorkloadKind<Handle>;

pub const WORKLOADS: &[WorkloadKind] = &[
    pingpong::KIND,
    yields::KIND,
    spawn_join::KIND,
    chained_spawn::KIND,
    skynet::KIND,
    fib::KIND,
    mutex::KIND,
    channel_mpmc::KIND,
    million::KIND,
    open_loop::KIND,
    timers::KIND,
    echo::KIND,
    blocking_syscall::KIND,
    greedy::KIND,
    taskgraph::KIND,
];
