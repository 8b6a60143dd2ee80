#pragma once

#include "platform/files/raw_writer.hpp"
#include "platform/signals/machine_state.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace schedbench::platform {

// Reports an interrupted thread in terms of higher layers, in whole lines. Runs in a signal
// handler, in that thread: async-signal-safe.
using ThreadReporter = void (*)(RawWriter& out, const MachineState& state) noexcept;

// Returns the names of the functions at an address of code, innermost first, including inlined
// ones. Runs in the dumping thread, not in a signal handler.
using CallNamer = std::function<std::vector<std::string>(std::uintptr_t address)>;

// Returns what every other thread of the process does now: its name, whether it runs or sleeps, the
// reporter's lines, its calls. Interrupts all of them by SIGURG, which programs ignore unless they
// ask for it; their sleeps may end early. For threads that do not answer within half a second (they
// block the signal, or the kernel holds them) there is only the name; all share that time. One
// caller at a time.
std::string DumpOtherThreads(ThreadReporter reporter, const CallNamer& namer);

}  // namespace schedbench::platform
