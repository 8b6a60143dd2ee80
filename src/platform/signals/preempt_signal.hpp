#pragma once

#include "platform/signals/machine_state.hpp"

namespace schedbench::platform {

// Makes another thread call a function between two instructions of its code: SIGURG, which debuggers pass on and no library uses.
// The handler lets the interrupted stack continue in the function, as if the code had called it. All registers survive, also
// those of vectors, and so does the signal mask.
//
// The handler stays installed. A SIGURG of another source does no harm: it goes to the handler before.
class PreemptSignal {
 public:
  // Whether this machine and build have it: x86-64 with XSAVE, and no sanitizer, which keeps account of stacks.
  static bool IsSupported() noexcept;

  // Installs the handler; once. `may_call`: whether the code at `interrupted` may be interrupted; async-signal-safe. `function`: what
  // is then called on the interrupted stack; it must keep errno. Requires: IsSupported().
  static void Install(bool (*may_call)(const MachineState& interrupted) noexcept,
                      void (*function)() noexcept) noexcept;

  // Sends the signal to a thread of this process. `thread`: the kernel's number of it; no effect where it has ended.
  static void Send(int thread) noexcept;
};

}  // namespace schedbench::platform
