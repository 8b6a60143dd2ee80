#pragma once

#include <cstdint>

namespace schedbench::platform {

// The program, or a library.
struct CodeModule {
  const char* path =
      nullptr;              // null: the address is in none. Valid as long as the module is loaded.
  std::uintptr_t base = 0;  // what addresses in its file count from
  bool is_program = false;
};

// Learns the path of the program, which cannot be found out in a signal handler. Once, before the others.
void LearnProgramPath() noexcept;

// Returns the path of the program; "" before LearnProgramPath(). Async-signal-safe.
const char* ProgramPath() noexcept;

// Returns whose code is at an address. Async-signal-safe: it asks the loader in a way that takes no lock.
CodeModule ModuleOf(std::uintptr_t address) noexcept;

}  // namespace schedbench::platform
