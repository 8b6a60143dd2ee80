use crate::audit::spawn_on;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::random::mix_seed;
use crate::settings::{number, Settings};
use crate::shared::{CacheLine, Shared};
use crate::wait_group::WaitGroup;
use crate::workload::{Opened, Workload, WorkloadKind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::runtime::Handle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "channel_mpmc",
    operation: "message",
    fields: &[
        number("producers", 4, 1, 1_000_000),
        number("consumers", 4, 1, 1_000_000),
        number("messages", 200_000, 1, 1_000_000_000),
        number("capacity", 64, 0, 100_000_000),
    ],
    make: ChannelMpmc::open,
};

/// Many producers and many consumers on one channel, closed when all messages are sent.
struct ChannelMpmc {
    producers: u64,
    messages: u64,
    capacity: u64,
    /// What all consumers together must receive.
    right: Received,
    shared: Shared<State>,
}

struct State {
    /// Each written by its consumer at its end.
    consumers: Vec<CacheLine<[AtomicU64; 3]>>,
    producing: WaitGroup,
    consuming: WaitGroup,
}

/// What a consumer has received. The sum does not detect 1 and 4 in place of 2 and 3; the mixed numbers do.
#[derive(Clone, Copy, Default, PartialEq)]
struct Received {
    messages: u64,
    sum: u64,
    mixed: u64,
}

impl Received {
    fn add(&mut self, message: u64) {
        self.messages += 1;
        self.sum += message;
        self.mixed ^= mix_seed(message);
    }
}

impl ChannelMpmc {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let [producers, consumers, messages, capacity] =
            ["producers", "consumers", "messages", "capacity"].map(|name| parameters.number(name));
        for (field, count, things, bytes_each) in [
            ("producers", producers, "suspended tasks", BYTES_PER_TASK),
            ("consumers", consumers, "suspended tasks", BYTES_PER_TASK),
            ("capacity", capacity, "messages in a buffer", 16),
        ] {
            require_memory(&format!("channel_mpmc:{field}"), things, count, bytes_each)?;
        }
        let mut right = Received::default();
        (0..messages).for_each(|message| right.add(message));
        let state = State {
            consumers: (0..consumers).map(|_| CacheLine(Default::default())).collect(),
            producing: WaitGroup::new(),
            consuming: WaitGroup::new(),
        };
        // Safety: a session drops its runtime first.
        Ok(Box::new(ChannelMpmc {
            producers,
            messages,
            capacity,
            right,
            shared: unsafe { Shared::new(state) },
        }))
    }

    /// The first message of producer `i`. The numbers of messages of two producers differ by at most one.
    fn first_of(&self, i: u64) -> u64 {
        self.messages * i / self.producers
    }
}

impl Workload<Handle> for ChannelMpmc {
    fn prepare(&mut self) {
        let numbers = self.shared.get().consumers.iter().flat_map(|consumer| &consumer.0);
        numbers.for_each(|number| number.store(0, Relaxed));
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        let (sender, receiver) = flume::bounded(self.capacity as usize);
        shared.producing.add(self.producers as usize);
        shared.consuming.add(shared.consumers.len());
        for i in 0..self.producers {
            let (sender, messages) = (sender.clone(), self.first_of(i)..self.first_of(i + 1));
            spawn_on(runtime, async move {
                for message in messages {
                    sender.send_async(message).await.expect("the channel is open");
                }
                shared.producing.done();
            });
        }
        for consumer in &shared.consumers {
            let receiver = receiver.clone();
            spawn_on(runtime, async move {
                let mut received = Received::default();
                while let Ok(message) = receiver.recv_async().await {
                    received.add(message);
                }
                let Received { messages, sum, mixed } = received;
                for (number, value) in consumer.0.iter().zip([messages, sum, mixed]) {
                    number.store(value, Relaxed);
                }
                shared.consuming.done();
            });
        }
        shared.producing.wait_outside(runtime);
        // The last sender closes the channel.
        drop(sender);
        shared.consuming.wait_outside(runtime);
        self.messages
    }

    fn verify(&self) -> Result<(), String> {
        let mut all = Received::default();
        for consumer in &self.shared.get().consumers {
            let [messages, sum, mixed] = &consumer.0;
            all.messages += messages.load(Relaxed);
            all.sum += sum.load(Relaxed);
            all.mixed ^= mixed.load(Relaxed);
        }
        if all.messages != self.right.messages {
            return Err(format!(
                "{} messages were received of {}",
                all.messages, self.right.messages
            ));
        }
        if all != self.right {
            return Err("some messages were received twice, and others were not received".into());
        }
        Ok(())
    }
}
