#pragma once

#include <cstdint>

namespace schedbench::platform {

// Where a thread was: the registers that a stack can be walked from. 0 where they are unknown.
struct MachineState {
  std::uintptr_t program_counter = 0;
  std::uintptr_t stack_pointer = 0;
  std::uintptr_t frame_pointer = 0;
  std::uintptr_t link_register = 0;  // arm64: where the latest call returns to
};

// Removes the signature that code with pointer authentication adds to a return address on arm64.
inline std::uintptr_t WithoutSignature(std::uintptr_t address) noexcept {
#if defined(__aarch64__)
  register std::uintptr_t signed_address asm("x30") = address;
  asm("hint #7" : "+r"(signed_address));  // xpaclri, which old CPUs ignore
  return signed_address;
#else
  return address;
#endif
}

// Reads them from the third argument of a signal handler. Async-signal-safe.
MachineState StateOfSignal(const void* context) noexcept;

}  // namespace schedbench::platform
