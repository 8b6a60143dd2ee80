#include "cli/flags/sampling.hpp"

#include "harness/session.hpp"
#include "profile/perf_script.hpp"
#include "report/parts/replay.hpp"

#include <set>

namespace schedbench::cli {

namespace {

using platform::SampleClock;

constexpr std::uint64_t kSecond = 1'000'000'000;

// Returns perf's name of the event: with "u" if samples show user code only.
std::string_view EventName(const profile::SamplingReport& report) {
  if (report.clock == SampleClock::kCpuTimer) {
    return "cpu-timer";
  }
  return report.sees_kernel ? "task-clock" : "task-clock:u";
}

}  // namespace

profile::SamplerOptions SamplingFromFlags(const Arguments& arguments) {
  const std::uint64_t hz = arguments[kFrequencyFlag];
  profile::SamplerOptions options{.period_ns = (kSecond + hz / 2) / hz, .clock = std::nullopt};
  if (const auto clock = arguments[kClockFlag]; clock != "auto") {
    options.clock = clock == "perf" ? SampleClock::kTaskClock : SampleClock::kCpuTimer;
  }
  return options;
}

SampledRun RunSampled(const harness::RunPlan& plan, const profile::SamplerOptions& options,
                      const profile::Observe& observe, const harness::Progress& progress) try {
  auto sampling = std::make_shared<profile::WorkerSampling>(options, observe);
  // Capture by value: the thread of an interrupted run continues, and calls this after our return.
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [plan, sampling, progress](harness::Recorder& recorder, harness::WatchPoint& watch) {
        const harness::Progress sampled = [&](std::uint32_t done, std::uint32_t of,
                                              bool warming_up) {
          if (done == plan.warmup) {
            sampling->Restart();
          }
          if (done == of) {
            sampling->Stop();  // before the workers end
          }
          progress(done, of, warming_up);
        };
        return harness::ExecutePlan(plan, recorder, sampled, watch);
      });
  const profile::SamplingReport report = sampling->Stop();
  outcome.result.observed = fmt::format("sampled at {} Hz by the {}",
                                        (kSecond + options.period_ns / 2) / options.period_ns,
                                        platform::ToText(report.clock));
  return {.outcome = std::move(outcome),
          .period_ns = options.period_ns,
          .report = report,
          .sampling = std::move(sampling)};
} catch (const profile::SamplingRefused& refused) {
  throw harness::SetupError(refused.what());
}

profile::ProfiledRun Profiled(const SampledRun& run, profile::Show show,
                              profile::InlinedLeaves leaves) {
  const profile::Census& waits = run.sampling->Waits();
  return {.cpu = profile::Symbolized(run.sampling->Raw(), show, leaves),
          .waiting = profile::Symbolized(waits.Waiting(), show, leaves),
          .ready = profile::Symbolized(waits.Ready(), show, leaves),
          .report = run.report,
          .period_ns = run.period_ns};
}

std::string SamplingText(const SampledRun& run, const profile::StackProfile& profile) {
  const profile::SamplingReport& report = run.report;
  const double requested = 1e9 / static_cast<double>(run.period_ns);
  const double share = report.cpu_ns == 0 ? 0
                                          : static_cast<double>(report.weight_ns) /
                                                static_cast<double>(report.cpu_ns);
  const double cpu_s = static_cast<double>(report.cpu_ns) / 1e9;
  std::string text = fmt::format(
      "{}, {:.0f} Hz requested; {} samples cover {:.1f} % of {:.3f} s of CPU time; {} lost, {} "
      "truncated, {} without the function of their fiber",
      platform::ToText(report.clock), requested, report.samples, 100 * share, cpu_s, report.lost,
      report.truncated, profile.without_root);
  if (!report.sees_kernel) {
    text += "; samples exclude time in the kernel (perf_event_paranoid)";
  }
  if (!report.refusal.empty()) {
    text += "; refused: " + report.refusal;
  }
  if (report.unsampled > 0) {
    text += fmt::format("; {} {} not sampled: {} (limits: ulimit -n)", report.unsampled,
                        report.unsampled == 1 ? "thread was" : "threads were", report.refused);
  }
  // Each thread has a time. More times than workers mean that threads came and went.
  std::set<std::uint32_t> workers;
  for (const profile::WorkerTime& time : report.times) {
    workers.insert(time.worker);
  }
  constexpr double kEnough = 0.95;
  if (share < kEnough && report.times.size() > workers.size()) {
    text += "; threads that end before their first sample are underrepresented: try a larger -F";
  }
  return text;
}

std::string TitleOf(const harness::RunPlan& plan) {
  return fmt::format("{} on {}", plan.workload->name, plan.scheduler->name);
}

std::string PerfText(const profile::StackProfile& profile, const SampledRun& run,
                     const profile::Roots& roots, const std::vector<std::string>& command) {
  const harness::RunPlan& plan = run.outcome.result.plan;
  const std::vector<std::string> about{"schedbench: " + TitleOf(plan), SamplingText(run, profile),
                                       "command: " + report::ReplayCommand(command, plan.seed)};
  std::string text;
  profile::WritePerfScript(profile, EventName(run.report), about, roots,
                           [&text](std::string_view part) { text += part; });
  return text;
}

}  // namespace schedbench::cli
