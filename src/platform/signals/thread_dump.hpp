#pragma once

#include "platform/files/raw_writer.hpp"
#include "platform/signals/machine_state.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace schedbench::platform {

// Reports what only higher layers know of a thread that was interrupted, in whole lines. Runs in a signal handler, in
// that thread: async-signal-safe.
using ThreadReporter = void (*)(RawWriter& out, const MachineState& state) noexcept;

// Returns the names of the functions at an address of code, innermost first, those that were inlined there included. Runs in
// the thread that dumps, and not in a signal handler.
using CallNamer = std::function<std::vector<std::string>(std::uintptr_t address)>;

// Returns what every other thread of the process does at the moment: its name, whether it runs or sleeps, the
// reporter's lines, its calls. Interrupts all of them by SIGURG, which programs ignore unless they ask for it; sleeps of
// theirs may end early. Of threads that do not answer within half a second (they block the signal, or the kernel does
// not let them go) there is only the name; all share that time. One caller at a time.
std::string DumpOtherThreads(ThreadReporter reporter, const CallNamer& namer);

}  // namespace schedbench::platform
