#pragma once

// Stands in for src/platform/net/socket_batch.hpp: a call adds its size to the cell at its bytes,
// which the fiber of the call owns.

#include "base/cell.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::platform {

struct SocketCall {
  enum class Kind : std::uint8_t { kRead, kWrite };

  Kind kind = Kind::kRead;
  int fd = -1;
  void* bytes = nullptr;
  std::size_t size = 0;
  std::int64_t result = 0;
  bool leaves_nothing = false;

  void Make() noexcept {
    auto& cell = *static_cast<Cell<std::size_t>*>(bytes);
    cell.Write(cell.Read() + size);
    result = static_cast<std::int64_t>(size);
  }
};

class SocketBatch {
 public:
  static constexpr std::size_t kMost = 2;

  std::size_t Make(std::span<SocketCall* const> calls) noexcept {
    for (SocketCall* const call : calls) {
      call->Make();
    }
    uses_.Write(uses_.Read() + 1);
    return calls.size();
  }
  static bool IsRefused() noexcept {
    return false;
  }

 private:
  Cell<std::uint32_t> uses_{0};  // two threads that use a ring at a time are a race
};

}  // namespace schedbench::platform
