#pragma once

#include <cstdint>

namespace schedbench::platform {

// What an event says about a descriptor, or about an operation that has ended. An error or the end of the peer is both
// directions.
struct ReadyEvent {
  // In the keys of operations, and of no descriptor.
  static constexpr std::uint64_t kOperation = std::uint64_t{1} << 63U;

  std::uint64_t key;  // as given to Add() or Start()
  bool can_read = false;
  bool can_write = false;
  // Not 0: io_uring reports the descriptor no more, until it is added again. A negative errno: it refuses to.
  int ended = 0;
  // Of an operation: bytes, or a negative errno.
  int result = 0;
};

}  // namespace schedbench::platform
