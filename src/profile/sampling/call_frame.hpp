#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace schedbench::profile {

// Finds where an interrupted function keeps its return address, in the call frame information of
// its program or library (.eh_frame). Frame pointers do not show the caller of a function that
// lacks a frame, has not made it yet or has removed it. The return address is then near the stack
// pointer, or on arm64 in the link register. One thread uses it, outside of signal handlers,
// because the lookup takes a lock of the loader.
class CallFrames {
 public:
  // Returns the words between the stack pointer and the return address when the thread is at
  // `address`: 0 at the first instruction of a function. On arm64: 0 while it is in the link
  // register. None if the frame is found by another register, such as the frame pointer, or
  // unknown.
  std::optional<std::size_t> WordsBelowReturnAddress(std::uintptr_t address);

 private:
  std::unordered_map<std::uintptr_t, std::optional<std::size_t>> known_;
};

}  // namespace schedbench::profile
