#pragma once

#include "config/settings.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::harness {

// A row of the tables of document 000, or of the benchmark BM_SingleMutex that its program has
// beside them.
struct PaperRow {
  std::string name;        // as published: "BM_SlowThread<algo::GlobalFIFO>/4/1000/10/100"
  std::string scheduler;   // of the registry
  std::string workload;    // likewise
  std::string parameters;  // "tasks=1000,iterations=10"
  std::uint32_t workers;
  bool sleeps;                         // the workload has a parameter `mode`
  std::optional<double> published_ms;  // the column Time; none for BM_SingleMutex
};

// All rows, in the order of the document; BM_SingleMutex last.
std::vector<PaperRow> PaperRows();

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
