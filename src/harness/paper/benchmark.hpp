#pragma once

#include "config/settings.hpp"
#include "harness/paper/rows.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <string_view>

namespace schedbench::harness {

// The error of a row that was interrupted.
inline constexpr std::string_view kPaperInterrupted = "interrupted";

// A row of document 000 as a benchmark of Google Benchmark. Time is the wall time of a round, CPU that of the calling thread.
class PaperBenchmark {
 public:
  // `mode`: of the sleeps, as the workloads name it. `notify`: of the schedulers that have this field. Requires: the scheduler and
  // the workload of the row are registered.
  PaperBenchmark(PaperRow row, std::string_view mode, std::string_view notify);

  // As published; in another mode than "faithful" with "/mode:NAME".
  std::string Name() const;

  // Makes the scheduler and the workload, and measures the number of rounds that `state` sets. An error becomes one of the row.
  // `cancelled`: asked before each round. kFailed: a wrong answer, or an error.
  enum class Ending { kComplete, kFailed, kInterrupted };
  Ending Measure(benchmark::State& state, const std::function<bool()>& cancelled) const;

 private:
  PaperRow row_;
  const registry::SchedulerEntry& scheduler_;
  const registry::WorkloadEntry& workload_;
  config::Settings config_;
  config::Settings parameters_;
  std::string suffix_;
};

}  // namespace schedbench::harness
