#include "harness/runner.hpp"

#include "base/assert.hpp"
#include "metrics/metric_list.hpp"
#include "platform/clock.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

using Readings = std::vector<registry::WorkerReading>;

std::uint64_t ParkedNs(const Readings& readings) {
  static const std::size_t park_ns = metrics::MetricIndex("park_ns");
  std::uint64_t sum = 0;
  for (const registry::WorkerReading& reading : readings) {
    sum += reading.values[park_ns];
  }
  return sum;
}

// How many workers there are all the time; 0 where threads come and go.
std::uint32_t LastingWorkers(const Readings& readings) {
  static const std::size_t threads_peak = metrics::MetricIndex("threads_peak");
  const bool lasting = std::ranges::all_of(readings, [&](const registry::WorkerReading& reading) {
    return reading.values[threads_peak] == 0;
  });
  return lasting ? static_cast<std::uint32_t>(readings.size()) : 0;
}

// What the workers counted between two moments.
void Subtract(const Readings& earlier, const Readings& later, MeasuredRound& round) {
  for (std::size_t i = 0; i < later.size(); ++i) {
    round.workers.push_back(metrics::Since(earlier[i].values, later[i].values));
    metrics::HistogramSnapshot latencies = later[i].wakeup_ticks;
    latencies.Subtract(earlier[i].wakeup_ticks);
    round.reading.wakeup_ticks.Add(latencies);
  }
}

// One round after its Prepare(). The workers are read while they are idle, before and after, so that what
// they counted adds up; and once at the end of the timed part, which is what the idle share is about.
MeasuredRound Measure(registry::IScheduler& scheduler, registry::IWorkload& workload,
                      const std::string& name, WatchPoint& watch) {
  MeasuredRound round;
  watch.Enter(Phase::kRun, name, &scheduler);
  const std::uint64_t outside_before = scheduler.SubmittedFromOutside();
  const Readings before = scheduler.ReadWorkers();
  const std::uint64_t cpu_start = platform::ProcessCpuNs();
  const std::uint64_t start = platform::NowNs();

  round.reading.operations = workload.Run(scheduler);

  round.reading.wall_ns = platform::NowNs() - start;
  round.reading.cpu_ns = platform::ProcessCpuNs() - cpu_start;
  round.reading.parked_ns = ParkedNs(scheduler.ReadWorkers()) - ParkedNs(before);
  watch.Enter(Phase::kWaitIdle, name, &scheduler);
  scheduler.WaitIdle();
  watch.Enter(Phase::kVerify, name, nullptr);
  const Readings after = scheduler.ReadWorkers();
  round.submitted_from_outside = scheduler.SubmittedFromOutside() - outside_before;
  round.reading.workers = LastingWorkers(after);
  Subtract(before, after, round);
  return round;
}

std::string RoundName(const RunPlan& plan, std::uint32_t done) {
  return done < plan.warmup ? fmt::format("warm-up round {}", done + 1)
                            : fmt::format("round {}", done - plan.warmup + 1);
}

std::string RunRounds(const RunPlan& plan, registry::IScheduler& scheduler,
                      registry::IWorkload& workload, Recorder& recorder, const Progress& progress,
                      WatchPoint& watch) {
  const std::uint32_t all = plan.warmup + plan.rounds;
  for (std::uint32_t done = 0; done < all; ++done) {
    const bool warming_up = done < plan.warmup;
    const std::string name = RoundName(plan, done);
    watch.Enter(Phase::kOther, name, nullptr);
    progress(done, all, warming_up);
    watch.Enter(Phase::kPrepare, name, nullptr);
    workload.Prepare();
    MeasuredRound round = Measure(scheduler, workload, name, watch);
    const std::string wrong = workload.Verify();
    if (!wrong.empty()) {
      return fmt::format("{}: wrong answer in {}: {}", plan.workload->name, name, wrong);
    }
    round.reading.own = workload.Figures();
    SB_ASSERT(round.reading.own.size() == plan.workload->figures.size(),
              "a workload has one value for each figure that it declares");
    if (!warming_up) {
      recorder.Add(round);
    }
  }
  watch.Enter(Phase::kOther, "", nullptr);
  progress(all, all, false);
  return "";
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

// Keeps both as they are until the process ends: who gave a wrong answer may have lost a task, and to wait for
// its end may take for ever.
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

std::string ExecutePlan(const RunPlan& plan, Recorder& recorder, const Progress& progress,
                        WatchPoint& watch) {
  watch.Enter(Phase::kMakeWorkload, "", nullptr);
  auto workload = MakeOrThrow("workload", plan.workload->name, [&plan] {
    return plan.workload->make(plan.parameters, plan.seed);
  });
  watch.Enter(Phase::kMakeScheduler, "", nullptr);
  auto scheduler = MakeOrThrow("scheduler", plan.scheduler->name, [&plan] {
    return plan.scheduler->make(plan.config, plan.seed);
  });
  std::string failure;
  try {
    failure = RunRounds(plan, *scheduler, *workload, recorder, progress, watch);
  } catch (const std::bad_alloc&) {
    Abandon(std::move(scheduler), std::move(workload));
    throw;
  } catch (const std::exception& error) {
    failure =
        fmt::format("{}: the workload threw an exception: {}", plan.workload->name, error.what());
  }
  if (!failure.empty()) {
    watch.Enter(Phase::kOther, "", nullptr);
    Abandon(std::move(scheduler), std::move(workload));
    return failure;
  }
  watch.Enter(Phase::kStop, "", nullptr);
  scheduler.reset();
  watch.Enter(Phase::kEnd, "", nullptr);
  workload.reset();
  watch.Enter(Phase::kOther, "", nullptr);
  return failure;
}

}  // namespace schedbench::harness
