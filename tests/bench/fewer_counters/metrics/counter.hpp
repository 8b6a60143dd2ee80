#pragma once

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"

#include <cstdint>
#include <string_view>

// Stands before src/metrics/counter.hpp where it is measured what counting costs, and is the
// counter from there, under another name, but for what it leaves out. SB_COUNT says what is counted
// still: 1: what WaitIdle relies on; 0: nothing, and WaitIdle must not be called.
//
// All that the real header includes is included above, so that only its own text is renamed.
// NOLINTNEXTLINE(readability-identifier-naming): it spells the name of a class, and is gone at
// once.
#define Counter FullCounter
#include "src/metrics/counter.hpp"
#undef Counter

namespace schedbench::metrics {

template <FixedString Name, FixedString Unit, Aggregation How, FixedString Doc>
class Counter : public FullCounter<Name, Unit, How, Doc> {
  using Full = FullCounter<Name, Unit, How, Doc>;

 public:
  SB_ALWAYS_INLINE void Add(std::uint64_t n = 1) noexcept {
    if constexpr (kCounts) {
      Full::Add(n);
    }
  }

  SB_ALWAYS_INLINE void AddRelease(std::uint64_t n = 1) noexcept {
    if constexpr (kCounts) {
      Full::AddRelease(n);
    }
  }

 private:
  static constexpr bool kCounts =
      SB_COUNT == 1 && (Full::kName == "tasks_run" || Full::kName == "tasks_submitted" ||
                        Full::kName == "ended" || Full::kName == "spawned");
};

}  // namespace schedbench::metrics
