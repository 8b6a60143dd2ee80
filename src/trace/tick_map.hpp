#pragma once

#include "base/assert.hpp"
#include "platform/time/clock_anchor.hpp"

#include <cstdint>

namespace schedbench::trace {

// Converts ticks of TickClock to nanoseconds of the monotonic clock: a straight line through a
// moment at the start of a recording and one at its stop. Between them the error is at most that of
// the anchors (some 60 ns), also in a short recording; beyond them it grows. Pure; thread-safe.
class TickMap {
 public:
  // Requires: on both clocks `stop` is later than `start`.
  TickMap(const platform::ClockAnchor& start, const platform::ClockAnchor& stop)
      : start_(start),
        ticks_(stop.ticks - start.ticks),
        ns_(stop.ns - start.ns) {
    SB_ASSERT(stop.ticks > start.ticks && stop.ns >= start.ns, "the clocks went back");
  }

  // Returns the nearest nanosecond; 0 for times before the monotonic clock started.
  std::uint64_t NsAt(std::uint64_t ticks) const noexcept {
    if (ticks >= start_.ticks) {
      return start_.ns + Scaled(ticks - start_.ticks);
    }
    const std::uint64_t before = Scaled(start_.ticks - ticks);
    return before > start_.ns ? 0 : start_.ns - before;
  }

  // Return the times of the anchors on the monotonic clock.
  std::uint64_t StartNs() const noexcept {
    return start_.ns;
  }
  std::uint64_t StopNs() const noexcept {
    return start_.ns + ns_;
  }

 private:
  // The calculation is exact: the product of two times of hours does not fit 64 bits.
  std::uint64_t Scaled(std::uint64_t ticks) const noexcept {
    using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{ticks} * ns_ + ticks_ / 2) / ticks_);
  }

  const platform::ClockAnchor start_;
  const std::uint64_t ticks_;  // ticks between the anchors
  const std::uint64_t ns_;     // nanoseconds between the anchors
};

}  // namespace schedbench::trace
