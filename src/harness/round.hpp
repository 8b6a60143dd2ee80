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

// What the clocks and the workers say of one round.
struct RoundReading {
  std::uint64_t wall_ns = 0;                      // of IWorkload::Run
  std::uint64_t cpu_ns = 0;                       // of the whole process meanwhile, user and system
  std::uint64_t operations = 0;                   // as the workload counts them
  std::uint64_t voluntary_switches = 0;           // of all threads meanwhile: to wait in the kernel
  std::uint64_t involuntary_switches = 0;         // likewise: preempted
  platform::HardwareCounters::Values hardware{};  // of all threads meanwhile, in user mode
  std::uint64_t parked_ns = 0;                    // sum over the workers, meanwhile
  bool measures_idle = true;                // false: the scheduler does not count the time parked
  bool times_tasks = true;                  // false: the scheduler has no times of tasks
  std::uint32_t workers = 0;                // 0: threads come and go
  metrics::HistogramSnapshot wakeup_ticks;  // of all workers
  metrics::HistogramSnapshot run_ticks;     // likewise
  // IWorkload::Metrics(); none where the round has fewer operations than a metric needs.
  std::vector<std::optional<double>> own;
};

// A finished round.
struct Round {
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t operations = 0;
  std::uint64_t wakeup_samples = 0;            // how many times the percentiles are of
  std::uint64_t run_samples = 0;               // likewise
  bool times_tasks = true;                     // false: the scheduler has none to sample
  std::vector<std::optional<double>> metrics;  // in the order of MetricsOf()
};

// Returns the quotient; none if the denominator is 0.
std::optional<double> Quotient(std::uint64_t numerator, std::uint64_t denominator);

// A metric that every round of every workload has one of.
struct RoundMetric {
  registry::Metric info;
  // None where the round is too small to say.
  std::optional<double> (*of)(const RoundReading& reading, double ns_per_tick);
  double quantile = 0;                       // 0: it is none
  std::uint64_t Round::* samples = nullptr;  // of what times; null: of none
  bool by_hardware = false;                  // counted by the CPU, if it has counters
};

// The one list of them, in the order of reports and JSON keys.
std::span<const RoundMetric> RoundMetricList();

// Place of the metric called `name` in the list. Requires: there is one.
std::size_t RoundMetricIndex(std::string_view name);

// Returns what a round of this workload has metrics for: the list, then the workload's own.
std::vector<const registry::Metric*> MetricsOf(const registry::WorkloadEntry& workload);

// Makes the metrics of a round from its reading, which holds the workload's own already.
Round ToRound(const RoundReading& reading, double ns_per_tick);

}  // namespace schedbench::harness
