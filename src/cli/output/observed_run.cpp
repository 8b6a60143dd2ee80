#include "cli/output/observed_run.hpp"

#include "cli/output/output.hpp"
#include "config/settings_json.hpp"
#include "metrics/metric_list.hpp"
#include "platform/threads/worker_stalls.hpp"
#include "profile/symbolized_profile.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace schedbench::cli {

harness::RunPlan RunPlanOf(const harness::Alternative& alternative,
                           const harness::ComparedWorkload& workload, const harness::Extent& extent,
                           config::Problems& problems) {
  const registry::SchedulerEntry& scheduler = *registry::FindScheduler(alternative.scheduler);
  config::Settings config =
      config::SettingsFromJson(scheduler.schema(), alternative.config, alternative.name, problems);
  registry::ResolveWorkers(config);
  return {.scheduler = &scheduler,
          .config = std::move(config),
          .workload = workload.entry,
          .parameters = config::SettingsFromJson(workload.entry->schema(), workload.parameters,
                                                 workload.name, problems),
          .rounds = 1,
          .warmup = 1,
          .seed = extent.seed,
          .timeout = extent.limit};
}

SampledRun ObservedRun(harness::RunPlan plan, std::chrono::nanoseconds time,
                       const profile::Observe& observe, const std::function<void()>& deliver,
                       const std::string& finished) {
  const profile::SamplerOptions options;
  const auto run = [&](const harness::RunPlan& to_run) {
    const harness::Progress silent = [](auto...) {};
    const std::uint64_t stalled_before = platform::StalledNs();
    SampledRun sampled = RunSampled(to_run, options, observe, silent);
    sampled.stalled_ns = platform::StalledNs() - stalled_before;
    if (sampled.outcome.ending != harness::Ending::kComplete) {
      DeliverOutcome(sampled.outcome, deliver, finished);
    }
    return sampled;
  };
  // A short run shows how many rounds fill the time.
  const SampledRun first = run(plan);
  const auto round_ns = std::max<std::uint64_t>(first.outcome.result.WallNs(), 1);
  const auto wanted_ns = static_cast<std::uint64_t>(time.count());
  constexpr std::uint64_t kMostRounds = 1'000'000;
  plan.rounds =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted_ns / round_ns, 1, kMostRounds));
  return run(plan);
}

namespace {

// Returns how often tasks waited in the kernel; 0 where parks, which are other waits, are not
// counted.
std::uint64_t BlockingCalls(const harness::RunResult& result) {
  const std::size_t voluntary = harness::RoundMetricIndex("voluntary_switches");
  double switches = 0;
  for (const harness::Round& round : result.rounds) {
    switches += round.metrics[voluntary].value_or(0) * static_cast<double>(round.operations);
  }
  const auto parks = static_cast<double>(result.total[metrics::MetricIndex("parks")]);
  return static_cast<std::uint64_t>(std::max(0.0, switches - parks));
}

}  // namespace

harness::AuditedScheduler Audited(const std::string& name, const SampledRun& run) {
  const harness::RunResult& result = run.outcome.result;
  const profile::StackProfile named = profile::Symbolized(run.sampling->Raw(), profile::Show::kOwn);
  const bool threads_vary = result.ThreadsComeAndGo();
  const auto workers = static_cast<std::uint32_t>(result.workers.size());
  const std::size_t idle = harness::RoundMetricIndex("idle_share");
  const bool measures_idle = !threads_vary && result.summary[idle].spread.has_value();
  const std::uint64_t parked_ns = result.total[metrics::MetricIndex("park_ns")];
  const profile::BlockedCounts blocked = run.sampling->Blocked();
  return {.name = name,
          .split = harness::SplitTime(
              {.samples = named,
               .workers = run.report.times,
               .blocked = blocked,
               .rounds_ns = result.WallNs() * workers,
               .threads_vary = threads_vary,
               .parked_ns = measures_idle ? std::optional(parked_ns) : std::nullopt,
               .stalled_ns = run.stalled_ns,
               .blocking_calls = measures_idle ? BlockingCalls(result) : 0,
               .cpu_ns_of_blocking_call = harness::CpuNsOfBlockingCall()}),
          .workers = threads_vary ? 0 : workers,
          .rounds = static_cast<std::uint32_t>(result.rounds.size()),
          .wall_ns = result.WallNs(),
          .samples = run.report.samples,
          .looks = blocked.looks};
}

}  // namespace schedbench::cli
