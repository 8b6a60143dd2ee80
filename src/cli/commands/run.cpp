#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/sampling.hpp"
#include "cli/flags/suites.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/completed_run.hpp"
#include "cli/results/measure_cells.hpp"
#include "config/settings.hpp"
#include "config/suggest.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/slo_search.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/signals/crash_handler.hpp"
#include "profile/symbolized_profile.hpp"
#include "registry/workload.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/replay.hpp"
#include "report/slo/slo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kPerfFlag =
    TextFlag{"--perf", "", "FILE",
             "Also sample the workers, and write their stacks in the format of perf script"}
        .Writes();

constexpr auto kTraceFlag = TextFlag{"--trace", "", "FILE",
                                     "Also record the events of each worker, and write the last 50 "
                                     "ms: a .pftrace, .json or .html"}
                                .Checked(kTraceFile)
                                .Writes();

constexpr auto kSloFlag =
    TextFlag{"--slo", "", "LATENCY<TIME",
             "Search for the largest rate of an open load at which this holds: p99.9<200us"}
        .Repeatable();

constexpr auto kRunFlags = FlagsOf(
    kPlanFlags, kSchedulerFlag.Taking("NAME|all"),
    kWorkloadFlag.Described(kWorkloadOrSuiteDoc).Completed(Names::kWorkloadOrSuite), kSloFlag,
    kPerfFlag, kTraceFlag, kSamplingFlags, kPerturbationFlags, kOutputOfRoundsFlags);

constexpr std::string_view kRunDetails =
    R"(Later options override earlier ones: a --config those before it, and a repeated flag its earlier
value. --set overrides all --config files, and --workers overrides both.
"workers": 0, the default, means one worker per CPU that the process may use, and no more than the
quota of CPU time of its container pays for, rounded up.

Each round runs the fixed amount of work of the workload once and checks the answer. Metrics are
medians over the rounds with their exact 95 % interval. Fewer than 6 rounds have no interval and
show the range.

If nothing happens for the time of --timeout, the run ends with exit code 4 and reports one of:
  DEADLOCK      all unfinished fibers wait: which, for what, held by which fiber, in which cycle
  LOST TASKS    all workers are parked although tasks are queued
  LOST WAKE-UP  all tasks have ended, but the scheduler does not report it
  STALL         a task, or the workload's preparation or check, does not end: what each thread does
Set --timeout 0 if a single one of these takes longer.

--slo searches for the largest rate of an open load, its parameter `rate`, at which all given limits
hold and the scheduler keeps up (backlog_growth). It starts at the given rate and doubles or halves
it, down to a sixteenth, until one rate holds and one does not. Then it halves the interval between
the two until they are 2 % apart. A latency is mean, p50, p99 or p99.9; a time has the unit ns, us,
ms, s, m or h. The medians of 5 rounds (--rounds) after 1 warm-up round (--warmup) decide on each
rate, which is reported on stderr. The exit code is 0 also if no rate holds.

--perf samples as schedbench profile does, at the rate of --frequency; --trace records as schedbench
trace does, and prints its summary: wasted core time, fairness, the longest waits. The metrics then
include the cost of that. The result reports it ("observed" in JSON); do not compare it with others.

A suite, or --scheduler all, runs every scheduler under every workload: each pair once, in a process
of its own, with 1 warm-up round and 3 measured ones. A pair that fails has a line with the reason,
the others continue, and the exit code is 4. A scheduler that refuses the size of a workload is
reported and is not a failure. schedbench list suites

Ctrl-C reports the finished rounds, with "complete": false, and exits with code 130; a second Ctrl-C
ends at once.
)";

std::vector<std::string_view> OpenLoads() {
  return VectorOf(registry::Workloads() | std::views::filter(&registry::WorkloadEntry::open_load),
                  &registry::WorkloadEntry::name);
}

