#pragma once

#include <cstdint>

namespace schedbench::platform {

// The registers of a thread from which its stack can be walked; 0 if unknown.
struct MachineState {
  std::uintptr_t program_counter = 0;
  std::uintptr_t stack_pointer = 0;
  std::uintptr_t frame_pointer = 0;
  std::uintptr_t link_register = 0;  // arm64: the return address of the latest call
};

// Removes the signature that pointer authentication on arm64 adds to a return address.
inline std::uintptr_t WithoutSignature(std::uintptr_t address) noexcept {
#if defined(__aarch64__)
  register std::uintptr_t signed_address asm("x30") = address;
  asm("hint #7" : "+r"(signed_address));  // xpaclri, which old CPUs ignore
  return signed_address;
#else
  return address;
#endif
}

// Reads the state from the third argument of a signal handler. Async-signal-safe.
MachineState StateOfSignal(const void* context) noexcept;

}  // namespace schedbench::platform
