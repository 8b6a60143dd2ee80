#pragma once

#include "platform/threads/thread.hpp"

namespace schedbench::workloads {

// While it lives, its thread wakes from timed waits at most a microsecond late, as far as it is the kernel's to choose.
struct [[maybe_unused]] PreciseSleep {
  PreciseSleep() {
    platform::SetTimerSlack(1000);
  }
  ~PreciseSleep() {
    platform::SetTimerSlack(0);
  }

  PreciseSleep(const PreciseSleep&) = delete;
  PreciseSleep& operator=(const PreciseSleep&) = delete;
};

}  // namespace schedbench::workloads
