//! The clock of the times at which requests are due, and waiting for it.

use std::hint::spin_loop;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

const NS_PER_S: u64 = 1_000_000_000;

pub fn now_ns() -> u64 {
    let mut now = MaybeUninit::<libc::timespec>::uninit();
    // Safety: the call fills it.
    let now = unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, now.as_mut_ptr());
        now.assume_init()
    };
    now.tv_sec as u64 * NS_PER_S + now.tv_nsec as u64
}

fn sleep_until(time: u64) {
    let until = libc::timespec { tv_sec: (time / NS_PER_S) as _, tv_nsec: (time % NS_PER_S) as _ };
    let sleep = || {
        // Safety: no precondition.
        unsafe {
            libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &until, null_mut())
        }
    };
    // A signal may end a sleep early.
    while sleep() == libc::EINTR {}
}

/// Sleeps until `spin_ns` before a time, then spins. Returns the time at which it returns.
pub fn wait_until(due: u64, spin_ns: u64) -> u64 {
    let mut now = now_ns();
    if now + spin_ns < due {
        sleep_until(due - spin_ns);
        now = now_ns();
    }
    while now < due {
        spin_loop();
        now = now_ns();
    }
    now
}

/// During its lifetime the kernel may delay the end of its thread's timed waits by at most a microsecond.
pub struct PreciseSleep;

impl PreciseSleep {
    pub fn new() -> Self {
        set_timer_slack(1000);
        PreciseSleep
    }
}

impl Drop for PreciseSleep {
    fn drop(&mut self) {
        set_timer_slack(0); // the default
    }
}

fn set_timer_slack(ns: libc::c_ulong) {
    // Safety: no precondition.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, ns) };
}
