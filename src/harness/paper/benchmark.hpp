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

// A row of the tables of the toucan report, or of BM_SingleMutex, which only its program has.
struct PaperRow {
  std::string name;        // published name: "BM_SlowThread<algo::GlobalFIFO>/4/1000/10/100"
  std::string scheduler;   // name in the registry
  std::string workload;    // name in the registry
  std::string parameters;  // "tasks=1000,iterations=10"
  std::uint32_t workers;
  bool sleeps;                         // the workload has a parameter `mode`
  std::optional<double> published_ms;  // the column Time; none for BM_SingleMutex
};

// Returns all rows in the order of the toucan report; BM_SingleMutex is last.
std::vector<PaperRow> PaperRows();

// The error of a row that was interrupted.
inline constexpr std::string_view kPaperInterrupted = "interrupted";

// A row of the toucan report as a benchmark of Google Benchmark. Time is the wall time of a round,
// CPU that of the calling thread.
class PaperBenchmark {
 public:
  // `mode`: the mode of the sleeps, as the workloads name it. `notify`: for the schedulers with
  // this field. Requires: the scheduler and the workload of the row are registered.
  PaperBenchmark(PaperRow row, std::string_view mode, std::string_view notify);

  // Returns the published name, with "/mode:NAME" in another mode than "faithful".
  std::string Name() const;

  // Makes the scheduler and the workload, and measures the rounds that `state` sets. An error
  // becomes the row's. Asks `cancelled` before each round. kFailed: a wrong answer, or an error.
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