// Returns the text's limit for a workload with an open load. None, and a problem, if it is wrong.
std::optional<harness::LatencyLimit> LimitOf(const std::string& text,
                                             const registry::WorkloadEntry& workload,
                                             const config::Settings& parameters,
                                             config::Problems& problems) {
  const auto wrong = [&](const std::string& message) {
    Reject(problems, PlaceOf(kSloFlag, text), "{}", message);
    return std::nullopt;
  };
  const std::size_t sign = text.find('<');
  if (sign == std::string::npos || sign == 0) {
    return wrong(
        fmt::format("{} is not a limit: expected LATENCY<TIME, such as p99<200us or mean<1.5ms",
                    config::Quoted(text)));
  }
  const std::string name = text.substr(0, sign);
  const registry::OpenLoad& load = *workload.open_load;
  const auto* const latency = FindByName(load.latencies, name);
  if (latency == nullptr) {
    return wrong(fmt::format("unknown latency {}{}", config::Quoted(name),
                             config::DidYouMean(name, NamesOf(load.latencies))));
  }
  const auto metrics = harness::MetricsOf(workload);
  const auto metric = std::ranges::find(metrics, latency->metric, &registry::Metric::name);
  const auto operations = std::get<std::uint64_t>(parameters.Get(load.operations));
  if (operations < (*metric)->needs) {
    return wrong(fmt::format("{} needs {} {}s in a round; there are {}    try --workload {}:{}={}",
                             name, (*metric)->needs, workload.operation, operations, workload.name,
                             load.operations, (*metric)->needs));
  }
  const std::string time = text.substr(sign + 1);
  const auto below_ns = ParseNanoseconds(time);
  if (!below_ns || *below_ns <= 0) {
    const std::string missing = MissingUnit(time, {"us", "ms", "s"});
    return wrong(!missing.empty()
                     ? missing
                     : fmt::format("{} is not a time above 0; write a number and ns, us, ms, s, m "
                                   "or h",
                                   config::Quoted(time)));
  }
  return harness::LatencyLimit{.text = text,
                               .metric = static_cast<std::size_t>(metric - metrics.begin()),
                               .below_ns = *below_ns};
}

// Returns the limits of the flag. None, and problems, if they are wrong, or if this workload with
// these parameters cannot decide whether they hold.
std::vector<harness::LatencyLimit> LimitsFromFlags(const Arguments& arguments,
                                                   const registry::WorkloadEntry& workload,
                                                   const config::Settings& parameters,
                                                   config::Problems& problems) {
  std::vector<harness::LatencyLimit> limits;
  const std::vector<std::string>& values = arguments[kSloFlag];
  if (!values.empty() && workload.open_load == nullptr) {
    Reject(problems, kSloFlag,
           "workload {} has no rate; --slo needs an open load; expected one of {}", workload.name,
           fmt::join(OpenLoads(), ", "));
    return limits;
  }
  for (const std::string& text : values) {
    if (auto limit = LimitOf(text, workload, parameters, problems)) {
      limits.push_back(std::move(*limit));
    }
  }
  return limits;
}

constexpr std::string_view kAllSchedulers = "all";

// Returns the schedulers as `compare` would name them.
std::vector<std::string> SchedulerWords(const Arguments& arguments, config::Problems& problems) {
  const std::string name = arguments[kSchedulerFlag].value_or("");
  const std::vector<std::string> configs = arguments[kConfigFlag];
  const std::vector<std::string> sets = arguments[kSetFlag];
  std::vector<std::string> words = configs;
  if (!name.empty() && !configs.empty()) {
    Reject(problems, kSchedulerFlag, "cannot be combined with {} in a suite", kConfigFlag.name);
  }
  if (name == kAllSchedulers) {
    for (const registry::SchedulerEntry* const entry : registry::Schedulers()) {
      words.emplace_back(entry->name);
    }
  } else if (!name.empty() || configs.empty()) {
    words.push_back(name.empty() ? "fast" : name);
  }
  if (sets.empty()) {
    return words;
  }
  if (name == kAllSchedulers || !configs.empty()) {
    Reject(problems, kSetFlag, "in a suite only together with --scheduler NAME");
  } else {
    words.back() += fmt::format(":{}", fmt::join(sets, ","));
  }
  return words;
}

void AddCells(const std::vector<GridScheduler>& schedulers,
              const std::vector<std::string>& workloads, harness::SweepPlan& plan,
              config::Problems& problems) {
  plan.keys = {{.name = "workload", .values = {}},
               {.name = "scheduler", .values = VectorOf(schedulers, [](const auto& one) {
                                       return one.alternative.name;
                                     })}};
  for (const std::string& text : workloads) {
    const auto workload = ChooseWorkload(text, problems);
    if (!workload) {
      continue;
    }
    for (std::size_t i = 0; i < schedulers.size(); ++i) {
      plan.cells.push_back(CellOf(schedulers[i], *schedulers[i].settings, *workload));
      plan.cells.back().place = {plan.keys[0].values.size(), i};
    }
    plan.keys[0].values.push_back(text);
  }
}

// Returns whether the flags ask for several cells: a suite, or all schedulers.
bool AsksForSuite(const Arguments& arguments) {
  return arguments[kWorkloadFlag].starts_with(kSuitePrefix) ||
         arguments[kSchedulerFlag] == kAllSchedulers;
}

