#pragma once

#include "config/field.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schedbench::schedulers {

// How many tasks a worker without a task takes from the global queue at a time. The periodic poll
// always takes one, if the queue gives single tasks.
enum class GrabSize : std::uint8_t {
  kOne,
  kFairShare,     // an equal share, at most half of a local queue: the others find tasks too
  kHalfCapacity,  // at most half of a local queue, whatever the others need
  kAll,           // all that fits: a whole local queue, and the one that runs at once
};

constexpr std::array<std::string_view, 4> NamesOf(GrabSize) {
  return {"one", "fair_share", "half_capacity", "all"};
}

// A GrabSize in numbers, for Grab() of a global queue: at most `most` tasks, of all or of one
// share. There is an equal share for each worker, but at most kMostSharers; a share is rounded up.
// With more shares each lock of the queue moves one or two tasks, and with 64 cores and more the
// hand-over of the lock limits all workers (../fast/PERFORMANCE.md, "Many cores").
struct GlobalGrab {
  std::size_t most;
  bool shares;

  static constexpr std::size_t kMostSharers = 16;

  std::size_t Sharers(std::size_t workers) const noexcept {
    return shares ? std::min(workers, kMostSharers) : 1;
  }
};

// Returns the numbers of `take`. `capacity`: that of a local queue. The queue is empty then, so it
// has room for all tasks but the one that runs at once.
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
