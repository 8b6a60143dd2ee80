#pragma once

#include "metrics/log_histogram.hpp"
#include "platform/machine/hardware_counters.hpp"
#include "registry/workload.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::harness {

// The readings of the clocks and the workers for one round.
struct RoundReading {
  std::uint64_t wall_ns = 0;                      // time of IWorkload::Run
  std::uint64_t cpu_ns = 0;                       // CPU time of the whole process, user and system
  std::uint64_t operations = 0;                   // as the workload counts them
  std::uint64_t voluntary_switches = 0;           // waits in the kernel, of all threads
  std::uint64_t involuntary_switches = 0;         // preemptions of all threads
  platform::HardwareCounters::Values hardware{};  // counts of all threads in user mode
  std::uint64_t parked_ns = 0;                    // sum over the workers
  bool measures_idle = true;                // false: the scheduler does not count the time parked
  bool times_tasks = true;                  // false: the scheduler has no times of tasks
  std::uint32_t workers = 0;                // 0: threads come and go
  metrics::HistogramSnapshot wakeup_ticks;  // wake-up latencies of all workers
  metrics::HistogramSnapshot run_ticks;     // run times of all workers
  // Values of IWorkload::Metrics(); none where a round has fewer operations than a metric needs.
  std::vector<std::optional<double>> own;
};

// A finished round.
struct Round {
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t operations = 0;
  std::uint64_t wakeup_samples = 0;              // number of times behind the percentiles
  std::uint64_t run_samples = 0;                 // number of run times behind the percentiles
  bool times_tasks = true;                       // false: the scheduler does not time tasks
  std::vector<std::optional<double>> metrics{};  // values in the order of MetricsOf()
};

// Returns the quotient; none if the denominator is 0.
std::optional<double> Quotient(std::uint64_t numerator, std::uint64_t denominator);

// A metric that every round of every workload has.
struct RoundMetric {
  registry::Metric info;
  // Returns the value; none where the round is too small.
  std::optional<double> (*of)(const RoundReading& reading, double ns_per_tick);
  double quantile = 0;  // 0: not a quantile
  // The number of times behind a quantile; null: not a quantile.
  std::uint64_t Round::* samples = nullptr;
  bool by_hardware = false;  // counted by the CPU, if it has counters
};

// Returns all round metrics, in the order of reports and JSON keys.
std::span<const RoundMetric> RoundMetricList();

// Returns the index of the metric called `name` in the list. Requires: there is one.
std::size_t RoundMetricIndex(std::string_view name);

// Returns the metrics of a round of this workload: the list, then the workload's own.
std::vector<const registry::Metric*> MetricsOf(const registry::WorkloadEntry& workload);

// Makes the metrics of a round from its reading, which already holds the workload's own.
Round ToRound(const RoundReading& reading, double ns_per_tick);

}  // namespace schedbench::harness
