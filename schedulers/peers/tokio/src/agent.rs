//! Answers requests.

use crate::audit::audited;
use crate::machine::{available_cpus, peak_resident_bytes, process_cpu_ns};
use crate::message::{parse_request, Kind, Open, Refusal, Request};
use crate::settings::{choice, number, Field, Settings};
use crate::workload::{Workload, WORKLOADS};
use serde_json::{json, Map, Value};
use std::io::{self, Write};
use std::process;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};

const PROTOCOL: u64 = 1;
const SCHEDULER: &str = "tokio";
const EXIT_WRONG_ANSWER: i32 = 4;

const MOST_WORKERS: u64 = 1024;

const CONFIG: &[Field] = &[
    number("workers", 0, 0, MOST_WORKERS), // 0: one for each CPU that the process may use
    // Tokio's own defaults.
    number("event_interval", 61, 1, 1_000_000),
    number("global_queue_interval", 61, 1, 1_000_000),
    // The drivers of I/O and time: all as under #[tokio::main], although no workload here needs them.
    choice("drivers", 0, &["all", "none"], &["all", "none"]),
];

/// An open session. Fields are dropped in their order: the runtime first, because its tasks refer to the workload.
struct Session {
    runtime: Runtime,
    workload: Box<dyn Workload>,
    workers: u64,
}

pub struct Agent {
    open: Option<Session>,
}

fn send(reply: &Value) {
    let mut out = io::stdout().lock();
    if let Err(error) = writeln!(out, "{reply}").and_then(|()| out.flush()) {
        eprintln!("stdout: {error}");
        process::exit(1);
    }
}

fn nothing_open() -> Refusal {
    Refusal::input("nothing is open")
}

impl Agent {
    pub fn new() -> Self {
        Agent { open: None }
    }

    pub fn answer(&mut self, line: &[u8]) {
        match parse_request(line).and_then(|request| self.handle(request)) {
            Ok(reply) => send(&reply),
            Err(refusal) => {
                send(&refusal.reply());
                if matches!(refusal.kind, Kind::Failed) {
                    process::exit(EXIT_WRONG_ANSWER);
                }
            }
        }
    }

    pub fn refuse_long_line(&self) {
        send(&Refusal::input("a line of more than 16 MiB").reply());
    }

    fn handle(&mut self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Hello { protocol: PROTOCOL } => Ok(json!({
                "reply": "hello",
                "protocol": PROTOCOL,
                "runtime": "tokio",
                "version": env!("TOKIO_VERSION"),
                "tasks": "async tasks",
                "schedulers": [SCHEDULER],
                "workloads": WORKLOADS.iter().map(|kind| kind.name).collect::<Vec<_>>(),
            })),
            Request::Hello { protocol } => Err(Refusal::input(format!(
                "this agent speaks protocol {PROTOCOL}, not {protocol}"
            ))),
            Request::Open(asked) => self.open(&asked),
            Request::Round { name, audit } => {
                measure(self.open.as_mut().ok_or_else(nothing_open)?, &name, audit)
            }
            Request::Close => {
                drop(self.open.take().ok_or_else(nothing_open)?);
                Ok(json!({"reply": "close"}))
            }
        }
    }

    fn open(&mut self, asked: &Open) -> Result<Value, Refusal> {
        if self.open.is_some() {
            return Err(Refusal::input("something is open: close it first"));
        }
        let unsupported =
            |what, name| Refusal::new(Kind::Unsupported, format!("no {what} {name:?} here"));
        if asked.scheduler != SCHEDULER {
            return Err(unsupported("scheduler", &asked.scheduler));
        }
        let kind = WORKLOADS
            .iter()
            .find(|kind| kind.name == asked.workload)
            .ok_or_else(|| unsupported("workload", &asked.workload))?;
        let mut config = Settings::new(CONFIG, &asked.config, "config")?;
        let parameters = Settings::new(kind.fields, &asked.parameters, "parameters")?;
        if config.number("workers") == 0 {
            config.set("workers", available_cpus().min(MOST_WORKERS));
        }
        let workload = (kind.make)(&parameters, asked.seed)?;
        let runtime = start_runtime(&config)?;
        let mut reply = json!({
            "reply": "open",
            "config": config.to_json(),
            "parameters": parameters.to_json(),
            "operation": kind.operation,
            "workers": config.number("workers"),
        });
        if let Some(note) = workload.note() {
            reply["note"] = json!(note);
        }
        self.open = Some(Session { runtime, workload, workers: config.number("workers") });
        Ok(reply)
    }
}

fn start_runtime(config: &Settings) -> Result<Runtime, Refusal> {
    let mut builder = Builder::new_multi_thread();
    builder
        .worker_threads(config.number("workers") as usize)
        .event_interval(config.number("event_interval") as u32)
        .global_queue_interval(config.number("global_queue_interval") as u32);
    if config.choice("drivers") == "all" {
        builder.enable_all();
    }
    builder.build().map_err(|error| Refusal::new(Kind::Limit, format!("no runtime: {error}")))
}

fn measure(open: &mut Session, name: &str, audit: bool) -> Result<Value, Refusal> {
    let Session { runtime, workload, workers } = open;
    workload.prepare();
    let (mut wall_ns, mut cpu_ns, mut operations) = (0, 0, 0);
    let mut round = || {
        let cpu = process_cpu_ns();
        let start = Instant::now();
        operations = workload.run(runtime.handle());
        wall_ns = start.elapsed().as_nanos() as u64;
        cpu_ns = process_cpu_ns() - cpu;
    };
    let counts = if audit {
        audited(round)
    } else {
        round();
        Value::Object(Map::new())
    };
    workload
        .verify()
        .map_err(|problem| Refusal::new(Kind::Failed, format!("{name}: {problem}")))?;
    let figures: Map<_, _> = workload
        .figures(*workers)
        .into_iter()
        .map(|(name, value)| (name.into(), json!(value)))
        .collect();
    Ok(json!({
        "reply": "round",
        "wall_ns": wall_ns,
        "cpu_ns": cpu_ns,
        "operations": operations,
        "peak_rss_bytes": peak_resident_bytes(),
        "figures": figures,
        "counts": counts,
    }))
}
