use crate::audit::spawn_on;
use crate::load::Sample;
use crate::machine::{require_memory, BYTES_PER_TASK};
use crate::message::{Kind, Refusal};
use crate::random::mix_seed;
use crate::settings::{number, Settings};
use crate::shared::Shared;
use crate::wait_group::WaitGroup;
use crate::workload::{Figures, Opened, Workload, WorkloadKind};
use std::io;
use std::net::{TcpListener, TcpStream as Socket};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Handle;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "echo",
    operation: "round trip",
    fields: &[
        number("connections", 64, 1, 1_000_000),
        number("messages", 1000, 1, 100_000_000),
        number("bytes", 64, 1, 1_048_576),
    ],
    make: Echo::open,
};

/// TCP connections over loopback with both ends in this process: a task for each end. They stay open from round to round.
struct Echo {
    round: u64,
    /// Until the first round: a socket is registered with the runtime.
    sockets: Vec<(Socket, Socket)>,
    connections: Vec<Shared<Connection>>,
    shared: Shared<State>,
}

/// Each end is locked once in a round.
struct Connection {
    client: End,
    server: End,
}

type End = tokio::sync::Mutex<Option<TcpStream>>;

struct State {
    messages: u64,
    bytes: usize,
    /// Nanoseconds, of each message; written by its client.
    times: Vec<AtomicU64>,
    failure: Mutex<Option<String>>,
    done: WaitGroup,
}

fn open_pair(listener: &TcpListener) -> io::Result<(Socket, Socket)> {
    let client = Socket::connect(listener.local_addr()?)?;
    let (server, _) = listener.accept()?;
    for socket in [&client, &server] {
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
    }
    Ok((client, server))
}

impl Echo {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        let (count, bytes) = (parameters.number("connections"), parameters.number("bytes"));
        let messages = parameters.number("messages");
        require_memory("echo:connections", "connections", count, 3 * bytes + 2 * BYTES_PER_TASK)?;
        require_memory("echo:messages", "messages of each connection", messages, 8 * count)?;
        let limit = |text| Refusal::new(Kind::Limit, text);
        let listener = TcpListener::bind("127.0.0.1:0")
            .map_err(|error| limit(format!("echo: no listener: {error}")))?;
        let mut sockets = Vec::new();
        for i in 0..count {
            sockets.push(open_pair(&listener).map_err(|error| {
                let hint = match error.raw_os_error() {
                    Some(libc::EMFILE) => format!(
                        "; each needs two file descriptors    ulimit -n {}",
                        2 * (count + 100)
                    ),
                    _ => String::new(),
                };
                limit(format!(
                    "echo:connections: {i} of {count} connections could be opened: {error}{hint}"
                ))
            })?);
        }
        let state = State {
            messages,
            bytes: bytes as usize,
            times: (0..count * messages).map(|_| AtomicU64::new(0)).collect(),
            failure: Mutex::new(None),
            done: WaitGroup::new(),
        };
        // Safety: a session drops its runtime first.
        let shared = unsafe { Shared::new(state) };
        Ok(Box::new(Echo { round: 0, sockets, connections: Vec::new(), shared }))
    }

    fn register(&mut self, runtime: &Handle) -> io::Result<()> {
        let _entered = runtime.enter();
        for (client, server) in self.sockets.drain(..) {
            let end = |socket| Ok::<_, io::Error>(End::new(Some(TcpStream::from_std(socket)?)));
            let connection = Connection { client: end(client)?, server: end(server)? };
            // Safety: a session drops its runtime first.
            self.connections.push(unsafe { Shared::new(connection) });
        }
        Ok(())
    }
}

impl State {
    fn fail(&self, what: String) {
        self.failure.lock().unwrap().get_or_insert(what);
    }
}

/// Eight bytes at a time, each different.
fn fill(message: &mut [u8], tag: u64) {
    for (i, chunk) in message.chunks_mut(8).enumerate() {
        let word = tag.wrapping_add(8 * i as u64).to_le_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
    }
}

async fn serve(shared: &State, stream: &mut TcpStream) -> io::Result<()> {
    let mut buffer = vec![0; shared.bytes];
    for _ in 0..shared.messages {
        // All of it before the answer: a peer that only writes and one that only writes back would block each other.
        stream.read_exact(&mut buffer).await?;
        stream.write_all(&buffer).await?;
    }
    Ok(())
}

async fn talk(shared: &State, stream: &mut TcpStream, first: u64, tag: u64) -> io::Result<()> {
    let (mut message, mut answer) = (vec![0; shared.bytes], vec![0; shared.bytes]);
    let mut begin = Instant::now();
    for i in 0..shared.messages {
        fill(&mut message, mix_seed(tag + first + i));
        stream.write_all(&message).await?;
        stream.read_exact(&mut answer).await?;
        if answer != message {
            let what = "an answer differs from its message";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let end = Instant::now();
        shared.times[(first + i) as usize].store((end - begin).as_nanos() as u64, Relaxed);
        begin = end;
    }
    Ok(())
}

/// Ends a stream that has failed, so that its peer does not wait forever.
macro_rules! finish {
    ($shared:expr, $end:expr, $work:ident ( $($more:expr),* )) => {{
        let mut end = $end.lock().await;
        let result = match end.as_mut() {
            Some(stream) => $work($shared, stream $(, $more)*).await,
            None => Ok(()),
        };
        if let Err(error) = result {
            *end = None;
            $shared.fail(error.to_string());
        }
        $shared.done.done();
    }};
}

impl Workload<Handle> for Echo {
    fn prepare(&mut self) {
        self.shared.get().times.iter().for_each(|time| time.store(0, Relaxed));
    }

    fn run(&mut self, runtime: &Handle) -> u64 {
        let shared = self.shared.get();
        if let Err(error) = self.register(runtime) {
            shared.fail(error.to_string());
            return 0;
        }
        let tag = self.round * shared.times.len() as u64;
        shared.done.add(2 * self.connections.len());
        for (number, connection) in self.connections.iter().enumerate() {
            let connection = connection.get();
            spawn_on(runtime, async move {
                finish!(shared, connection.server, serve());
            });
            let first = number as u64 * shared.messages;
            spawn_on(runtime, async move {
                finish!(shared, connection.client, talk(first, tag));
            });
        }
        shared.done.wait_outside(runtime);
        self.round += 1;
        shared.times.len() as u64
    }

    fn verify(&self) -> Result<(), String> {
        let shared = self.shared.get();
        if let Some(failure) = &*shared.failure.lock().unwrap() {
            return Err(failure.clone());
        }
        match shared.times.iter().filter(|time| time.load(Relaxed) == 0).count() {
            0 => Ok(()),
            missing => Err(format!("{missing} messages have no answer")),
        }
    }

    fn figures(&self, _workers: u64) -> Figures {
        let times = Sample::new(self.shared.get().times.iter().map(|time| time.load(Relaxed)));
        vec![("round_trip_p50", times.quantile(0.5)), ("round_trip_p99", times.p99())]
    }
}
