#include "cli/command.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/sampling.hpp"
#include "cli/flags/slo.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/outcome.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "config/problems.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "harness/slo_search.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"
#include "platform/signals/crash_handler.hpp"
#include "profile/symbolize.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/replay.hpp"
#include "report/slo/slo_report.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr Flag kPerfFlag{
    "--perf", "", "FILE",
    "Also sample the workers, and write their stacks there as perf script does"};

constexpr Flag kTraceFlag = Flag{"--trace", "", "FILE",
                                 "Also record what each worker does, and write the last 50 ms "
                                 "there: a .pftrace, .json or .html"}
                                .Checked(kTraceFile);

constexpr std::array kRunFlags{
    kConfigFlag,    kSchedulerFlag, kSetFlag,     kWorkersFlag, kWorkloadFlag, kRoundsFlag,
    kWarmupFlag,    kSeedFlag,      kTimeoutFlag, kSloFlag,     kPerfFlag,     kTraceFlag,
    kFrequencyFlag, kClockFlag,     kFormatFlag,  kOutputFlag,  kQuietFlag};

constexpr std::string_view kRunDetails =
    R"(What is given later wins: of several --config files, of --set over them, of a flag given twice;
--workers over all of them.
"workers": 0, the default, means one worker per CPU that the process may use.

Each round lets the workload do its fixed amount of work once and checks its answer. Figures are medians over
the rounds with their exact 95 % interval; fewer than 6 rounds have none, and show the range.

A run in which nothing happens for the time of --timeout is given up with exit code 4: DEADLOCK (all that is unfinished
waits: which fibers, for what, who holds it, in which cycle), LOST TASKS (the scheduler sleeps on work), LOST WAKE-UP
(nothing is left to do, and the scheduler does not say so) or STALL (a task does not end, or the workload's preparation
or check: what each thread does). Set 0 where single ones of these take longer than that.

--slo looks for the largest rate of an open load, its parameter `rate`, at which all limits given hold and the load is kept
(backlog_growth): it doubles or halves the given rate, from a sixteenth of it on, until it has one that holds and one that
does not, then halves what lies between until they are 2 % apart. A latency is mean, p50, p99 or p99.9, a time has the unit
ns, us, ms or s. Each rate is judged by the medians of 5 rounds (--rounds) after 1 of warm-up (--warmup), and told on stderr.
The exit code is 0 also where no rate holds.

--perf samples as schedbench profile does, at the rate of --frequency; --trace records as schedbench trace does. The figures
then have the cost of that in them: the result says so ("observed" in JSON), and is not for comparison.

Ctrl-C reports the rounds so far, with "complete": false, and exits with code 130; a second one ends at once.

Examples:
  schedbench run --config fast.json --workload pingpong
  schedbench run --config fast.json --set workers=1 --set lifo_limit=0 --workload pingpong:pairs=8,hint=next
  schedbench run --scheduler global_fifo --workload spawn_join:tasks=100000,from=outside --rounds 40
  schedbench run --config fast.json --workload yield --seed 1729 -o result.json
  schedbench run --config fast.json --workload yield --perf yield.perf.txt
  schedbench run --config fast.json --workload burst --trace burst.pftrace
  schedbench run --config fast.json --workload open_loop:service_ns=50000 --slo 'p99<1ms' --slo 'mean<200us'
)";

// A crash from now on tells how to repeat the run, with the program's own path and the seed that was drawn.
void RegisterReplayCommand(const Arguments& arguments, std::uint64_t seed) {
  std::vector<std::string> command = arguments.command_line;
  command.front() = arguments.program;
  platform::SetReplayCommand(report::ReplayCommand(command, seed));
}

// A search does many runs, each of a rate that is only to be judged: fewer rounds than of a run, where nothing else is said.
harness::RunPlan SearchPlan(const Arguments& arguments, harness::RunPlan plan) {
  plan.rounds = arguments.Has(kRoundsFlag) ? plan.rounds : 5;
  plan.warmup = arguments.Has(kWarmupFlag) ? plan.warmup : 1;
  return plan;
}

// What has no effect would pass for something that was measured.
void RefuseSamplingWithoutUse(const Arguments& arguments, config::Problems& problems) {
  for (const Flag* const flag : {&kFrequencyFlag, &kClockFlag}) {
    if (arguments.Has(*flag) && !arguments.Has(kPerfFlag)) {
      problems.Add(std::string(flag->name), "", "has no effect without --perf FILE");
    }
  }
  const auto perf = arguments.Value(kPerfFlag);
  if (perf && (*perf == "-" || IsSameFile(*perf, arguments.Value(kOutputFlag).value_or("")))) {
    problems.Add(std::string(kPerfFlag.name), "", "needs a file of its own");
  }
  if (perf && arguments.Has(kSloFlag)) {
    problems.Add(std::string(kPerfFlag.name), "", "samples one run, and --slo does many");
  }
}

