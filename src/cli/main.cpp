#include "cli/main.hpp"

#include "base/attributes.hpp"
#include "cli/exit_code.hpp"
#include "platform/files/file.hpp"

#include <cstdlib>
#include <new>
#include <system_error>

namespace {

// Exits if there is not enough memory even for an exception. A run has its own handler
// (harness/live_run.cpp), which reports the finished rounds.
void ExitWithoutMemory() {
  try {
    schedbench::platform::WriteTo(
        schedbench::platform::Stream::kError,
        "error: not enough memory (limits: ulimit -v, cgroup memory.max)\n");
  } catch (...) {
    // Here stderr is closed as well: the exit code remains.
  }
  std::_Exit(static_cast<int>(schedbench::cli::ExitCode::kInput));
}

void SetHandler() {
  std::set_new_handler(&ExitWithoutMemory);
}

// Runs before the constructors of all global objects, even of shared libraries, because they
// allocate too. The runtimes of sanitizers must be ready first.
#if defined(SB_ASAN) || defined(SB_TSAN)
[[gnu::constructor(101)]] void SetHandlerFirst() {
  SetHandler();
}
#else
[[gnu::used, gnu::section(".preinit_array")]] void (*const set_handler_first)() = &SetHandler;
#endif

#if defined(SB_ASAN)
// UBSan learns the class of an object through a pipe. Without a free file descriptor it reports
// valid objects, such as the errors for that case; after these calls it knows their classes.
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
