#include "harness/round.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"

#include <algorithm>
#include <array>

namespace schedbench::harness {

namespace {

using registry::Better;

std::optional<double> Times(std::optional<double> value, double factor) {
  return value ? std::optional(factor * *value) : std::nullopt;
}

std::optional<double> Throughput(const RoundReading& reading, double /*ns_per_tick*/) {
  return Times(Quotient(reading.operations, reading.wall_ns), 1e9);
}

std::optional<double> CpusUsed(const RoundReading& reading, double /*ns_per_tick*/) {
  return Quotient(reading.cpu_ns, reading.wall_ns);
}

template <std::uint64_t RoundReading::* Count>
std::optional<double> PerOperation(const RoundReading& reading, double /*ns_per_tick*/) {
  return Quotient(reading.*Count, reading.operations);
}

template <std::optional<std::uint64_t> platform::HardwareCounters::Values::* Count>
std::optional<double> HardwarePerOperation(const RoundReading& reading, double /*ns_per_tick*/) {
  const std::optional<std::uint64_t> count = reading.hardware.*Count;
  return count ? Quotient(*count, reading.operations) : std::nullopt;
}

std::optional<double> IdleShare(const RoundReading& reading, double /*ns_per_tick*/) {
  const auto share = Quotient(reading.parked_ns, reading.wall_ns * reading.workers);
  // The workers are read just before the clock starts and just after it stops.
  return share && reading.measures_idle ? std::optional(std::min(1.0, *share)) : std::nullopt;
}

using Histogram = metrics::HistogramSnapshot RoundReading::*;

constexpr Histogram kWakeup = &RoundReading::wakeup_ticks;
constexpr Histogram kRun = &RoundReading::run_ticks;

template <Histogram Of, int PerMille>
std::optional<double> Quantile(const RoundReading& reading, double ns_per_tick) {
  return Times((reading.*Of).Quantile(PerMille / 1000.0), ns_per_tick);
}

template <Histogram Of>
std::optional<double> Longest(const RoundReading& reading, double ns_per_tick) {
  return Times((reading.*Of).Max(), ns_per_tick);
}

template <Histogram Of, int PerMille>
constexpr RoundMetric Percentile(const registry::Metric& metric) {
  return {metric, &Quantile<Of, PerMille>, PerMille / 1000.0,
          Of == kWakeup ? &Round::wakeup_samples : &Round::run_samples};
}

constexpr std::array kRoundMetrics{
    RoundMetric{{"throughput", "ops/s", Better::kHigher,
                 "Operations of the workload per second of wall time"},
                &Throughput},
    RoundMetric{{"cpu_per_operation", "ns", Better::kLower,
                 "CPU time of the whole process, user and system, per operation"},
                &PerOperation<&RoundReading::cpu_ns>},
    RoundMetric{{"cpus_used", "CPUs", Better::kNone, "CPU time of the whole process per wall time"},
                &CpusUsed},
    RoundMetric{{"idle_share", "share", Better::kNone,
                 "Share of the workers' time that they were parked without work, 0 to 1"},
                &IdleShare},
    RoundMetric{{"voluntary_switches", "per op", Better::kNone,
                 "Times that a thread of the process gave up its CPU to wait in the kernel, per "
                 "operation"},
                &PerOperation<&RoundReading::voluntary_switches>},
    RoundMetric{{"involuntary_switches", "per op", Better::kNone,
                 "Times that the kernel gave the CPU of a thread to another one, per operation"},
                &PerOperation<&RoundReading::involuntary_switches>},
    RoundMetric{
        .info = {"instructions", "per op", Better::kLower,
                 "Instructions of all threads in user mode, counted by the CPU, per operation"},
        .of = &HardwarePerOperation<&platform::HardwareCounters::Values::instructions>,
        .by_hardware = true},
    RoundMetric{
        .info = {"cache_misses", "per op", Better::kLower,
                 "Cache misses of the last level of all threads in user mode, counted by the CPU, "
                 "per operation"},
        .of = &HardwarePerOperation<&platform::HardwareCounters::Values::cache_misses>,
        .by_hardware = true},
    Percentile<kWakeup, 500>(
        {"wakeup_p50", "ns", Better::kLower,
         "Time from ready (submitted) to running, of a sample of the tasks: median"}),
    Percentile<kWakeup, 900>(
        {"wakeup_p90", "ns", Better::kLower,
         "Time from ready (submitted) to running, of a sample of the tasks: 90th percentile"}),
    Percentile<kWakeup, 990>(
        {"wakeup_p99", "ns", Better::kLower,
         "Time from ready (submitted) to running, of a sample of the tasks: 99th percentile"}),
    Percentile<kWakeup, 999>(
        {"wakeup_p99_9", "ns", Better::kLower,
         "Time from ready (submitted) to running, of a sample of the tasks: 99.9th percentile"}),
    RoundMetric{
        .info = {"wakeup_max", "ns", Better::kLower,
                 "Time from ready (submitted) to running, of a sample of the tasks: maximum"},
        .of = &Longest<kWakeup>,
        .samples = &Round::wakeup_samples},
    Percentile<kRun, 500>(
        {"run_p50", "ns", Better::kNone,
         "Time from the start of a task until its worker has picked the next one, of a sample of "
         "the tasks, including a read of the clock: median"}),
    Percentile<kRun, 990>({"run_p99", "ns", Better::kNone,
                           "Time from the start of a task until its worker has picked the next "
                           "one: 99th percentile"}),
    RoundMetric{
        .info = {"run_max", "ns", Better::kNone,
                 "Time from the start of a task until its worker has picked the next one: maximum"},
        .of = &Longest<kRun>,
        .samples = &Round::run_samples},
};

}  // namespace

std::optional<double> Quotient(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0
             ? std::nullopt
             : std::optional(static_cast<double>(numerator) / static_cast<double>(denominator));
}

std::span<const RoundMetric> RoundMetricList() {
  return kRoundMetrics;
}

std::size_t RoundMetricIndex(std::string_view name) {
  const auto found = std::ranges::find_if(
      kRoundMetrics, [name](const RoundMetric& metric) { return metric.info.name == name; });
  SB_ASSERT(found != kRoundMetrics.end(), "no round metric has this name");
  return static_cast<std::size_t>(found - kRoundMetrics.begin());
}

std::vector<const registry::Metric*> MetricsOf(const registry::WorkloadEntry& workload) {
  auto metrics = VectorOf(RoundMetricList(), [](const auto& metric) { return &metric.info; });
  for (const registry::Metric& metric : workload.metrics) {
    metrics.push_back(&metric);
  }
  return metrics;
}

Round ToRound(const RoundReading& reading, double ns_per_tick) {
  Round round{.wall_ns = reading.wall_ns,
              .cpu_ns = reading.cpu_ns,
              .operations = reading.operations,
              .wakeup_samples = reading.wakeup_ticks.Total(),
              .run_samples = reading.run_ticks.Total(),
              .times_tasks = reading.times_tasks};
  for (const RoundMetric& metric : RoundMetricList()) {
    round.metrics.push_back(metric.of(reading, ns_per_tick));
  }
  round.metrics.insert(round.metrics.end(), reading.own.begin(), reading.own.end());
  return round;
}

}  // namespace schedbench::harness