// Where --trace is given: what it asks for.
std::optional<TraceOptions> TracingFromFlags(const Arguments& arguments,
                                             const harness::RunPlan& plan,
                                             config::Problems& problems) {
  const auto path = arguments.Value(kTraceFlag);
  if (!path) {
    return std::nullopt;
  }
  for (const Flag* const flag : {&kSloFlag, &kPerfFlag}) {
    if (arguments.Has(*flag)) {
      problems.Add(std::string(kTraceFlag.name), "",
                   fmt::format("does not go together with {}", flag->name));
    }
  }
  if (IsSameFile(*path, arguments.Value(kOutputFlag).value_or(""))) {
    problems.Add(std::string(kTraceFlag.name), "", "needs a file of its own");
  }
  CheckRecordsEvents(plan, problems);
  return TraceOptions{.files = {TraceFileOf(*path)}};
}

harness::Outcome Measured(const harness::RunPlan& plan, const harness::Progress& progress) {
  return harness::RunInterruptibly(plan,
                                   [&](harness::Recorder& recorder, harness::WatchPoint& watch) {
                                     return harness::ExecutePlan(plan, recorder, progress, watch);
                                   });
}

void WritePerfFile(const std::string& path, const Arguments& arguments, const SampledRun& run,
                   const profile::SamplerOptions& sampling) {
  const profile::StackProfile profile =
      profile::Symbolized(run.sampling->Raw(), profile::Show::kOwn);
  platform::WriteFileWhole(path, PerfText(profile, run, sampling, {}, arguments.command_line));
  Say(fmt::format("{}: {}\n", path, SamplingText(run.report, sampling)));
}

// Searches for the largest rate of the plan's open load at which the limits hold. Reports each rate on stderr.
ExitCode RunSloSearch(const Arguments& arguments, const harness::RunPlan& plan,
                      const std::vector<harness::LatencyLimit>& limits) {
  const Delivery delivery(arguments);
  const bool is_quiet = arguments.Has(kQuietFlag);
  const report::TerminalStyle look{.unicode = platform::TakesUtf8(), .colour = false};
  harness::SloSearch search(plan, limits);
  const auto tell = [&](const harness::LoadProbe& probe) {
    if (!is_quiet) {
      Say(report::ProbeLine(*plan.workload, limits, probe, look) + "\n");
    }
  };
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [&](harness::Recorder& /*recorder*/, harness::WatchPoint& watch) {
        return search.Execute(tell, watch);
      });
  outcome.result.command = arguments.command_line;
  const harness::SloResult result = search.Take(outcome);
  DeliverOutcome(
      outcome,
      [&] {
        delivery.Deliver(
            [&result](const report::Format& format, const report::TerminalStyle& its_look) {
              return format.render_slo(result, its_look);
            });
      },
      report::Plural(result.probes.size(), "rate") + " tried to the end");
  return ExitCode::kDone;
}

ExitCode Run(const Arguments& arguments) {
  const harness::RunPlan plan = PlanFromFlags(arguments);
  config::Problems problems;
  const auto limits = LimitsFromFlags(arguments, *plan.workload, plan.parameters, problems);
  const profile::SamplerOptions sampling = SamplingFromFlags(arguments);
  RefuseSamplingWithoutUse(arguments, problems);
  const std::optional<TraceOptions> tracing = TracingFromFlags(arguments, plan, problems);
  problems.ThrowIfAny();
  RegisterReplayCommand(arguments, plan.seed);
  if (!limits.empty()) {
    return RunSloSearch(arguments, SearchPlan(arguments, plan), limits);
  }
  const Delivery delivery(arguments);
  const auto perf = arguments.Value(kPerfFlag);
  if (perf) {
    platform::CheckWritable(*perf);
  }
  if (tracing) {
    platform::CheckWritable(tracing->files.front().path);
  }
  ProgressLine line(arguments);
  const harness::Progress progress = line.Updates();
  std::optional<TracedRun> traced;
  std::optional<SampledRun> sampled;
  std::optional<harness::Outcome> measured;
  harness::Outcome& outcome =
      tracing ? traced.emplace(RunTraced(plan, *tracing, progress)).outcome
      : perf  ? sampled.emplace(RunSampled(plan, sampling, false, progress)).outcome
              : measured.emplace(Measured(plan, progress));
  line.Stop();
  outcome.result.command = arguments.command_line;
  if (outcome.ending == harness::Ending::kComplete && outcome.unfinished_fibers > 0) {
    Say(fmt::format("warning: {} {} never finished\n{}", outcome.unfinished_fibers,
                    outcome.unfinished_fibers == 1 ? "fiber" : "fibers", outcome.result.diagnosis));
  }
  DeliverOutcome(outcome, [&] {
    delivery.Deliver([&](const report::Format& format, const report::TerminalStyle& look) {
      return format.render(outcome.result, look);
    });
    if (perf) {
      WritePerfFile(*perf, arguments, *sampled, sampling);
    }
    if (tracing) {
      DeliverTrace(arguments, plan, *tracing, *traced, [](std::string_view text) {
        Say(text);
      });
    }
  });
  return ExitCode::kDone;
}

}  // namespace

const Command kRunCommand{
    .name = "run",
    .summary = "measure a scheduler under a workload",
    .flags = kRunFlags,
    .details = kRunDetails,
    .run = &Run,
};

}  // namespace schedbench::cli
