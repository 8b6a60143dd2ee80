#pragma once

#include "platform/signals/machine_state.hpp"

namespace schedbench::platform {

// Makes another thread call a function between two instructions of its code, by SIGURG, which
// debuggers pass on and no library uses. The handler lets the interrupted stack continue in the
// function, as if the code had called it. All registers survive, also vector registers, and so does
// the signal mask. The handler stays installed. It passes other SIGURG to the previous one.
class PreemptSignal {
 public:
  // Returns whether this machine and build support it: x86-64 with XSAVE, without a sanitizer.
  static bool IsSupported() noexcept;

  // Installs the handler; once. `may_call`: whether the code at `interrupted` may be interrupted;
  // async-signal-safe. `function` is then called on the interrupted stack and must keep errno.
  // Requires: IsSupported().
  static void Install(bool (*may_call)(const MachineState& interrupted) noexcept,
                      void (*function)() noexcept) noexcept;

  // Sends the signal to a thread. `thread`: the kernel's number of it; no effect after its end.
  static void Send(int thread) noexcept;
};

}  // namespace schedbench::platform
