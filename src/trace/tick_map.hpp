#pragma once

#include "base/assert.hpp"
#include "platform/time/clock_anchor.hpp"

#include <cstdint>

namespace schedbench::trace {

// Turns ticks of TickClock into nanoseconds of the monotonic clock: the straight line through a moment at the start of a
// recording and one at its stop. Between the two a time is off by no more than the anchors are (some 60 ns), however short
// the recording was; beyond them the error grows with the distance. Pure; thread-safe.
class TickMap {
 public:
  // Requires: on both clocks `stop` is later than `start`.
  TickMap(const platform::ClockAnchor& start, const platform::ClockAnchor& stop)
      : start_(start),
        ticks_(stop.ticks - start.ticks),
        ns_(stop.ns - start.ns) {
    SB_ASSERT(stop.ticks > start.ticks && stop.ns >= start.ns, "the clocks went back");
  }

  // Rounded to the nearest; 0 for what is before the monotonic clock began.
  std::uint64_t NsAt(std::uint64_t ticks) const noexcept {
    if (ticks >= start_.ticks) {
      return start_.ns + Scaled(ticks - start_.ticks);
    }
    const std::uint64_t before = Scaled(start_.ticks - ticks);
    return before > start_.ns ? 0 : start_.ns - before;
  }

  // When the anchors are, on the monotonic clock.
  std::uint64_t StartNs() const noexcept {
    return start_.ns;
  }
  std::uint64_t StopNs() const noexcept {
    return start_.ns + ns_;
  }

 private:
  // Exact: the product of two times of hours does not fit 64 bits.
  std::uint64_t Scaled(std::uint64_t ticks) const noexcept {
    using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{ticks} * ns_ + ticks_ / 2) / ticks_);
  }

  const platform::ClockAnchor start_;
  const std::uint64_t ticks_;  // between the anchors
  const std::uint64_t ns_;     // likewise
};

}  // namespace schedbench::trace
