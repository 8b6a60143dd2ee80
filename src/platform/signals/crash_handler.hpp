#pragma once

#include "platform/files/raw_writer.hpp"
#include "platform/signals/machine_state.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::platform {

enum class CrashKind : std::uint8_t { kAbort, kMemory, kInstruction };

// What the kernel says of a crash.
struct Crash {
  int signal = 0;
  CrashKind kind = CrashKind::kAbort;
  bool has_address =
      false;  // unknown where a process sent the signal, or the CPU refused the address itself
  std::uintptr_t address = 0;  // that was accessed; of the instruction
  MachineState state;          // of the thread at that moment
};

// Reports what only higher layers know of a crash, in whole lines. Runs in the signal handler, in the thread that
// crashed: async-signal-safe. If it crashes itself, the report continues without it.
using CrashReporter = void (*)(RawWriter& out, const Crash& crash) noexcept;

// From now on a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, so also a failed assertion and a call of
// std::terminate) of any thread is reported on stderr and ends the process with `exit_code`. The report: signal,
// address, the reporter's lines, the thread, the command that repeats the run, the calls that led there. Threads
// of platform::Thread and the calling one have a stack for it (SignalStack). A report that is not finished after ten
// seconds is cut off: SIGALRM ends the process then.
//
// In builds with a sanitizer all but SIGABRT stay with the sanitizer, which reports them in its own way.
// Once, from the main thread, before others run.
void InstallCrashHandler(CrashReporter reporter, int exit_code) noexcept;

// The command that a report shows, which repeats the run; cut to 4 KiB. Not while another thread does the same.
void SetReplayCommand(std::string_view command) noexcept;

}  // namespace schedbench::platform
