#pragma once

#include "config/settings.hpp"
#include "registry/scheduler.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Registered schedulers, made and read by name.

namespace schedbench::tests {

using Override = std::pair<std::string_view, config::Value>;

// The names of all registered schedulers.
inline std::vector<std::string> SchedulerNames() {
  std::vector<std::string> names;
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    names.emplace_back(entry->name);
  }
  return names;
}

// Makes the scheduler `name` with its defaults but for `workers` and what `overrides` says.
inline std::unique_ptr<registry::IScheduler> MakeScheduler(
    std::string_view name, std::uint32_t workers, std::initializer_list<Override> overrides = {}) {
  const registry::SchedulerEntry* entry = registry::FindScheduler(name);
  if (entry == nullptr) {
    throw std::runtime_error("no scheduler " + std::string(name));
  }
  config::Settings settings(entry->schema());
  if (settings.GetSchema().FindLeaf("workers") != nullptr) {
    settings.Set("workers", std::uint64_t{workers}, {});
  }
  for (const auto& [path, value] : overrides) {
    settings.Set(path, value, {});
  }
  return entry->make(settings, Seed());
}

// Metrics of all workers together, by name.
class Totals {
 public:
  explicit Totals(const registry::IScheduler& scheduler) {
    std::vector<metrics::MetricValues> workers;
    for (const registry::WorkerReading& reading : scheduler.ReadWorkers()) {
      workers.push_back(reading.values);
    }
    values_ = metrics::Aggregate(workers);
  }

  std::uint64_t operator[](std::string_view name) const {
    return values_[metrics::MetricIndex(name)];
  }

 private:
  metrics::MetricValues values_;
};

// A test per registered scheduler, on `kWorkers` workers.
class OnEachScheduler : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::uint32_t kWorkers = 4;

  const HangGuard hang_guard_{"a test of one scheduler"};
  std::unique_ptr<registry::IScheduler> owned_ = MakeScheduler(GetParam(), kWorkers);
  registry::IScheduler& scheduler_ = *owned_;
};

inline std::string SchedulerNameOf(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}

}  // namespace schedbench::tests
