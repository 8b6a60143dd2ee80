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

// Makes the scheduler of `spec` ("name" or "name:field=value,...") with its defaults but for
// `workers` (or `limit`) and what the spec and `overrides` say.
std::unique_ptr<registry::IScheduler> MakeScheduler(std::string_view spec, std::uint32_t workers,
                                                    std::initializer_list<Override> overrides = {});

// The registered schedulers that tests of other things run on. In the quick tier two of them:
// `fast`, with local queues, stealing and hints, and `global_fifo`, with one shared queue and none
// of that. In the full tier all, without published variants, which only choose other parts of one
// that is among them, and without those that may start a thread for any task.
std::vector<std::string> SchedulerNames();

// All registered schedulers, and those that are made of parts once more with other parts.
std::vector<std::string> EverySchedulerSpec();

// How many tasks the scheduler of `spec` runs at a time, if it is not for its config to say.
enum class Parallelism : std::uint8_t { kAsConfigured, kOne, kAny };
Parallelism ParallelismOf(std::string_view spec);

// Returns when all threads that the scheduler of `spec` has with `workers` workers run: where they
// come as they are needed, as many as that.
void StartAllThreads(registry::IScheduler& scheduler, std::string_view spec, std::uint32_t workers);

// Whether one worker runs tasks without hints in the order of their submits.
bool KeepsOrder(std::string_view spec);

// Whether it is one of the eight published algorithms: `work_stealing` with other parts under a
// name of its own.
bool IsPublished(std::string_view spec);

// Whether the spec chooses parts of a scheduler that is tested in full under its own name.
bool IsVariant(std::string_view spec);

// The defaults, but for whole numbers that are larger than 16: those are 16, or what comes nearest.
// A workload of such parameters takes no time, whatever it calls its sizes.
config::Settings SmallSettings(const config::Schema& schema);

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

// "work_stealing:pick_order=s3" -> "work_stealing_pick_order_s3"
std::string TestNameOf(std::string_view spec);

inline std::string SchedulerNameOf(const testing::TestParamInfo<std::string>& info) {
  return TestNameOf(info.param);
}

}  // namespace schedbench::tests
