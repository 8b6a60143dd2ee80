#include "harness/recorder.hpp"

#include "platform/time/clock.hpp"

#include <array>
#include <utility>

namespace schedbench::harness {

namespace {

metrics::MetricValues Sum(const metrics::MetricValues& a, const metrics::MetricValues& b,
                          std::span<const metrics::MetricInfo> list) {
  return metrics::Aggregate(std::array{a, b}, list);
}

}  // namespace

Recorder::Recorder(const RunPlan& plan)
    : result_{.plan = plan,
              .machine = platform::ThisMachine(),
              .pool = metrics::ReadMetrics(metrics::PoolMetrics())} {
}

void Recorder::SetEffectiveConfig(const config::Settings& config) {
  const platform::MutexLock lock(mutex_);
  result_.effective_config = config;
}

void Recorder::Add(const MeasuredRound& measured) {
  Round round = ToRound(measured.reading, platform::TickClock::NsPerTick());
  const platform::MutexLock lock(mutex_);
  result_.rounds.push_back(std::move(round));
  result_.pool = Sum(result_.pool, measured.pool, metrics::PoolMetricList());
  result_.external_submissions += measured.external_submissions;
  result_.wakeup_ticks.Add(measured.reading.wakeup_ticks);
  if (result_.workers.empty()) {
    result_.workers = measured.workers;
    return;
  }
  for (std::size_t i = 0; i < measured.workers.size(); ++i) {
    result_.workers[i] = Sum(result_.workers[i], measured.workers[i], metrics::WorkerMetricList());
  }
}

RunResult Recorder::Take(std::string failure) const {
  RunResult result = [this] {
    const platform::MutexLock lock(mutex_);
    return result_;
  }();
  result.complete = failure.empty();
  result.failure = std::move(failure);
  result.summary = Summarise(*result.plan.workload, result.rounds);
  result.total = metrics::Aggregate(result.workers);
  result.peak_resident_bytes = platform::PeakResidentBytes();
  result.clock_steps_back = platform::ClockStepsBack();
  return result;
}

}  // namespace schedbench::harness
