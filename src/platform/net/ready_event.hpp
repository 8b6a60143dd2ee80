#pragma once

#include <cstdint>

namespace schedbench::platform {

// An event of a descriptor, or of an ended operation. An error or the peer's end means both.
struct ReadyEvent {
  // A bit that is only in the keys of operations.
  static constexpr std::uint64_t kOperation = std::uint64_t{1} << 63U;

  std::uint64_t key;  // the argument of Add() or Start()
  bool can_read = false;
  bool can_write = false;
  // Not 0: io_uring reports the descriptor only after a new Add(). A negative errno: it refuses.
  int ended = 0;
  // The result of an operation: bytes, or a negative errno.
  int result = 0;
};

}  // namespace schedbench::platform
