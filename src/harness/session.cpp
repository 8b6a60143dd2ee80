#include "harness/session.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/task_times.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_times.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

using Readings = std::vector<registry::WorkerReading>;

std::uint64_t ParkedNs(const Readings& readings) {
  static const std::size_t park_ns = metrics::MetricIndex("park_ns");
  return SumOf(readings, [](const auto& reading) { return reading.values[park_ns]; });
}

// Returns the number of permanent workers; 0 where threads come and go.
std::uint32_t LastingWorkers(const Readings& readings) {
  static const std::size_t threads_peak = metrics::MetricIndex("threads_peak");
  const bool lasting = std::ranges::all_of(readings, [&](const registry::WorkerReading& reading) {
    return reading.values[threads_peak] == 0;
  });
  return lasting ? static_cast<std::uint32_t>(readings.size()) : 0;
}

// Returns whether any worker has counted time without a task. Workers do not have a task before the
// first round, so no count means that the scheduler does not count it.
bool MeasuresIdle(const Readings& readings) {
  static const std::array kTimes{metrics::MetricIndex("park_ns"),
                                 metrics::MetricIndex("search_ns")};
  return std::ranges::any_of(readings, [](const registry::WorkerReading& reading) {
    return std::ranges::any_of(kTimes, [&](std::size_t time) { return reading.values[time] != 0; });
  });
}

// Returns whether the scheduler records times of tasks. One that does samples the first task of
// each submitting thread, and the next after fewer than twice the mean period. Twice that period
// without a sample means that it does not, and so does a task count of 0.
bool TimesTasks(const Readings& readings) {
  static const std::size_t tasks_run = metrics::MetricIndex("tasks_run");
  std::uint64_t tasks = 0;
  for (const registry::WorkerReading& reading : readings) {
    if (reading.wakeup_ticks.Total() > 0) {
      return true;
    }
    tasks += reading.values[tasks_run];
  }
  return tasks > 0 && tasks < 2 * metrics::ReadySampler::kMeanPeriod;
}

void AddBetween(const metrics::HistogramSnapshot& earlier, metrics::HistogramSnapshot later,
                metrics::HistogramSnapshot& sum) {
  later.Subtract(earlier);
  sum.Add(later);
}

// Stores what the workers counted between two moments.
void Subtract(const Readings& earlier, const Readings& later, MeasuredRound& round) {
  for (std::size_t i = 0; i < later.size(); ++i) {
    round.workers.push_back(metrics::Since(earlier[i].values, later[i].values));
    AddBetween(earlier[i].wakeup_ticks, later[i].wakeup_ticks, round.reading.wakeup_ticks);
    AddBetween(earlier[i].run_ticks, later[i].run_ticks, round.reading.run_ticks);
  }
}

std::optional<std::uint64_t> Since(std::optional<std::uint64_t> earlier,
                                   std::optional<std::uint64_t> later) {
  if (!earlier || !later) {
    return std::nullopt;
  }
  return *later - std::min(*earlier, *later);
}

// Time that each worker was ready without a CPU, by its number.
using QueuedTimes = std::map<std::uint32_t, std::uint64_t>;

QueuedTimes QueuedTimesOfWorkers() {
  QueuedTimes queued;
  for (const platform::LiveWorker& worker : platform::LiveWorkers()) {
    if (const auto ns = platform::ThreadQueuedNs(worker.thread)) {
      queued.emplace(worker.number, *ns);
    }
  }
  return queued;
}

// Times one round after its Prepare(). The workers are read while they are idle, before and after,
// so that their counts add up, and once at the end of the timed part for the idle share.
MeasuredRound Time(registry::IScheduler& scheduler, registry::IWorkload& workload,
                   const std::string& name, WatchPoint& watch,
                   const platform::HardwareCounters& hardware) {
  MeasuredRound round;
  watch.Enter(Phase::kRun, name, &scheduler);
  const std::uint64_t external_before = scheduler.ExternalSubmissions();
  const std::uint64_t spawned_before = scheduler.ExternalSpawns();
  const metrics::MetricValues pool_before = scheduler.ReadPool();
  const QueuedTimes queued_before = QueuedTimesOfWorkers();
  const platform::HardwareCounters::Values hardware_before = hardware.Read();
  const platform::ContextSwitches switches_before = platform::ProcessSwitches();
  // Read directly before and after the clock: the workers' parked time in between counts.
  const Readings before = scheduler.ReadWorkers();
  const std::uint64_t cpu_start = platform::ProcessCpuNs();
  const std::uint64_t start = platform::NowNs();

  round.reading.operations = workload.Run(scheduler);

  round.reading.wall_ns = platform::ElapsedNs(start);
  round.reading.cpu_ns = platform::ProcessCpuNs() - cpu_start;
  const Readings at_end = scheduler.ReadWorkers();
  const platform::HardwareCounters::Values hardware_after = hardware.Read();
  round.reading.hardware = {
      .instructions = Since(hardware_before.instructions, hardware_after.instructions),
      .cache_misses = Since(hardware_before.cache_misses, hardware_after.cache_misses)};
  const platform::ContextSwitches switches = platform::ProcessSwitches();
  round.reading.voluntary_switches = switches.voluntary - switches_before.voluntary;
  round.reading.involuntary_switches = switches.involuntary - switches_before.involuntary;
  round.reading.parked_ns = ParkedNs(at_end) - ParkedNs(before);
  watch.Enter(Phase::kWaitIdle, name, &scheduler);
  scheduler.WaitIdle();
  watch.Enter(Phase::kVerify, name, nullptr);
  const Readings after = scheduler.ReadWorkers();
  round.pool = metrics::Since(pool_before, scheduler.ReadPool(), metrics::PoolMetricList());
  round.external_submissions = scheduler.ExternalSubmissions() - external_before;
  round.external_spawns = scheduler.ExternalSpawns() - spawned_before;
  round.reading.workers = LastingWorkers(after);
  round.reading.measures_idle = MeasuresIdle(after);
  round.reading.times_tasks = TimesTasks(after);
  Subtract(before, after, round);
  if (round.reading.workers != 0) {
    static const std::size_t preempted_ns = metrics::MetricIndex("preempted_ns");
    for (const auto& [worker, queued_ns] : QueuedTimesOfWorkers()) {
      const auto earlier = queued_before.find(worker);
      if (worker < round.workers.size() && earlier != queued_before.end()) {
        round.workers[worker][preempted_ns] = queued_ns - std::min(queued_ns, earlier->second);
      }
    }
  }
  return round;
}

