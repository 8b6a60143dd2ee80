#pragma once

#include <cstdint>

namespace schedbench::platform {

// An event of a descriptor, or of an ended operation on a file. An error or the peer's end means
// both directions.
struct ReadyEvent {
  // A bit that is only in the keys of operations.
  static constexpr std::uint64_t kOperation = std::uint64_t{1} << 63U;

  std::uint64_t key;  // the argument of Add() or Start()
  bool can_read = false;
  bool can_write = false;
  // The peer's end, an error or urgent data: a read may return fewer bytes than it asks for and
  // leave something.
  bool has_ended = false;
  // The result of an operation: bytes, or a negative errno.
  int result = 0;
};

}  // namespace schedbench::platform
