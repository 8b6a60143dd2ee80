#pragma once

// Stands in for src/platform/signals/preempt_signal.hpp: no thread is interrupted.

namespace schedbench::platform {

struct PreemptSignal {
  static void Send(int /*thread*/) noexcept {
  }
};

}  // namespace schedbench::platform
