#include "profile/sampling/walk_stack.hpp"

#include "base/attributes.hpp"

namespace schedbench::profile {

namespace {

// The lowest addresses are never mapped (vm.mmap_min_addr >= a page): no call returns there.
constexpr std::uintptr_t kLowestCode = 4096;

// Bytes at the top with the first function's frame: 16 with our switch, some 200 with
// Boost.Context.
constexpr std::uintptr_t kBaseBytes = 256;

// Range of the search for a saved frame pointer. Arbitrary: allocators use some 100 bytes.
constexpr std::uintptr_t kScannedBytes = 1024;

// The memory belongs to other functions, so a sanitizer would report the reads.
#define SB_READS_STACK __attribute__((no_sanitize("address", "thread", "undefined")))

struct FrameRecord {
  std::uintptr_t caller;
  std::uintptr_t return_address;
};

// Follows a chain of frames from `at`, none below `below`. Returns whether it ends in the base.
template <typename OnCall>
SB_READS_STACK bool Follow(std::uintptr_t at, std::uintptr_t below, std::uintptr_t top,
                           OnCall on_call) noexcept {
  // Each frame is above the previous one, whole within the stack.
  while (at >= below && at < top && at % alignof(FrameRecord) == 0 &&
         top - at >= sizeof(FrameRecord)) {
    const auto& frame = *reinterpret_cast<const FrameRecord*>(at);
    if (frame.return_address < kLowestCode ||
        !on_call(platform::WithoutSignature(frame.return_address))) {
      return false;
    }
    if (frame.caller == 0) {
      return top - at <= kBaseBytes;
    }
    below = at + sizeof(FrameRecord);
    at = frame.caller;
  }
  return false;
}

// Returns the first word on the stack that is the frame pointer of a chain to the base, or 0.
SB_READS_STACK std::uintptr_t SavedFramePointer(std::uintptr_t stack_pointer,
                                                std::uintptr_t top) noexcept {
  constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);
  const std::uintptr_t end =
      top - stack_pointer > kScannedBytes ? stack_pointer + kScannedBytes : top;
  for (std::uintptr_t at = (stack_pointer + kWord - 1) / kWord * kWord; at + kWord <= end;
       at += kWord) {
    const std::uintptr_t word = *reinterpret_cast<const std::uintptr_t*>(at);
    const bool leads_to_base =
        Follow(word, at + kWord, top, [](std::uintptr_t /*call*/) { return true; });
    if (leads_to_base) {
      return word;
    }
  }
  return 0;
}

}  // namespace

SB_READS_STACK Walk WalkStack(const platform::MachineState& interrupted, std::uintptr_t lowest,
                              std::uintptr_t top, std::span<std::uintptr_t> innermost_first,
                              Base base) noexcept {
  Walk walk;
  if (innermost_first.empty()) {
    return {.calls = 0, .truncated = true};
  }
  innermost_first[walk.calls++] = interrupted.program_counter;
  const std::uintptr_t below = interrupted.stack_pointer;
  if (below < lowest || below >= top) {
    walk.truncated = true;
    return walk;
  }
  const auto write = [&](std::uintptr_t return_address) {
    if (walk.calls == innermost_first.size()) {
      return false;
    }
    innermost_first[walk.calls++] = return_address;
    return true;
  };
  walk.truncated = !Follow(interrupted.frame_pointer, below, top, write);
  if (base == Base::kAnywhere) {
    walk.truncated = walk.truncated && walk.calls == 1;
  } else if (walk.truncated && walk.calls < innermost_first.size()) {
    if (const std::uintptr_t saved = SavedFramePointer(below, top); saved != 0) {
      walk.calls = 1;
      walk.truncated = !Follow(saved, below, top, write);
    }
  }
  return walk;
}

SB_READS_STACK void ReadStack(std::uintptr_t stack_pointer,
                              std::span<std::uint64_t> words) noexcept {
  const auto* const at = reinterpret_cast<const std::uint64_t*>(stack_pointer);
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = at[i];
  }
}

}  // namespace schedbench::profile
