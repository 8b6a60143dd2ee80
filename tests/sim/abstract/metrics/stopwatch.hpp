#pragma once

// Stands in for src/metrics/stopwatch.hpp in models of schedulers: it adds up no time, and the
// fence in the real one must not be what keeps a protocol right.

#include "base/fixed_string.hpp"
#include "metrics/counter.hpp"
#include "tests/sim/machine/machine.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::metrics {

// Beside the real one in the same program.
inline namespace abstract {

template <FixedString Name, FixedString Doc>
class Stopwatch {
 public:
  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kUnit = "ns";
  static constexpr Aggregation kAggregation = Aggregation::kSum;
  static constexpr std::string_view kDoc = Doc;

  std::uint64_t Start() noexcept {
    return sim::Machine::Instance().Time();
  }

  void StartAt(std::uint64_t /*now*/) noexcept {
  }

  std::uint64_t Stop() noexcept {
    return Start();
  }

  std::uint64_t Get() const noexcept {
    return 0;
  }
};

}  // namespace abstract

}  // namespace schedbench::metrics
