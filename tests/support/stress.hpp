#pragma once

#include "base/attributes.hpp"

#include <chrono>
#include <cstdint>

// How long stress tests run and what their random choices follow from. Two environment variables
// steer them: SCHEDBENCH_SEED repeats the choices of a run, SCHEDBENCH_STRESS_SECONDS sets the
// length of each test.

namespace schedbench::tests {

// True where every instruction costs several times more; tests then do less of the same.
#if defined(SB_ASAN) || defined(SB_TSAN)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// The first number as it is, the second under a sanitizer.
template <typename T>
constexpr T PlainOrSanitized(T plain, T sanitized) {
  return kSanitized ? sanitized : plain;
}

// The seed of this process, printed at the first call. Random unless SCHEDBENCH_SEED is set.
std::uint64_t Seed();

// Lasts SCHEDBENCH_STRESS_SECONDS from its construction. Where the variable is not set, that is 0.2
// s in the quick tier and 1 s in the full one (tier.hpp).
class StressTime {
 public:
  StressTime();

  bool IsOver() const {
    return std::chrono::steady_clock::now() >= end_;
  }

 private:
  const std::chrono::steady_clock::time_point end_;
};

// Ends the process, naming `what`, unless it is destroyed in time: a lost wake-up hangs, and this
// says which one before the test runner loses patience. The limit is generous: it is never what a
// healthy run waits for.
class HangGuard {
 public:
  explicit HangGuard(const char* what);
  ~HangGuard();

  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;

 private:
  struct State;
  State* const state_;
};

}  // namespace schedbench::tests
