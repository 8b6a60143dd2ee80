#pragma once

// Replaces src/platform/signals/preempt_signal.hpp: no thread is interrupted.

#include "platform/signals/machine_state.hpp"

namespace schedbench::platform {

struct PreemptSignal {
  static bool IsSupported() noexcept {
    return false;
  }
  static void Install(bool (* /*may_call*/)(const MachineState&) noexcept,
                      void (* /*function*/)() noexcept) noexcept {
  }
  static void Send(int /*thread*/) noexcept {
  }
};

}  // namespace schedbench::platform
