#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"

namespace schedbench::platform {

// Two fences that order as two sequentially consistent ones do, where one thread passes often and the other rarely: a light fence
// is a barrier for the compiler alone, and the heavy one makes every running thread of the process pass a full fence
// (membarrier(2), private expedited). One of a pair must be heavy. Where the kernel refuses membarrier(2), both are full fences.

// Whether membarrier(2) is there, so that light fences cost nothing. Set before the constructors of static objects run, which may
// start threads; the same from then on.
extern bool light_fences_are_free;

SB_ALWAYS_INLINE void LightFence() noexcept {
  if (light_fences_are_free) [[likely]] {
    asm volatile("" ::: "memory");
  } else {
    // seq_cst: pairs with the fence in HeavyFence().
    AtomicFence(memory_order_seq_cst);
  }
}

// A system call: it interrupts the CPUs on which threads of the process run.
void HeavyFence() noexcept;

}  // namespace schedbench::platform
