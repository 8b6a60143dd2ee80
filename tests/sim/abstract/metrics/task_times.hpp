#pragma once

// Stands in for src/metrics/task_times.hpp in models of schedulers: no task is timed.

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

inline void StampExternal(std::uint64_t& /*stamp*/, std::uint64_t /*seed*/) noexcept {
}

class TaskTimes {
 public:
  void OnRun(std::uint64_t& /*stamp*/) noexcept {
  }

  void OnNoTask() noexcept {
  }

  HistogramSnapshot Wakeups() const {
    return {};
  }

  HistogramSnapshot Runs() const {
    return {};
  }
};

}  // namespace schedbench::metrics
