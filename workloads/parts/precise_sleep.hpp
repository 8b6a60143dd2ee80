#pragma once

#include "platform/threads/thread.hpp"

namespace schedbench::workloads {

// During its life the kernel may delay its thread's timed waits by at most a microsecond.
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