// Runs each scheduler under each workload of the suite, each in an agent. Throws
// config::InputError.
ExitCode RunSuite(const Arguments& arguments) {
  config::Problems problems;
  RefuseFlags(
      arguments,
      FlagsOf(kSloFlag, kPerfFlag, kTraceFlag, kFrequencyFlag, kClockFlag, kPerturbationFlags),
      "cannot be combined with a suite or with --scheduler all", problems);
  report::SweepResult result;
  result.kind = report::SweepResult::Kind::kSuite;
  harness::SweepPlan& plan = result.plan;
  const std::string text = arguments[kWorkloadFlag];
  std::vector<std::string> workloads{text};
  if (text.starts_with(kSuitePrefix)) {
    workloads = WorkloadsOfSuite(text, PlaceOf(kWorkloadFlag, text), problems);
  }
  const std::vector<GridScheduler> schedulers = GridSchedulersOf(
      AlternativesOf(SchedulerWords(arguments, problems), arguments[kWorkersFlag], problems),
      problems);
  AddCells(schedulers, workloads, plan, problems);
  problems.ThrowIfAny();
  plan.metric =
      harness::ComparedMetrics(*plan.cells.front().workload.entry, {"throughput"}).front();
  plan.blocks = 1;
  plan.rounds = arguments[kRoundsFlag].value_or(3);
  plan.warmup = arguments[kWarmupFlag].value_or(1);
  plan.seed = SeedFromFlags(arguments);
  plan.limit = arguments[kTimeoutFlag];
  plan.settles = false;
  const Delivery delivery = Delivery::Of<report::SweepResult>(arguments);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  return MeasureAndDeliver(result, arguments, delivery);
}

// Lets a crash report contain the command to repeat the run, with path and seed.
void RegisterReplayCommand(const Arguments& arguments, std::uint64_t seed) {
  std::vector<std::string> command = arguments.command_line;
  command.front() = arguments.program;
  platform::SetReplayCommand(report::ReplayCommand(command, seed));
}

// Returns a search's plan, with fewer rounds by default: it only needs a verdict on each rate.
harness::RunPlan SearchPlan(const Arguments& arguments, harness::RunPlan plan) {
  plan.rounds = arguments[kRoundsFlag].value_or(5);
  plan.warmup = arguments[kWarmupFlag].value_or(1);
  return plan;
}

// Refuses flags without effect, which would seem to have changed the measurement.
void RefuseSamplingWithoutUse(const Arguments& arguments, config::Problems& problems) {
  if (!arguments.Has(kPerfFlag)) {
    RefuseFlags(arguments, FlagsOf(kFrequencyFlag, kClockFlag), "has no effect without --perf FILE",
                problems);
  }
  const auto perf = arguments[kPerfFlag];
  if (perf == "-") {
    Reject(problems, PlaceOf(kPerfFlag, "-"), "the stacks need a file: stdout has the result");
  }
  if (perf && arguments.Has(kSloFlag)) {
    Reject(problems, kPerfFlag, "cannot be combined with --slo, which has many runs");
  }
}

// Returns none without --trace.
std::optional<TraceOptions> TracingFromFlags(const Arguments& arguments,
                                             const harness::RunPlan& plan,
                                             config::Problems& problems) {
  const auto path = arguments[kTraceFlag];
  if (!path) {
    return std::nullopt;
  }
  for (const Flag& flag : FlagsOf(kSloFlag, kPerfFlag)) {
    if (arguments.Has(flag)) {
      Reject(problems, kTraceFlag, "cannot be combined with {}", flag.name);
    }
  }
  CheckRecordsEvents(plan, problems);
  return TraceOptions{.files = {*path}, .with_summary = true};
}

void WritePerfFile(const std::string& path, const Arguments& arguments, const SampledRun& run) {
  const profile::StackProfile profile =
      profile::Symbolized(run.sampling->Raw(), profile::Show::kOwn);
  platform::WriteFileWhole(path, PerfText(profile, run, {}, arguments.command_line));
  Say(fmt::format("{}: {}\n", path, SamplingText(run, profile)));
}

