#pragma once

// Stands in for src/metrics/wakeup_latency.hpp in models of schedulers: no task is timed.

#include "metrics/log_histogram.hpp"

#include <cstdint>

namespace schedbench::metrics {

class ReadySampler {
 public:
  explicit ReadySampler(std::uint64_t /*seed*/) noexcept {
  }

  void OnReady(std::uint64_t& /*stamp*/) noexcept {
  }
};

class WakeupLatency {
 public:
  void OnRun(std::uint64_t& /*stamp*/) noexcept {
  }

  HistogramSnapshot Snapshot() const {
    return {};
  }
};

}  // namespace schedbench::metrics
