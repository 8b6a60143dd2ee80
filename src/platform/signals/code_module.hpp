#pragma once

#include <cstdint>

namespace schedbench::platform {

// The program, or a library.
struct CodeModule {
  // Null if the address is in no module. Valid as long as the module is loaded.
  const char* path = nullptr;
  std::uintptr_t base = 0;  // the base of addresses in its file
  bool is_program = false;
};

// Finds the path of the program, which a signal handler cannot. Call it once, before the others.
void LearnProgramPath() noexcept;

// Returns the path of the program; "" before LearnProgramPath(). Async-signal-safe.
const char* ProgramPath() noexcept;

// Returns the module at an address. Async-signal-safe: it asks the loader without a lock.
CodeModule ModuleOf(std::uintptr_t address) noexcept;

}  // namespace schedbench::platform
