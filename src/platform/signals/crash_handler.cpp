#include "platform/signals/crash_handler.hpp"

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "platform/files/terminal_state.hpp"
#include "platform/signals/backtrace.hpp"
#include "platform/threads/signal_stack.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/threads/thread.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <signal.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

struct SignalName {
  int number;
  std::string_view name;
  std::string_view meaning;
  CrashKind kind;
};

constexpr std::array kCrashSignals{
    SignalName{SIGABRT, "SIGABRT", "abort", CrashKind::kAbort},
#if !defined(SB_ASAN) && !defined(SB_TSAN)
    SignalName{SIGSEGV, "SIGSEGV", "access to memory that is not mapped or not allowed",
               CrashKind::kMemory},
    SignalName{SIGBUS, "SIGBUS", "access to memory that is not available", CrashKind::kMemory},
    SignalName{SIGILL, "SIGILL", "an instruction that the CPU does not have",
               CrashKind::kInstruction},
    SignalName{SIGFPE, "SIGFPE", "arithmetic without a result, such as a division by zero",
               CrashKind::kInstruction},
#endif
};

// The parts of a report, most important first. A part that crashes is skipped.
enum class Part : std::uint8_t { kWhat, kReporter, kThread, kReplay, kBacktrace, kEnd };

// File-wide, for the signal handler. Written before any thread can crash.
CrashReporter crash_report = nullptr;
int code_of_exit = 70;
std::array<char, 4096> replay_command;
std::size_t replay_length = 0;

// The reporting thread, or 0. From then on it owns the report. relaxed: the others only wait.
Atomic<int> reporter{0};
Crash reported;
Part next_part = Part::kWhat;

// A report takes milliseconds. If it waits forever (a pipe without a reader, a lock of the dynamic
// loader), it must still not keep a process from ending.
constexpr unsigned kReportTimeoutSeconds = 10;

// Lets SIGALRM end the process after a while, whatever its action was before. The kernel does it,
// which needs neither a stack nor a thread that reaches a handler.
void LimitTime() noexcept {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  ::alarm(kReportTimeoutSeconds);
}

const SignalName& NameOf(int number) noexcept {
  return *std::ranges::find(kCrashSignals, number, &SignalName::number);
}

void WriteWhat(RawWriter& out) {
  const SignalName& name = NameOf(reported.signal);
  out << (::isatty(STDERR_FILENO) == 1 ? "\n" : "") << "crash: " << name.name;
  if (reported.has_address) {
    out << " at address " << Hex{reported.address};
  }
  out << ": " << name.meaning << "\n";
}

void WritePart(Part part, RawWriter& out) {
  switch (part) {
    case Part::kWhat:
      WriteWhat(out);
      break;
    case Part::kReporter:
      if (crash_report != nullptr) {
        crash_report(out, reported);
      }
      break;
    case Part::kThread:
      out << "  thread   " << ThreadName().data() << "\n";
      break;
    case Part::kReplay:
      if (replay_length > 0) {
        out << "  again    " << std::string_view(replay_command.data(), replay_length) << "\n";
      }
      break;
    case Part::kBacktrace:
      out << "  calls\n";
      WriteBacktrace(out, reported.state);
      break;
    case Part::kEnd:
      break;
  }
}

[[noreturn]] void WriteRestOfReport() {
  while (next_part != Part::kEnd) {
    const Part part = next_part;
    next_part = static_cast<Part>(static_cast<int>(part) + 1);
    RawWriter out(STDERR_FILENO);
    WritePart(part, out);
  }
  ::_exit(code_of_exit);
}

void OnCrash(int signal, siginfo_t* info, void* context) {
  const auto thread = KernelThreadId();
  int previous = 0;
  if (reporter.CompareExchange(previous, thread, memory_order_relaxed, memory_order_relaxed)) {
    LimitTime();
    RestoreTerminal();  // otherwise the report is on a screen that vanishes
    // Without an address: a process sent it (not positive), or the CPU refused it (SI_KERNEL).
    const bool is_fault = info->si_code > 0 && info->si_code != SI_KERNEL && signal != SIGABRT;
    reported = {.signal = signal,
                .kind = NameOf(signal).kind,
                .has_address = is_fault,
                .address = is_fault ? reinterpret_cast<std::uintptr_t>(info->si_addr) : 0,
                .state = StateOfSignal(context)};
    WriteRestOfReport();
  }
  if (previous != thread) {
    for (;;) {
      ::pause();  // several threads crash: the first one's report ends the process
    }
  }
  RawWriter(STDERR_FILENO) << "  (this part of the report crashed: " << NameOf(signal).name
                           << " at " << Hex{reinterpret_cast<std::uintptr_t>(info->si_addr)}
                           << ")\n";
  WriteRestOfReport();
}

}  // namespace

void InstallCrashHandler(CrashReporter reporter, int exit_code) noexcept {
  crash_report = reporter;
  code_of_exit = exit_code;
  PrepareBacktraces();
  static const SignalStack stack_of_main_thread;
  struct sigaction action{};
  action.sa_sigaction = &OnCrash;
  // NODEFER, and unblocked crash signals: a crash in the handler returns to it.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigfillset(&action.sa_mask);
  // Signals that end a process that takes too long are not blocked either.
  for (const int signal :
       {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGINT, SIGTERM, SIGQUIT}) {
    ::sigdelset(&action.sa_mask, signal);
  }
  for (const SignalName& signal : kCrashSignals) {
    ::sigaction(signal.number, &action, nullptr);
  }
}

void SetReplayCommand(std::string_view command) noexcept {
  replay_length = std::min(command.size(), replay_command.size());
  std::copy_n(command.begin(), replay_length, replay_command.begin());
}

}  // namespace schedbench::platform
