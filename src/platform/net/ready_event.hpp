#pragma once

#include <cstdint>

namespace schedbench::platform {

// What an event says about a descriptor. An error or the end of the peer is both directions.
struct ReadyEvent {
  std::uint64_t key;  // as given to Add()
  bool can_read;
  bool can_write;
  // Not 0: io_uring reports the descriptor no more, until it is added again. A negative errno: it refuses to.
  int ended = 0;
};

}  // namespace schedbench::platform
