#pragma once

#include "base/cache_line.hpp"
#include "base/random.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>

namespace schedbench::workloads {

// The messages that a fiber received, if they are numbers. The sum does not distinguish 1 and 4
// from 2 and 3; the mixed numbers do. It has its own cache line, because each fiber has one.
struct alignas(kCacheLine) MessageSum {
  void Add(std::uint64_t message) noexcept {
    ++messages;
    sum += message;
    mixed ^= MixSeed(message);
  }

  void Add(const MessageSum& other) noexcept {
    messages += other.messages;
    sum += other.sum;
    mixed ^= other.mixed;
  }

  // Returns "" or how this differs from what should have been received.
  std::string Against(const MessageSum& right) const {
    if (messages != right.messages) {
      return fmt::format("{} messages were received of {}", messages, right.messages);
    }
    if (sum != right.sum || mixed != right.mixed) {
      return "some messages were received twice, and others were not received";
    }
    return "";
  }

  std::uint64_t messages = 0;
  std::uint64_t sum = 0;
  std::uint64_t mixed = 0;
};

}  // namespace schedbench::workloads
