//! Work of a given length: the same as workloads/parts/spin_work.hpp.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A chain of multiplications in registers, each of which depends on the previous one: an amount of work, not a time.
#[derive(Clone, Copy)]
pub struct SpinWork {
    steps: u64,
}

impl SpinWork {
    /// `ns`: calibrated at the first call.
    pub fn new(ns: u64) -> Self {
        if ns == 0 {
            return SpinWork { steps: 0 };
        }
        SpinWork { steps: (ns as f64 * steps_per_ns()).round().max(1.0) as u64 }
    }

    #[inline]
    pub fn run(&self) {
        if self.steps == 0 {
            return;
        }
        let mut value = self.steps;
        for _ in 0..self.steps {
            const FACTOR: u64 = 6364136223846793005; // D. Knuth, MMIX; any odd number would do
            value = value.wrapping_mul(FACTOR).wrapping_add(1);
            value = unknown(value);
        }
        fence();
    }
}

/// Returns the same value, hidden from the compiler.
#[inline(always)]
fn unknown(mut value: u64) -> u64 {
    // Safety: no instruction at all.
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) value, options(nomem, nostack, preserves_flags));
    }
    value
}

/// No later instruction begins before the chain has ended: a CPU with a large reorder window would overlap a short chain
/// with the next one.
#[inline(always)]
fn fence() {
    // Safety: neither instruction touches memory.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("lfence", options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("isb", options(nostack, preserves_flags));
    }
}

fn steps_per_ns() -> f64 {
    // The bits of the number; 0: not measured yet. One thread opens all workloads.
    static MEASURED: AtomicU64 = AtomicU64::new(0);
    if MEASURED.load(Relaxed) == 0 {
        // The fastest of many short trials: one without an interruption and at the full frequency of the core.
        let trial = SpinWork { steps: 20_000 };
        let mut best = Duration::MAX;
        for _ in 0..50 {
            let start = Instant::now();
            trial.run();
            best = best.min(start.elapsed());
        }
        let steps_per_ns = trial.steps as f64 / (best.as_nanos() as f64).max(1.0);
        MEASURED.store(steps_per_ns.to_bits(), Relaxed);
    }
    f64::from_bits(MEASURED.load(Relaxed))
}
