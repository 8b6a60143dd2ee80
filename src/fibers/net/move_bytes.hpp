#pragma once

#include "fibers/net/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::fibers {

// Reads or writes a part of `bytes` by one successful call of `move(fd, bytes)`.
template <typename Byte, typename Move>
Transfer MoveSome(Descriptor& descriptor, WaitKind kind, Deadline deadline, std::span<Byte> bytes,
                  Move move) noexcept {
  const std::int64_t moved =
      descriptor.Run(kind, deadline, [&](int fd) { return move(fd, bytes); });
  if (moved < 0) {
    return {.bytes = 0, .error = {static_cast<int>(-moved)}};
  }
  return {.bytes = static_cast<std::size_t>(moved), .error = {}};
}

// Reads or writes until all bytes are moved, the stream ends, or a call fails.
template <typename Byte, typename Move>
Transfer MoveAll(Descriptor& descriptor, WaitKind kind, Deadline deadline, std::span<Byte> bytes,
                 Move move) noexcept {
  Transfer all;
  while (all.bytes < bytes.size()) {
    const Transfer some = MoveSome(descriptor, kind, deadline, bytes.subspan(all.bytes), move);
    all.bytes += some.bytes;
    all.error = some.error;
    if (!some.Ok() || some.bytes == 0) {
      break;
    }
  }
  return all;
}

}  // namespace schedbench::fibers
