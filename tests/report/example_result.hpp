#pragma once

#include "config/schema_of.hpp"
#include "harness/recorder.hpp"
#include "metrics/metric_list.hpp"

#include <cstdint>
#include <memory>

// A result made by hand, for reports to write.

namespace schedbench::tests {

struct ExampleConfig {
  config::Field<"workers", std::uint32_t{2}, config::Range{1U, 9U}, "Workers"> workers;
  config::Field<"max_searching", std::uint32_t{0}, config::Range{0U, 9U},
                "A field with a name that a note knows">
      max_searching;
};

inline const registry::SchedulerEntry kExampleScheduler{
    .name = "example",
    .doc = "",
    .schema = &config::SchemaOf<ExampleConfig>,
    .make = nullptr,
};

inline const registry::WorkloadEntry kExampleWorkload{
    .name = "work",
    .doc = "",
    .operation = "thing",
    .schema = &config::SchemaOf<ExampleConfig>,
    .make = nullptr,
};

inline harness::RunPlan ExamplePlan(std::uint32_t rounds) {
  return {.scheduler = &kExampleScheduler,
          .config = config::Settings::Of<ExampleConfig>(),
          .workload = &kExampleWorkload,
          .parameters = config::Settings::Of<ExampleConfig>(),
          .rounds = rounds,
          .warmup = 3,
          .seed = 42};
}

// A round of 10 ms with 1000 operations, in which worker 0 ran 900 tasks and worker 1 ran 100.
inline harness::MeasuredRound ExampleRound() {
  harness::MeasuredRound round;
  round.reading.wall_ns = 10'000'000;
  round.reading.cpu_ns = 15'000'000;
  round.reading.operations = 1000;
  round.reading.parked_ns = 5'000'000;
  round.reading.workers = 2;
  round.reading.wakeup_ticks.Add(metrics::LogBuckets::IndexOf(1000), 500);
  round.pool.assign(metrics::PoolMetricList().size(), 0);
  round.pool[metrics::MetricIndex("global_lock_waits", metrics::PoolMetricList())] = 20;
  round.external_submissions = 1;
  round.workers.assign(2, metrics::MetricValues(metrics::WorkerMetricList().size(), 0));
  round.workers[0][metrics::MetricIndex("tasks_run")] = 900;
  round.workers[0][metrics::MetricIndex("from_local")] = 900;
  round.workers[1][metrics::MetricIndex("tasks_run")] = 100;
  round.workers[1][metrics::MetricIndex("from_stolen")] = 100;
  round.workers[1][metrics::MetricIndex("steals")] = 25;
  round.workers[1][metrics::MetricIndex("steal_attempts")] = 100;
  round.workers[1][metrics::MetricIndex("park_ns")] = 5'000'000;
  return round;
}

inline harness::RunResult ExampleResult(std::uint32_t finished, std::uint32_t planned,
                                        std::string failure = "") {
  harness::Recorder recorder(ExamplePlan(planned));
  for (std::uint32_t i = 0; i < finished; ++i) {
    recorder.Add(ExampleRound());
  }
  harness::RunResult result = recorder.Take(std::move(failure));
  result.machine.cpus_allowed = 2;
  result.machine.cpu_list = "0-1";
  return result;
}

}  // namespace schedbench::tests
