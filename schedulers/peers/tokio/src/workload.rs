//! The interface of a workload, and the list of all of them.

use crate::message::Refusal;
use crate::settings::{Field, Settings};
use crate::workloads::*;
use tokio::runtime::Handle;

pub type Figures = Vec<(&'static str, f64)>;

/// A workload that is open. A round is prepare (not timed), run (timed) and verify (not timed). Each does the same work
/// with the same parameters as the file of its name in workloads/. It is dropped after the runtime.
pub trait Workload {
    fn prepare(&mut self);
    /// Returns the number of operations, after all tasks that it started have ended.
    fn run(&mut self, runtime: &Handle) -> u64;
    /// What is wrong with the answer of the last round.
    fn verify(&self) -> Result<(), String>;
    /// How it differs from the workload of the same name and parameters in other agents.
    fn note(&self) -> Option<&'static str> {
        None
    }
    /// Of the last round, which a runtime with `workers` ran; NaN if the round is too small.
    fn figures(&self, _workers: u64) -> Figures {
        Vec::new()
    }
}

pub type Opened = Result<Box<dyn Workload>, Refusal>;

pub struct WorkloadKind {
    pub name: &'static str,
    /// What is counted, singular.
    pub operation: &'static str,
    pub fields: &'static [Field],
    /// Called with the parameters and the seed of all random choices.
    pub make: fn(&Settings, u64) -> Opened,
}

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
    taskgraph::KIND,
];
