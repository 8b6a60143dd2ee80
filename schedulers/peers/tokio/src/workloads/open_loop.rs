use crate::audit::spawn_on;
use crate::clock::{now_ns, wait_until, PreciseSleep};
use crate::load::{figures, Arrivals, Drawn, Laws, Times};
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::message::Refusal;
use crate::random::derive_seed;
use crate::settings::{choice, number, real, Settings};
use crate::shared::{CacheLine, Shared};
use crate::spin::SpinWork;
use crate::wait_group::WaitGroup;
use crate::workload::{Figures, Opened, Workload, WorkloadKind};
use std::mem::size_of;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;

const BURST: u64 = 10;
const ARRIVALS: &[&str] = &["constant", "poisson", "bursty"];
const SERVICES: &[&str] = &["constant", "exponential"];

pub const KIND: WorkloadKind = WorkloadKind {
    name: "open_loop",
    operation: "request",
    fields: &[
        real("rate", 20_000.0, 1.0, 1e8),
        choice("arrivals", 1, ARRIVALS, ARRIVALS),
        number("burst", BURST, 1, 1_000_000),
        number("requests", 5000, 1, 100_000_000),
        number("service_ns", 20_000, 0, 1_000_000_000),
        choice("service", 1, SERVICES, SERVICES),
        number("source_spin_ns", 20_000, 0, 1_000_000_000),
    ],
    make: OpenLoop::open,
};

/// Requests that arrive at times drawn in advance. The calling thread, which is not a worker, starts a task for each.
struct OpenLoop {
    laws: Laws,
    seed: u64,
    spin_ns: u64,
    /// Number of the next one.
    round: u64,
    drawn: Vec<(u64, SpinWork)>,
    start: u64,
    shared: Shared<State>,
}

struct State {
    seed: u64,
    requests: Vec<CacheLine<Request>>,
    done: CacheLine<WaitGroup>,
}

/// Written by the source before its task exists, then by the task.
#[derive(Default)]
struct Request {
    submitted: AtomicU64,
    begun: AtomicU64,
    ended: AtomicU64,
    answer: AtomicU64,
    runs: AtomicU32,
}

impl OpenLoop {
    fn open(parameters: &Settings, seed: u64) -> Opened {
        let requests = parameters.number("requests");
        let bytes_each = size_of::<CacheLine<Request>>() + size_of::<(u64, SpinWork)>();
        require_memory(
            "open_loop:requests",
            "requests",
            requests,
            bytes_each as u64 + BYTES_PER_TASK,
        )?;
        let arrivals = match parameters.choice("arrivals") {
            "constant" => Arrivals::Constant,
            "poisson" => Arrivals::Poisson,
            _ => Arrivals::Bursty,
        };
        let burst = parameters.number("burst");
        if arrivals != Arrivals::Bursty && burst != BURST {
            return Err(Refusal::input(
                "parameters /burst: requests arrive one by one; this field needs arrivals=bursty",
            ));
        }
        let state = State {
            seed,
            requests: (0..requests).map(|_| CacheLine(Request::default())).collect(),
            done: CacheLine(WaitGroup::new()),
        };
        Ok(Box::new(OpenLoop {
            laws: Laws {
                arrivals,
                rate: parameters.real("rate"),
                burst,
                service_is_constant: parameters.choice("service") == "constant",
                service_ns: parameters.number("service_ns"),
            },
            seed,
            spin_ns: parameters.number("source_spin_ns"),
            round: 0,
            drawn: Vec::new(),
            start: 0,
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(state) },
        }))
    }
}

async fn serve(shared: &State, number: usize, work: SpinWork) {
    let request = &shared.requests[number].0;
    request.begun.store(now_ns(), Relaxed);
    work.run();
    request.answer.store(derive_seed(shared.seed, number as u64), Relaxed);
    // No other task uses it, so the addition need not be atomic.
    request.runs.store(request.runs.load(Relaxed) + 1, Relaxed);
    request.ended.store(now_ns(), Relaxed);
    shared.done.0.done();
}

impl Workload<Handle> for OpenLoop {
    fn prepare(&mut self) {
        let requests = &self.shared.get().requests;
        let drawn = self.laws.draw(requests.len() as u64, self.seed, self.round);
        self.round += 1;
        let with_work = |drawn: Drawn| (drawn.due_ns, SpinWork::new(drawn.service_ns));
        self.drawn = drawn.into_iter().map(with_work).collect();
        for request in requests {
            request.0.answer.store(0, Relaxed);
            request.0.runs.store(0, Relaxed);
        }
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        let _precise = PreciseSleep::new();
        shared.done.0.add(shared.requests.len());
        self.start = now_ns();
        for (number, &(due_ns, work)) in self.drawn.iter().enumerate() {
            let submitted = wait_until(self.start + due_ns, self.spin_ns);
            shared.requests[number].0.submitted.store(submitted, Relaxed);
            spawn_on(runtime, serve(shared, number, work));
        }
        shared.done.0.wait_outside(runtime);
        shared.requests.len() as u64
    }

    fn verify(&self) -> Result<(), String> {
        for (i, request) in self.shared.get().requests.iter().enumerate() {
            let (runs, answer) = (request.0.runs.load(Relaxed), request.0.answer.load(Relaxed));
            let right = derive_seed(self.seed, i as u64);
            if runs != 1 {
                return Err(format!("request {i} was served {runs} times"));
            }
            if answer != right {
                return Err(format!("request {i} got the answer {answer}, not {right}"));
            }
        }
        Ok(())
    }

    fn figures(&self, _workers: u64) -> Figures {
        let after_start = |time: &AtomicU64| time.load(Relaxed) - self.start;
        let times = |(request, drawn): (&CacheLine<Request>, &(u64, SpinWork))| Times {
            due: drawn.0,
            submitted: after_start(&request.0.submitted),
            begun: after_start(&request.0.begun),
            ended: after_start(&request.0.ended),
        };
        let requests = &self.shared.get().requests;
        figures(&requests.iter().zip(&self.drawn).map(times).collect::<Vec<_>>())
    }
}
