#pragma once

#include <cstdint>

namespace schedbench::platform {

// One moment on both clocks: TickClock and NowNs().
struct ClockAnchor {
  std::uint64_t ticks = 0;
  std::uint64_t ns = 0;
  std::uint64_t width = 0;  // in ticks: how far apart the two may be
};

// Reads the monotonic clock between two readings of TickClock, several times, and returns the
// shortest attempt, which nothing interrupted. Some microseconds.
ClockAnchor ReadClockAnchor() noexcept;

}  // namespace schedbench::platform
