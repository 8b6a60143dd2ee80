#pragma once

#include "harness/machine/disturbance.hpp"
#include "harness/plan.hpp"
#include "harness/round.hpp"
#include "harness/summary.hpp"
#include "metrics/log_histogram.hpp"
#include "metrics/metric_list.hpp"
#include "platform/machine/machine_info.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// Rises when a key of the JSON form disappears or changes its meaning. New keys do not raise it.
inline constexpr int kSchemaVersion = 4;

// Figures from the recorded events of the last part of a run.
struct TimelineFigures {
  std::uint64_t length_ns = 0;
  std::uint64_t wasted_ns = 0;  // time of all workers: idle while a fiber was ready
  std::uint64_t waits = 0;      // number of waits that ended
  std::uint64_t longest_wait_ns = 0;
  std::uint64_t fairness_windows = 0;  // windows with a Jain's index; 0: none
  double jain_index = 0;               // the median of the windows
  double least_jain_index = 0;
};

// The data after a whole or interrupted run. Reports use only this and registry::ThisBuild().
struct RunResult {
  RunPlan plan;
  // The config of the plan with the settings in effect; none: no scheduler was made.
  std::optional<config::Settings> effective_config{};
  bool complete = false;          // all rounds are there and right
  std::string failure{};          // why it is not complete; "" when it is
  std::string diagnosis{};        // lines that explain a hang; "" without a hang
  platform::MachineInfo machine;  // the machine when the run began
  std::vector<Round> rounds{};    // measured rounds in their order
  std::vector<SummaryRow> summary{};
  // Counts over the measured rounds alone, for each worker in the order of WorkerMetricList().
  std::vector<metrics::MetricValues> workers{};
  metrics::MetricValues total{};
  metrics::MetricValues pool{};  // for the scheduler as a whole; in the order of PoolMetricList()
  std::uint64_t external_submissions = 0;     // tasks over the measured rounds
  metrics::HistogramSnapshot wakeup_ticks{};  // RoundReading::wakeup_ticks of all measured rounds
  std::uint64_t peak_resident_bytes = 0;      // peak of the process
  std::vector<std::string> command{};         // the command line that asked for it
  // Observation that the metrics include: "sampled at 999 Hz by the perf task clock"; "" for none.
  std::string observed{};
  // Figures of its last part, if its events were recorded.
  std::optional<TimelineFigures> timeline{};
  std::uint64_t clock_steps_back = 0;  // negative times, which counted as 0
  Disturbance disturbance{};           // what else ran on the machine during the run
  // "2 hogs, timer slack 1 ns": what disturbed the run on purpose; "" for nothing.
  std::string perturbed{};

  // Returns the largest number of threads that ran tasks at a time: the workers, or more where
  // threads come and go, which share a row.
  std::uint64_t Threads() const;
  bool HasRowPerThread() const {
    return Threads() == workers.size();
  }

  // Returns whether threads start and end as tasks need them; then their lifetime is not counted.
  bool ThreadsComeAndGo() const {
    return total[metrics::MetricIndex("threads_peak")] > 0;
  }

  // Returns the ratio of the busiest worker's tasks_run to the mean; none when no task ran.
  std::optional<double> Imbalance() const;

  // Returns the wall time of all measured rounds together.
  std::uint64_t WallNs() const;
};

}  // namespace schedbench::harness
