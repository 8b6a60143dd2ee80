#include "cli/main.hpp"

#include "cli/exit_code.hpp"
#include "platform/files/file.hpp"

#include <cstdlib>
#include <new>

namespace {

// Where there is no memory for an exception either. While a run is on, it has a handler of its own
// (harness/live_run.cpp), which lets the rounds so far be reported.
void ExitWithoutMemory() {
  try {
    schedbench::platform::WriteTo(
        schedbench::platform::Stream::kError,
        "error: not enough memory (limits: ulimit -v, cgroup memory.max)\n");
  } catch (...) {
    // stderr is closed as well: the code says it.
  }
  std::_Exit(static_cast<int>(schedbench::cli::ExitCode::kInput));
}

// Before all objects of the program are made: they allocate too.
[[gnu::constructor(101)]] void SetHandler() {
  std::set_new_handler(&ExitWithoutMemory);
}

}  // namespace

int main(int argc, char** argv) {
  return schedbench::cli::Main(argc, argv);
}
