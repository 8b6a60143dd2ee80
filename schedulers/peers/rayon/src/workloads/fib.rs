use super::{Opened, WorkloadKind};
use crate::audit::{run_in, spawn};
use rayon::ThreadPool;
use rust_agent::audit::count_inline_call;
use rust_agent::fork_join::{fibonacci, forks};
use rust_agent::settings::{choice, number, Settings};
use rust_agent::workload::Workload;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "fib",
    operation: "fork",
    fields: &[
        number("n", 20, 2, 42),
        choice("branches", 0, &["one", "both"], &["one", "both"]),
        choice("fork", 0, &["spawn", "structured"], &["spawn", "structured"]),
    ],
    make: Fib::open,
};

/// The Fibonacci numbers by their definition: only forks and joins. A thread that waits runs other jobs on its stack, so that few
/// exist at a time.
struct Fib {
    n: u64,
    both: bool,
    structured: bool,
    answer: u64,
}

impl Fib {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        Ok(Box::new(Fib {
            n: parameters.number("n"),
            both: parameters.choice("branches") == "both",
            structured: parameters.choice("fork") == "structured",
            answer: 0,
        }))
    }
}

/// `join` makes the first call itself and offers the second. Both branches are forks, or one is: that is the same for it.
fn join_both(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (second, first) = rayon::join(|| join_both(n - 2), || join_both(n - 1));
    first + second
}

fn join_one(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let call = || {
        count_inline_call();
        join_one(n - 2)
    };
    let (second, first) = rayon::join(call, || join_one(n - 1));
    first + second
}

fn spawn_one(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let mut first = 0;
    let second = rayon::scope(|scope| {
        spawn(scope, |_| first = spawn_one(n - 1));
        count_inline_call();
        spawn_one(n - 2)
    });
    first + second
}

fn spawn_both(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (mut first, mut second) = (0, 0);
    rayon::scope(|scope| {
        spawn(scope, |_| first = spawn_both(n - 1));
        spawn(scope, |_| second = spawn_both(n - 2));
    });
    first + second
}

impl Workload<ThreadPool> for Fib {
    fn prepare(&mut self) {
        self.answer = 0;
    }

    fn run(&mut self, pool: &ThreadPool) -> u64 {
        let compute = match (self.structured, self.both) {
            (true, true) => join_both,
            (true, false) => join_one,
            (false, true) => spawn_both,
            (false, false) => spawn_one,
        };
        let n = self.n;
        self.answer = run_in(pool, || compute(n));
        forks(n, self.both)
    }

    fn verify(&self) -> Result<(), String> {
        let right = fibonacci(self.n);
        if self.answer == right {
            Ok(())
        } else {
            Err(format!("fib({}) is {right}, not {}", self.n, self.answer))
        }
    }
}
