#include "profile/walk_stack.hpp"

#include "base/attributes.hpp"

namespace schedbench::profile {

namespace {

// The lowest addresses are never mapped (vm.mmap_min_addr is a page or more): no call returns there.
constexpr std::uintptr_t kLowestCode = 4096;

struct FrameRecord {
  std::uintptr_t caller;
  std::uintptr_t return_address;
};

}  // namespace

// The memory belongs to other functions, which write it as they please: nothing for a sanitizer to judge.
__attribute__((no_sanitize("address", "thread", "undefined"))) Walk WalkStack(
    const platform::MachineState& interrupted, std::uintptr_t lowest, std::uintptr_t top,
    std::span<std::uintptr_t> innermost_first) noexcept {
  Walk walk;
  if (innermost_first.empty()) {
    return {.calls = 0, .truncated = true};
  }
  innermost_first[walk.calls++] = interrupted.program_counter;
  std::uintptr_t below = interrupted.stack_pointer;
  if (below < lowest || below >= top) {
    walk.truncated = true;
    return walk;
  }
  std::uintptr_t at = interrupted.frame_pointer;
  while (at != 0) {
    // Each frame lies above the one before it, whole within the stack.
    if (at < below || at % alignof(FrameRecord) != 0 || top - at < sizeof(FrameRecord) ||
        at >= top || walk.calls == innermost_first.size()) {
      walk.truncated = true;
      break;
    }
    const auto& frame = *reinterpret_cast<const FrameRecord*>(at);
    if (frame.return_address < kLowestCode) {
      break;
    }
    innermost_first[walk.calls++] = frame.return_address;
    below = at + sizeof(FrameRecord);
    at = frame.caller;
  }
  return walk;
}

}  // namespace schedbench::profile
