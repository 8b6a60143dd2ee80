//! The interface of a workload.

use crate::message::Refusal;
use crate::settings::{Field, Settings};

pub type Figures = Vec<(&'static str, f64)>;

/// A workload that is open, for a runtime that its tasks reach through a `Handle`. A round is prepare (not timed), run (timed) and
/// verify (not timed). Each does the same work with the same parameters as the file of its name in workloads/. It is dropped
/// after the runtime.
pub trait Workload<Handle> {
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

pub type Opened<Handle> = Result<Box<dyn Workload<Handle>>, Refusal>;

pub struct WorkloadKind<Handle: 'static> {
    pub name: &'static str,
    /// What is counted, singular.
    pub operation: &'static str,
    pub fields: &'static [Field],
    /// Called with the parameters and the seed of all random choices.
    pub make: fn(&Settings, u64) -> Opened<Handle>,
}
