#pragma once

#include "base/attributes.hpp"

#include <cstdint>

namespace schedbench {

// Hints to the CPU that this is a wait: frees the sibling thread, saves power.
SB_ALWAYS_INLINE void CpuRelax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Gives the CPU to another thread. It is defined in platform/threads/thread.cpp.
void YieldThread() noexcept;

// Waits for an action of another running thread, due within some tens of nanoseconds. After kSpins
// pauses it yields the CPU each time: the other thread may have been preempted, and with fewer CPUs
// than threads a pure spin would waste its whole time slice.
class SpinWait {
 public:
  // Pauses `pauses` times, or yields the CPU.
  void Spin(std::uint32_t pauses = 1) noexcept {
    if (spins_ < kSpins) {
      spins_ += pauses;
      for (std::uint32_t i = 0; i < pauses; ++i) {
        CpuRelax();
      }
    } else {
      YieldThread();
    }
  }

  // Returns whether pausing has been tried often enough; the caller may then block instead.
  bool Exhausted() const noexcept {
    return spins_ >= kSpins;
  }

 private:
  // About 1-4 us of pauses: longer than our critical sections, shorter than a futex call.
  static constexpr std::uint32_t kSpins = 100;

  std::uint32_t spins_ = 0;
};

}  // namespace schedbench
