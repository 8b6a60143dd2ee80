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

// Goes up when a key of the JSON form goes away or changes its meaning. New keys leave it.
inline constexpr int kSchemaVersion = 4;

// What recorded events say of the last part of a run.
struct TimelineFigures {
  std::uint64_t length_ns = 0;
  std::uint64_t wasted_ns = 0;  // of all workers: idle while a fiber was ready
  std::uint64_t waits = 0;      // that ended
  std::uint64_t longest_wait_ns = 0;
  std::uint64_t fairness_windows = 0;  // that have a Jain's index; 0: none
  double jain_index = 0;               // the median of the windows
  double least_jain_index = 0;
};

// All that is known after a run, whole or cut short. Plain data: reports are made of this and of
// registry::ThisBuild() alone.
struct RunResult {
  RunPlan plan;
  // The config of the plan with the settings that were in effect; none: no scheduler was made.
  std::optional<config::Settings> effective_config{};
  bool complete = false;          // all rounds are there and right
  std::string failure;            // why it is not complete; "" when it is
  std::string diagnosis;          // lines that explain a hang; "" for all others
  platform::MachineInfo machine;  // as it was when the run began
  std::vector<Round> rounds;      // measured ones, in their order
  std::vector<SummaryRow> summary;
  // Counted over the measured rounds alone; of each the metrics in the order of WorkerMetricList().
  std::vector<metrics::MetricValues> workers;
  metrics::MetricValues total;
  metrics::MetricValues pool;  // of the scheduler as a whole; in the order of PoolMetricList()
  std::uint64_t external_submissions = 0;     // tasks, over the same rounds
  metrics::HistogramSnapshot wakeup_ticks{};  // RoundReading::wakeup_ticks of all these rounds
  std::uint64_t peak_resident_bytes = 0;      // of the process
  std::vector<std::string> command;           // of the command line that asked for it
  // "sampled at 999 Hz by the perf task clock": what was done to the run besides measuring it, which its metrics have in them;
  // "" for nothing.
  std::string observed{};
  // Of its last part, if its events were recorded.
  std::optional<TimelineFigures> timeline{};
  std::uint64_t clock_steps_back = 0;  // times that were negative, and counted as 0
  // What else ran on the machine during the run.
  Disturbance disturbance{};
  // "2 hogs, timer slack 1 ns": what disturbed the run on purpose; "" for nothing.
  std::string perturbed{};

  // How many threads ran tasks, at most at a time: the workers, or more where threads come and go, which a row stands for.
  std::uint64_t Threads() const;
  bool HasRowPerThread() const {
    return Threads() == workers.size();
  }

  // Whether threads start and end as tasks need them: how long each of them existed is not counted.
  bool ThreadsComeAndGo() const {
    return total[metrics::MetricIndex("threads_peak")] > 0;
  }

  // Returns tasks_run of the busiest worker by the mean of all; none when no task ran.
  std::optional<double> Imbalance() const;

  // Returns the wall time of all measured rounds together.
  std::uint64_t WallNs() const;
};

}  // namespace schedbench::harness
