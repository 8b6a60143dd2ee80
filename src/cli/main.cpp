#include "cli/main.hpp"

#include "base/attributes.hpp"
#include "cli/exit_code.hpp"
#include "platform/files/file.hpp"

#include <cstdlib>
#include <new>
#include <system_error>

namespace {

// For the case that there is no memory for an exception either. A run has its own handler (harness/live_run.cpp), which
// reports the finished rounds.
void ExitWithoutMemory() {
  try {
    schedbench::platform::WriteTo(
        schedbench::platform::Stream::kError,
        "error: not enough memory (limits: ulimit -v, cgroup memory.max)\n");
  } catch (...) {
    // stderr is closed as well: the exit code remains.
  }
  std::_Exit(static_cast<int>(schedbench::cli::ExitCode::kInput));
}

void SetHandler() {
  std::set_new_handler(&ExitWithoutMemory);
}

// Before the constructors of all global objects, because they allocate too; also before those of shared libraries. The runtimes of
// sanitizers must be ready first.
#if defined(SB_ASAN) || defined(SB_TSAN)
[[gnu::constructor(101)]] void SetHandlerFirst() {
  SetHandler();
}
#else
[[gnu::used, gnu::section(".preinit_array")]] void (*const set_handler_first)() = &SetHandler;
#endif

#if defined(SB_ASAN)
// UBSan learns the class of an object through a pipe, and reports a valid object where no file descriptor is left.
// The texts of errors say that none is left; with these calls UBSan knows their classes before.
void LearnClassesOfErrors() {
  static_cast<void>(std::generic_category().message(0));
  static_cast<void>(std::system_category().message(0));
}
#endif

}  // namespace

int main(int argc, char** argv) {
#if defined(SB_ASAN)
  LearnClassesOfErrors();
#endif
  return schedbench::cli::Main(argc, argv);
}
