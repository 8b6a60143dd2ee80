#pragma once

#include "platform/files/raw_writer.hpp"
#include "platform/signals/machine_state.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::platform {

enum class CrashKind : std::uint8_t { kAbort, kMemory, kInstruction };

// The kernel's description of a crash.
struct Crash {
  int signal = 0;
  CrashKind kind = CrashKind::kAbort;
  // False if a process sent the signal, or the CPU refused the address itself.
  bool has_address = false;
  std::uintptr_t address = 0;  // the accessed address, or that of the instruction
  MachineState state;          // state of the thread at that moment
};

// Reports a crash in terms of higher layers, in whole lines. Runs in the signal handler, in the
// crashed thread: async-signal-safe. If it crashes itself, the report continues without it.
using CrashReporter = void (*)(RawWriter& out, const Crash& crash) noexcept;

// Reports a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, so also a failed assertion and a call
// of std::terminate) of any thread on stderr from now on, and ends the process with `exit_code`.
// The report: signal, address, the reporter's lines, the thread, the command that repeats the run,
// the calls. Threads of platform::Thread and the calling one have a stack for it (SignalStack).
// After ten seconds SIGALRM ends the process with an unfinished report. With a sanitizer, all
// signals but SIGABRT stay with it, which reports them in its own way. The main thread calls it
// once, before others run.
void InstallCrashHandler(CrashReporter reporter, int exit_code) noexcept;

// Sets the command that a report shows for repeating the run; cut to 4 KiB. One thread at a time.
void SetReplayCommand(std::string_view command) noexcept;

}  // namespace schedbench::platform
