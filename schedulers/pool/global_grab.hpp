#pragma once

#include "config/field.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers {

// How much a worker that has nothing takes from the global queue at a time. The periodic poll always takes one, where the
// queue gives single tasks.
enum class GrabSize : std::uint8_t {
  kOne,
  kFairShare,  // its share of what is there, at most half of a local queue: workers that come at the same time find work too
  kHalfCapacity,  // at most half of a local queue, whatever the others need
  kAll,           // all that fits: a whole local queue, and the one that runs at once
};

constexpr std::array<std::string_view, 4> NamesOf(GrabSize) {
  return {"one", "fair_share", "half_capacity", "all"};
}

// The same in numbers, for Grab() of a global queue: at most `most`; of all, or of one of as many equal shares as there are
// workers, rounded up. With more than kMostSharers workers the shares are larger: otherwise each lock of the queue moves one or
// two tasks, and with 64 cores and more the hand-over of the lock limits all workers (../fast/PERFORMANCE.md, "Many cores").
struct GlobalGrab {
  std::size_t most;
  bool shares;

  static constexpr std::size_t kMostSharers = 16;

  std::size_t Sharers(std::size_t workers) const noexcept {
    return shares ? std::min(workers, kMostSharers) : 1;
  }
};

// `capacity`: of a local queue, which is empty then and thus has room for all that does not run at once.
constexpr GlobalGrab GrabOf(GrabSize take, std::size_t capacity) noexcept {
  switch (take) {
    case GrabSize::kOne:
      return {.most = 1, .shares = false};
    case GrabSize::kFairShare:
      return {.most = capacity / 2, .shares = true};
    case GrabSize::kHalfCapacity:
      return {.most = capacity / 2, .shares = false};
    case GrabSize::kAll:
      return {.most = capacity + 1, .shares = false};
  }
  return {.most = 1, .shares = false};
}

}  // namespace schedbench::schedulers