// Searches the largest rate of the open load at which the limits hold; reports each on stderr.
ExitCode RunSloSearch(const Arguments& arguments, const harness::RunPlan& plan,
                      const std::vector<harness::LatencyLimit>& limits,
                      const Perturbations& perturbations) {
  const Delivery delivery = Delivery::Of<harness::SloResult>(arguments);
  const bool is_quiet = arguments[kQuietFlag];
  const report::TerminalStyle style{.unicode = platform::TakesUtf8(), .colour = false};
  harness::SloSearch search(plan, limits);
  harness::DisturbanceWatch watch;
  const auto report_probe = [&](const harness::LoadProbe& probe) {
    if (!is_quiet) {
      Say(report::ProbeLine(*plan.workload, limits, probe, style) + "\n");
    }
  };
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [&](harness::Recorder& /*recorder*/, harness::WatchPoint& watch) {
        return search.Execute(report_probe, watch);
      });
  outcome.result.command = arguments.command_line;
  outcome.result.perturbed = perturbations.Text();
  outcome.result.disturbance = watch.Look({});
  const harness::SloResult result = search.Take(outcome);
  DeliverOutcome(
      outcome, [&] { delivery.Deliver(result); },
      report::Plural(result.probes.size(), "rate") + " finished");
  return ExitCode::kDone;
}

ExitCode Run(const Arguments& arguments) {
  if (AsksForSuite(arguments)) {
    return RunSuite(arguments);
  }
  const harness::RunPlan plan = PlanFromFlags(arguments);
  config::Problems problems;
  const auto limits = LimitsFromFlags(arguments, *plan.workload, plan.parameters, problems);
  const profile::SamplerOptions sampling = SamplingFromFlags(arguments);
  RefuseSamplingWithoutUse(arguments, problems);
  const std::optional<TraceOptions> tracing = TracingFromFlags(arguments, plan, problems);
  problems.ThrowIfAny();
  RegisterReplayCommand(arguments, plan.seed);
  const Perturbations perturbations(arguments);
  if (!limits.empty()) {
    return RunSloSearch(arguments, SearchPlan(arguments, plan), limits, perturbations);
  }
  const Delivery delivery = Delivery::Of<harness::RunResult>(arguments);
  const auto perf = arguments[kPerfFlag];
  if (perf) {
    platform::CheckWritable(*perf);
  }
  if (tracing) {
    platform::CheckWritable(tracing->files.front());
  }
  ProgressLine line(arguments);
  const harness::Progress progress = line.Updates();
  harness::DisturbanceWatch watch;
  std::optional<TracedRun> traced;
  std::optional<SampledRun> sampled;
  std::optional<harness::Outcome> measured;
  harness::Outcome& outcome =
      tracing ? traced.emplace(RunTraced(plan, *tracing, progress)).outcome
      : perf  ? sampled.emplace(RunSampled(plan, sampling, {}, progress)).outcome
              : measured.emplace(MeasureRounds(plan, progress));
  line.Stop();
  outcome.result.command = arguments.command_line;
  outcome.result.perturbed = perturbations.Text();
  outcome.result.disturbance = watch.Look({});
  if (outcome.ending == harness::Ending::kComplete && outcome.unfinished_fibers > 0) {
    Say(fmt::format("warning: {} {} never finished\n{}", outcome.unfinished_fibers,
                    outcome.unfinished_fibers == 1 ? "fiber" : "fibers", outcome.result.diagnosis));
  }
  DeliverOutcome(outcome, [&] {
    // Write files first, so they exist if stdout fails. On failure still deliver the result.
    std::exception_ptr unwritten;
    try {
      if (perf) {
        WritePerfFile(*perf, arguments, *sampled);
      }
      if (tracing) {
        Say(DeliverTrace(arguments, plan, *tracing, *traced));
      }
    } catch (const platform::WriteError&) {
      unwritten = std::current_exception();
    }
    delivery.Deliver(outcome.result, unwritten);
  });
  return ExitCode::kDone;
}

const CommandRegistration kRun{{
    .place = 10,
    .name = "run",
    .summary = "measure a scheduler under a workload",
    .flags = kRunFlags,
    .details = kRunDetails,
    .examples =
        R"(  schedbench run --config fast.json --workload pingpong
  schedbench run --config fast.json --set workers=1 --workload pingpong:pairs=8,hint=next
  schedbench run --scheduler global_fifo --workload spawn_join:tasks=100000,from=outside
  schedbench run --config fast.json --workload yield --seed 1729 -o result.json
  schedbench run --config fast.json --workload yield --perf yield.perf.txt
  schedbench run --config fast.json --workload burst --trace burst.pftrace
  schedbench run --workload suite:smoke --scheduler all
  schedbench run --workload open_loop:service_ns=50000 --slo 'p99<1ms' --slo 'mean<200us'
)",
    .run = &Run,
}};

}  // namespace

}  // namespace schedbench::cli
