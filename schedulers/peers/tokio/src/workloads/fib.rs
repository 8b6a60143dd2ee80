use crate::audit::{count_inline_call, spawn, spawn_on};
use crate::machine::{count_that_fits, BYTES_PER_TASK};
use crate::message::{Kind, Refusal};
use crate::settings::{choice, number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use rust_agent::fork_join::{fibonacci, forks};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "fib",
    operation: "fork",
    fields: &[
        number("n", 20, 2, 42),
        choice("branches", 0, &["one", "both"], &["one", "both"]),
        choice("fork", 0, &["spawn", "structured"], &["spawn"]),
    ],
    make: Fib::open,
};

/// The Fibonacci numbers by their definition: only forks and joins.
struct Fib {
    n: u64,
    both: bool,
    shared: Shared<State>,
}

struct State {
    /// Written by the first task, read after the round.
    answer: AtomicU64,
    done: WaitGroup,
}

impl Fib {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let (n, both) = (parameters.number("n"), parameters.choice("branches") == "both");
        let most = count_that_fits(BYTES_PER_TASK);
        if forks(n, both) > most {
            let fits = (2..n).rev().find(|&n| forks(n, both) <= most).unwrap_or(2);
            let needed = format!("{} suspended tasks need more RAM than is free", forks(n, both));
            return Err(Refusal::new(Kind::Limit, format!("{needed}; what fits: fib:n={fits}")));
        }
        let state = State { answer: AtomicU64::new(0), done: WaitGroup::new() };
        // Safety: a session drops its runtime first.
        Ok(Box::new(Fib { n, both, shared: unsafe { Shared::new(state) } }))
    }
}

async fn fork_one(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let first = spawn_fork_one(n - 1);
    count_inline_call();
    // fib(0) and fib(1) fork nothing and need no memory of their own.
    let second = if n - 2 < 2 { n - 2 } else { call_fork_one(n - 2).await };
    first.await.expect("a fork ends") + second
}

/// Neither this nor the next is an async function: the type of `fork_one` would contain itself.
fn spawn_fork_one(n: u64) -> JoinHandle<u64> {
    spawn(fork_one(n))
}

fn call_fork_one(n: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(fork_one(n))
}

async fn fork_both(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let first = spawn_fork_both(n - 1);
    let second = spawn_fork_both(n - 2);
    first.await.expect("a fork ends") + second.await.expect("a fork ends")
}

fn spawn_fork_both(n: u64) -> JoinHandle<u64> {
    spawn(fork_both(n))
}

impl Workload<Handle> for Fib {
    fn prepare(&mut self) {
        self.shared.get().answer.store(0, Relaxed);
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let (shared, n, both) = (self.shared.get(), self.n, self.both);
        shared.done.add(1);
        spawn_on(runtime, async move {
            let answer = if both { fork_both(n).await } else { fork_one(n).await };
            shared.answer.store(answer, Relaxed);
            shared.done.done();
        });
        shared.done.wait_outside(runtime);
        forks(n, both)
    }

    fn verify(&self) -> Result<(), String> {
        let (answer, right) = (self.shared.get().answer.load(Relaxed), fibonacci(self.n));
        if answer == right {
            Ok(())
        } else {
            Err(format!("fib({}) is {right}, not {answer}", self.n))
        }
    }
}
