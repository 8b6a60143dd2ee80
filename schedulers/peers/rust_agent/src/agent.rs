//! Answers requests.

use crate::audit::audited;
use crate::machine::{available_cpus, peak_resident_bytes, process_cpu_ns};
use crate::message::{parse_request, Kind, Open, Refusal, Request};
use crate::settings::{number, Field, Settings};
use crate::workload::{Workload, WorkloadKind};
use serde_json::{json, Map, Value};
use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process;
use std::time::Instant;

const PROTOCOL: u64 = 1;
const EXIT_WRONG_ANSWER: i32 = 4;

pub const MOST_WORKERS: u64 = 1024;

/// The line of the request that a program which replaced another one answers first.
pub const OPEN_VARIABLE: &str = "SCHEDBENCH_OPEN";

/// The setting that every runtime has; 0: one for each CPU that the process may use.
pub const WORKERS: Field = number("workers", 0, 0, MOST_WORKERS);

/// A runtime that is measured. It has one scheduler, of the same name.
pub trait Runtime: Sized + 'static {
    const NAME: &'static str;
    const VERSION: &'static str;
    /// What its units of work are, in few words.
    const TASKS: &'static str;
    /// Its settings; WORKERS is one.
    const CONFIG: &'static [Field];
    const WORKLOADS: &'static [WorkloadKind<Self::Handle>];

    /// What starts tasks.
    type Handle: 'static;

    /// Refuses a workload that cannot run with `config`.
    fn check(_config: &Settings, _workload: &str) -> Result<(), Refusal> {
        Ok(())
    }

    /// The program that has to run `config` in place of this one; none: this one runs it.
    fn other_program(_config: &Settings) -> Option<PathBuf> {
        None
    }

    /// `config`: with `workers` at least 1.
    fn start(config: &Settings) -> Result<Self, Refusal>;
    fn handle(&self) -> &Self::Handle;
}

/// An open session. Fields are dropped in their order: the runtime first, because its tasks refer to the workload.
struct Session<R: Runtime> {
    runtime: R,
    workload: Box<dyn Workload<R::Handle>>,
    workers: u64,
}

pub struct Agent<R: Runtime> {
    open: Option<Session<R>>,
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

impl<R: Runtime> Agent<R> {
    pub fn new() -> Self {
        Agent { open: None }
    }

    pub fn answer(&mut self, line: &[u8]) {
        match parse_request(line).and_then(|request| self.handle(request, line)) {
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

    fn handle(&mut self, request: Request, line: &[u8]) -> Result<Value, Refusal> {
        match request {
            Request::Hello { protocol: PROTOCOL } => Ok(json!({
                "reply": "hello",
                "protocol": PROTOCOL,
                "runtime": R::NAME,
                "version": concat_version(R::VERSION),
                "tasks": R::TASKS,
                "schedulers": [R::NAME],
                "settings": crate::settings::describe(R::CONFIG),
                "workloads": R::WORKLOADS.iter().map(|kind| kind.name).collect::<Vec<_>>(),
            })),
            Request::Hello { protocol } => Err(Refusal::input(format!(
                "this agent speaks protocol {PROTOCOL}, not {protocol}"
            ))),
            Request::Open(asked) => self.open(&asked, line),
            Request::Round { name, audit } => {
                measure(self.open.as_mut().ok_or_else(nothing_open)?, &name, audit)
            }
            Request::Close => {
                drop(self.open.take().ok_or_else(nothing_open)?);
                Ok(json!({"reply": "close"}))
            }
        }
    }

    fn open(&mut self, asked: &Open, line: &[u8]) -> Result<Value, Refusal> {
        if self.open.is_some() {
            return Err(Refusal::input("something is open: close it first"));
        }
        let unsupported =
            |what, name| Refusal::new(Kind::Unsupported, format!("no {what} {name:?} here"));
        if asked.scheduler != R::NAME {
            return Err(unsupported("scheduler", &asked.scheduler));
        }
        let kind = R::WORKLOADS
            .iter()
            .find(|kind| kind.name == asked.workload)
            .ok_or_else(|| unsupported("workload", &asked.workload))?;
        let mut config = Settings::new(R::CONFIG, &asked.config, "config")?;
        let parameters = Settings::new(kind.fields, &asked.parameters, "parameters")?;
        if config.number("workers") == 0 {
            config.set("workers", available_cpus().min(MOST_WORKERS));
        }
        R::check(&config, kind.name)?;
        if let Some(program) = R::other_program(&config) {
            return Err(replace_by(program, line));
        }
        let workload = (kind.make)(&parameters, asked.seed)?;
        let runtime = R::start(&config)?;
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

/// Replaces this program by another one, which answers the line. Returns only if that fails. Nothing is lost: nothing is open, and the
/// next request comes after the reply.
fn replace_by(program: PathBuf, line: &[u8]) -> Refusal {
    let error = process::Command::new(&program)
        .args(env::args_os().skip(1))
        .env(OPEN_VARIABLE, OsStr::from_bytes(line))
        .exec();
    Refusal::new(Kind::Limit, format!("cannot start {}: {error}", program.display()))
}

/// "1.6.1 (rustc 1.96.0)": the compiler decides as much as the version of the runtime.
fn concat_version(version: &str) -> String {
    format!("{version} ({})", env!("COMPILER_VERSION"))
}

fn measure<R: Runtime>(open: &mut Session<R>, name: &str, audit: bool) -> Result<Value, Refusal> {
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