thread_local bool setting_up = false;

struct SetupScope {
  SetupScope() {
    setting_up = true;
  }
  ~SetupScope() {
    setting_up = false;
  }
};

template <typename Make>
auto MakeOrThrow(std::string_view kind, std::string_view name, Make make) {
  try {
    const SetupScope scope;
    return make();
  } catch (const std::bad_alloc&) {
    throw SetupError(fmt::format("{} {}: not enough memory", kind, name));
  } catch (const std::exception& error) {
    throw SetupError(fmt::format("{} {}: {}", kind, name, error.what()));
  }
}

// Keeps both until the process ends: a scheduler that gave a wrong answer may have lost a task, and
// a wait for its end may never return.
void Abandon(std::unique_ptr<registry::IScheduler> scheduler,
             std::unique_ptr<registry::IWorkload> workload) {
  using Pair =
      std::pair<std::unique_ptr<registry::IScheduler>, std::unique_ptr<registry::IWorkload>>;
  static auto& abandoned = *new std::vector<Pair>;  // never destroyed
  abandoned.emplace_back(std::move(scheduler), std::move(workload));
}

}  // namespace

bool IsSettingUp() noexcept {
  return setting_up;
}

Session::Session(const RunPlan& plan, WatchPoint& watch)
    : entry_(*plan.workload),
      watch_(watch),
      effective_(plan.config) {
  watch_.Enter(Phase::kMakeWorkload, "", nullptr);
  workload_ = MakeOrThrow("workload", entry_.name, [&plan] {
    return plan.half ? plan.workload->make_half(plan.parameters, plan.seed, plan.half->half,
                                                plan.half->address)
                     : plan.workload->make(plan.parameters, plan.seed);
  });
  watch_.Enter(Phase::kMakeScheduler, "", nullptr);
  scheduler_ = MakeOrThrow("scheduler", plan.scheduler->name,
                           [&plan] { return plan.scheduler->make(plan.config, plan.seed); });
  if (plan.scheduler->set_effective != nullptr) {
    plan.scheduler->set_effective(effective_);
  }
  watch_.Enter(Phase::kOther, "", nullptr);
}

Session::~Session() {
  if (scheduler_ == nullptr) {
    return;
  }
  if (in_round_) {
    watch_.Enter(Phase::kOther, "", nullptr);
    Abandon(std::move(scheduler_), std::move(workload_));
  } else {
    Close();
  }
}

MeasuredRound Session::Measure(const std::string& name) try {
  in_round_ = true;
  watch_.Enter(Phase::kPrepare, name, nullptr);
  workload_->Prepare();
  MeasuredRound round = Time(*scheduler_, *workload_, name, watch_, hardware_);
  const std::string wrong = workload_->Verify();
  if (!wrong.empty()) {
    throw RoundFailure(fmt::format("{}: wrong answer in {}: {}", entry_.name, name, wrong));
  }
  round.inline_calls = workload_->InlineCalls();
  const std::vector<double> own = workload_->Metrics();
  const bool has_none = own.empty() && workload_->AsHalf() != nullptr;  // a server
  SB_ASSERT(has_none || own.size() == entry_.metrics.size(),
            "a workload has one value for each metric that it declares");
  for (std::size_t i = 0; i < entry_.metrics.size(); ++i) {
    const bool is_known =
        !has_none && round.reading.operations >= entry_.metrics[i].needs && !std::isnan(own[i]);
    round.reading.own.push_back(is_known ? std::optional(own[i]) : std::nullopt);
  }
  watch_.Enter(Phase::kOther, name, nullptr);
  in_round_ = false;
  return round;
} catch (const std::bad_alloc&) {
  throw;
} catch (const RoundFailure&) {
  throw;
} catch (const std::exception& error) {
  throw RoundFailure(
      fmt::format("{}: the workload threw an exception: {}", entry_.name, error.what()));
}

void Session::Close() {
  watch_.Enter(Phase::kStop, "", nullptr);
  scheduler_.reset();
  watch_.Enter(Phase::kEnd, "", nullptr);
  workload_.reset();
  watch_.Enter(Phase::kOther, "", nullptr);
}

}  // namespace schedbench::harness
