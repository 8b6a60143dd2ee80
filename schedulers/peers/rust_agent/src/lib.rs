//! What the agents of Rust runtimes share: the protocol of docs/agent-protocol.md, and what a workload is. The allocator of the
//! program is mimalloc.

pub mod agent;
mod allocator;
pub mod audit;
pub mod fork_join;
pub mod machine;
pub mod message;
pub mod settings;
pub mod workload;

use agent::{Agent, Runtime, OPEN_VARIABLE};
use std::env;
use std::io::{self, BufRead};
use std::os::unix::ffi::OsStrExt;

/// The limit of a line in bytes, without its end.
const LONGEST_LINE: usize = 16 << 20;

#[global_allocator]
static ALLOCATOR: allocator::Mimalloc = allocator::Mimalloc;

/// Answers the requests on stdin until it ends.
pub fn serve<R: Runtime>() {
    let mut input = io::stdin().lock();
    let mut agent = Agent::<R>::new();
    if let Some(line) = env::var_os(OPEN_VARIABLE) {
        env::remove_var(OPEN_VARIABLE);
        agent.answer(line.as_bytes());
    }
    loop {
        match read_line(&mut input) {
            Ok(Line::Whole(line)) => agent.answer(&line),
            Ok(Line::TooLong) => agent.refuse_long_line(),
            Ok(Line::End) => return,
            Err(error) => {
                eprintln!("stdin: {error}");
                return;
            }
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    /// Skipped.
    TooLong,
    End,
}

fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let part = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            part => part?,
        };
        let end = part.iter().position(|&byte| byte == b'\n');
        let bytes = &part[..end.unwrap_or(part.len())];
        any |= !part.is_empty();
        too_long |= line.len() + bytes.len() > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(bytes);
        }
        let used = bytes.len() + usize::from(end.is_some());
        let at_end = part.is_empty();
        input.consume(used);
        if end.is_some() || at_end {
            return Ok(match (any, too_long) {
                (false, _) => Line::End,
                (_, true) => Line::TooLong,
                _ => Line::Whole(line),
            });
        }
    }
}
