//! Counting in a round that is an audit. In other rounds each call costs a load and a branch.

use serde_json::{json, Value};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Written while no task of a round exists.
static ON: AtomicBool = AtomicBool::new(false);

static SPAWNS: AtomicU64 = AtomicU64::new(0);
static SWITCHES: AtomicU64 = AtomicU64::new(0);
static INLINE_CALLS: AtomicU64 = AtomicU64::new(0);

#[inline]
pub fn is_on() -> bool {
    ON.load(Relaxed)
}

#[inline]
fn count(counter: &AtomicU64) {
    if is_on() {
        counter.fetch_add(1, Relaxed);
    }
}

#[inline]
pub fn count_spawn() {
    count(&SPAWNS);
}

/// A thread goes from its scheduler into a task.
#[inline]
pub fn count_switch() {
    count(&SWITCHES);
}

#[inline]
pub fn count_inline_call() {
    count(&INLINE_CALLS);
}

/// Calls the function and returns the counts.
pub fn audited(round: impl FnOnce()) -> Value {
    for counter in [&SPAWNS, &SWITCHES, &INLINE_CALLS] {
        counter.store(0, Relaxed);
    }
    ON.store(true, Relaxed);
    round();
    ON.store(false, Relaxed);
    json!({
        "spawns": SPAWNS.load(Relaxed),
        "switches": SWITCHES.load(Relaxed),
        "inline_calls": INLINE_CALLS.load(Relaxed),
    })
}
