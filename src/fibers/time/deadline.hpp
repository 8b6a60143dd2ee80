#pragma once

#include "platform/time/clock.hpp"

#include <chrono>
#include <cstdint>
#include <limits>

namespace schedbench::fibers {

// A moment of platform::NowNs() at which a wait ends, or never.
class Deadline {
 public:
  // Returns a deadline that never passes.
  static constexpr Deadline Never() noexcept {
    return Deadline(kNever);
  }

  // Returns a deadline at `ns`, in nanoseconds of platform::NowNs().
  static constexpr Deadline At(std::uint64_t ns) noexcept {
    return Deadline(ns);
  }

  // Returns a deadline at `time`; steady_clock is the clock of NowNs() on Linux. A negative one has
  // passed.
  static constexpr Deadline At(std::chrono::steady_clock::time_point time) noexcept {
    const auto ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
    return Deadline(ns < 0 ? 0 : static_cast<std::uint64_t>(ns));
  }

  // Returns a deadline `time` from now. A `time` <= 0 has passed; an overflow never passes.
  static Deadline In(std::chrono::nanoseconds time) noexcept {
    if (time <= std::chrono::nanoseconds::zero()) {
      return Deadline(0);
    }
    const std::uint64_t now = platform::NowNs();
    const auto ns = static_cast<std::uint64_t>(time.count());
    return Deadline(ns < kNever - now ? now + ns : kNever);
  }

  // Returns the moment in nanoseconds of platform::NowNs(); the largest number for never.
  constexpr std::uint64_t Ns() const noexcept {
    return ns_;
  }

  // Returns whether it never passes.
  constexpr bool IsNever() const noexcept {
    return ns_ == kNever;
  }

  // Returns whether the moment has come. Reads the clock only if necessary.
  bool HasPassed() const noexcept {
    return ns_ == 0 || (!IsNever() && ns_ <= platform::NowNs());
  }

  // Returns the time until the deadline; zero when it has passed.
  std::chrono::nanoseconds Left() const noexcept {
    const std::uint64_t now = platform::NowNs();
    const std::uint64_t left = ns_ > now ? ns_ - now : 0;
    constexpr auto kMax = static_cast<std::uint64_t>(std::chrono::nanoseconds::max().count());
    return std::chrono::nanoseconds(left < kMax ? left : kMax);
  }

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  constexpr explicit Deadline(std::uint64_t ns) noexcept
      : ns_(ns) {
  }

  std::uint64_t ns_;
};

}  // namespace schedbench::fibers
