#pragma once

// Replaces src/platform/net/socket_batch.hpp: there is no network.

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
  }
};

class SocketBatch {
 public:
  static constexpr std::size_t kMost = 32;

  static std::size_t Make(std::span<SocketCall* const> /*calls*/) noexcept {
    return 0;
  }
  static bool IsRefused() noexcept {
    return true;
  }
};

}  // namespace schedbench::platform
