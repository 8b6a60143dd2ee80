use crate::audit::spawn_on;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::settings::{choice, number, Settings};
use crate::shared::{CacheLine, Shared};
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use crate::workloads::CAPACITY_NOTE;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{channel, Receiver, Sender};

pub const KIND: WorkloadKind = WorkloadKind {
    name: "pingpong",
    operation: "round trip",
    fields: &[
        number("pairs", 64, 1, 1_000_000),
        number("rounds", 10_000, 1, 1_000_000_000),
        number("capacity", 0, 0, 1_000_000),
        // A task that is woken by a worker always goes to the LIFO slot. This cannot be changed.
        choice("hint", 0, &["none", "next"], &["none"]),
    ],
    make: PingPong::open,
};

/// Each pair sends a number there and back; the far end adds one.
struct PingPong {
    rounds: u64,
    capacity: usize,
    ends: Vec<Ends>,
    shared: Shared<State>,
}

struct Ends {
    there: (Sender<u64>, Receiver<u64>),
    back: (Sender<u64>, Receiver<u64>),
}

struct State {
    answers: Vec<CacheLine<AtomicU64>>,
    done: WaitGroup,
}

impl PingPong {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let (pairs, capacity) = (parameters.number("pairs"), parameters.number("capacity"));
        require_memory(
            "pingpong:pairs",
            "pairs of tasks",
            pairs,
            2 * (2 * BYTES_PER_TASK + 8 * capacity),
        )?;
        let answers = (0..pairs).map(|_| CacheLine(AtomicU64::new(0))).collect();
        Ok(Box::new(PingPong {
            rounds: parameters.number("rounds"),
            capacity: capacity as usize,
            ends: Vec::new(),
            // Safety: a session drops its runtime first.
            shared: unsafe { Shared::new(State { answers, done: WaitGroup::new() }) },
        }))
    }
}

impl Workload<Handle> for PingPong {
    fn prepare(&mut self) {
        let shared = self.shared.get();
        shared.answers.iter().for_each(|answer| answer.0.store(0, Relaxed));
        // Tasks own the ends of channels: each round has its own.
        let new_channel = || channel(self.capacity.max(1));
        self.ends = shared
            .answers
            .iter()
            .map(|_| Ends { there: new_channel(), back: new_channel() })
            .collect();
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let (shared, rounds) = (self.shared.get(), self.rounds);
        shared.done.add(2 * shared.answers.len());
        for (ends, answer) in self.ends.drain(..).zip(&shared.answers) {
            let (to_far, mut from_near) = ends.there;
            let (to_near, mut from_far) = ends.back;
            spawn_on(runtime, async move {
                let mut number = 0;
                for _ in 0..rounds {
                    to_far.send(number).await.expect("the far end is there");
                    number = from_far.recv().await.expect("the far end is there");
                }
                answer.0.store(number, Relaxed);
                shared.done.done();
            });
            spawn_on(runtime, async move {
                for _ in 0..rounds {
                    let number = from_near.recv().await.expect("the near end is there");
                    to_near.send(number + 1).await.expect("the near end is there");
                }
                shared.done.done();
            });
        }
        shared.done.wait_outside(runtime);
        shared.answers.len() as u64 * rounds
    }

    fn verify(&self) -> Result<(), String> {
        for (i, answer) in self.shared.get().answers.iter().enumerate() {
            let counted = answer.0.load(Relaxed);
            if counted != self.rounds {
                return Err(format!("pair {i} counted {counted} round trips of {}", self.rounds));
            }
        }
        Ok(())
    }

    fn note(&self) -> Option<&'static str> {
        (self.capacity == 0).then_some(CAPACITY_NOTE)
    }
}
