#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"

namespace schedbench::platform {

// Two fences that order like two sequentially consistent ones, if one thread passes often and the
// other rarely. A light fence is only a compiler barrier; the heavy one makes every running thread
// of the process pass a full fence (membarrier(2), private expedited). One of a pair must be heavy.
// If the kernel refuses membarrier(2), both are full fences.

// True if membarrier(2) works, so light fences cost nothing. It is set before the constructors of
// static objects run, which may start threads, and never changes afterwards.
extern bool light_fences_are_free;

SB_ALWAYS_INLINE void LightFence() noexcept {
  if (light_fences_are_free) [[likely]] {
    asm volatile("" ::: "memory");
  } else {
    // seq_cst: pairs with the fence in HeavyFence().
    AtomicFence(memory_order_seq_cst);
  }
}

// Passes the heavy fence: a system call that interrupts the CPUs with threads of the process.
void HeavyFence() noexcept;

}  // namespace schedbench::platform
