//! What the kernel reports about this process and its machine.

use crate::message::{Kind, Refusal};
use std::fs;
use std::mem::MaybeUninit;

/// CPU time of all threads, user and system.
pub fn process_cpu_ns() -> u64 {
    let mut now = MaybeUninit::<libc::timespec>::uninit();
    // Safety: the call fills it.
    let now = unsafe {
        assert_eq!(libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, now.as_mut_ptr()), 0);
        now.assume_init()
    };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

pub fn resident_bytes() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    // Safety: no precondition.
    pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64
}

/// Not from getrusage, whose value includes the memory of the process that forked this one.
pub fn peak_resident_bytes() -> u64 {
    value_in("/proc/self/status", "VmHWM:").unwrap_or(0) * 1024
}

/// The CPUs that the process may use, without regard to a quota of CPU time.
pub fn available_cpus() -> u64 {
    let mut cpus = MaybeUninit::<libc::cpu_set_t>::zeroed();
    // Safety: all zeros are an empty set, which the call fills.
    unsafe {
        let bytes = std::mem::size_of::<libc::cpu_set_t>();
        if libc::sched_getaffinity(0, bytes, cpus.as_mut_ptr()) != 0 {
            return 1;
        }
        libc::CPU_COUNT(&cpus.assume_init()).max(1) as u64
    }
}

/// The number behind `name` in a file of lines "name number". The name "" is for a file that contains only a number.
fn value_in(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The free memory of the machine or, if that is less, of the control group of a container.
fn available_memory_bytes() -> u64 {
    let machine = value_in("/proc/meminfo", "MemAvailable:").unwrap_or(0) * 1024;
    // Version 2, version 1: limit, usage, statistics and the name of the inactive files in them.
    let groups = [
        ["memory.max", "memory.current", "memory.stat", "inactive_file "],
        [
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
            "memory/memory.stat",
            "total_inactive_file ",
        ],
    ];
    let free = |group: &[&str; 4]| {
        let path = |file| format!("/sys/fs/cgroup/{file}");
        let limit = value_in(&path(group[0]), "")?;
        let used = value_in(&path(group[1]), "")?;
        let cache = value_in(&path(group[2]), group[3]).unwrap_or(0);
        Some(limit.saturating_sub(used.saturating_sub(cache)))
    };
    groups.iter().filter_map(free).fold(machine, u64::min)
}

/// Memory of a suspended task: its cell with the future, its entry in a list of waiters, the allocator's rounding.
pub const BYTES_PER_TASK: u64 = 512;

pub fn count_that_fits(bytes_each: u64) -> u64 {
    available_memory_bytes() / bytes_each
}

/// Refuses what would not fit into RAM: the kernel would kill the process without a message. `field` is as on the command
/// line, "million:fibers".
pub fn require_memory(
    field: &str,
    things: &str,
    count: u64,
    bytes_each: u64,
) -> Result<(), Refusal> {
    let fits = count_that_fits(bytes_each);
    if count <= fits {
        return Ok(());
    }
    let megabytes = count as f64 * bytes_each as f64 / 1e6;
    Err(Refusal::new(
        Kind::Limit,
        format!(
            "{count} {things} need about {megabytes:.0} MB of RAM    the most that fit: {field}={fits}"
        ),
    ))
}
