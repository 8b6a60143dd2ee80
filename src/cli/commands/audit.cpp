#include "harness/audit/audit.hpp"

#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/output/observed_run.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/measure_cells.hpp"
#include "platform/process/interrupt.hpp"
#include "stats/order_statistics.hpp"
#include "stats/ratio.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr auto kAuditForFlag =
    TimeFlag{"--for", "", "TIME", "How long each scheduler is observed, at least one round"}
        .Default("2s");

constexpr auto kAuditFlags =
    FlagsOf(kAuditForFlag,
            kBlocksFlag.Checked(kAnyRounds)
                .Usually("10, or as many as the intervals need; 0: no comparison"),
            kWorkersFlag, kSeedFlag, kRoundLimitFlag, kPerturbationFlags, kOutputFlags);

constexpr std::string_view kAuditDetails =
    R"(Shows what a benchmark measures. WORKLOAD is a workload with its parameters, WHAT a scheduler with
settings, a pattern (WorkStealing_*), or a config; without WHAT: fast work_stealing global_fifo.

First, each scheduler runs the workload in this process and is observed for the time of --for. The
wall time of its workers is split by
  samples         the stack of each worker, at fixed intervals of its CPU time
  snapshots       what a blocked worker is blocked in, about a thousand times a second
  the kernel      the CPU time of each worker, and the time that it waited for a CPU
  the scheduler   the time that its workers were parked
Then the schedulers are compared by throughput, in agents, as compare does.

The report has the shares, states what dominates and whether the benchmark distinguishes the
schedulers, and prints the command of a version that shows more of the scheduler, if there is one.

Code of a scheduler of yours outside of namespace schedbench counts as the workload's where a worker
runs it between two tasks.
)";

constexpr std::array<std::string_view, 3> kDefaultSchedulers{"fast", "work_stealing",
                                                             "global_fifo"};

std::uint32_t AuditBlocksOf(const Arguments& arguments, std::size_t alternatives) {
  if (alternatives < 2) {
    return 0;
  }
  const double level = stats::LevelOfEach(harness::kJointLevel, alternatives - 1);
  const auto needed = static_cast<std::uint32_t>(stats::SmallestSampleWithInterval(level));
  return arguments[kBlocksFlag].value_or(std::max(needed, std::uint32_t{10}));
}

// Returns the comparison of the schedulers. Throws config::InputError.
harness::ComparisonPlan AuditPlanOf(const Arguments& arguments) {
  config::Problems problems;
  harness::ComparisonPlan plan;
  const std::string& text = arguments.words.front();
  const auto workload = ChooseWorkload(text, problems, "");
  std::vector<std::string> words(arguments.words.begin() + 1, arguments.words.end());
  if (words.empty()) {
    words.assign(kDefaultSchedulers.begin(), kDefaultSchedulers.end());
    std::erase_if(words,
                  [](const std::string& name) { return registry::FindScheduler(name) == nullptr; });
  }
  plan.alternatives = AlternativesAndPeers(arguments, words, arguments[kWorkersFlag], problems);
  problems.ThrowIfAny();
  plan.workloads.push_back(Compared(*workload, text));
  plan.metrics = {"throughput"};
  SetExtent(arguments, 0, plan);
  plan.blocks = AuditBlocksOf(arguments, plan.alternatives.size());
  plan.rounds = 1;
  return plan;
}

// Returns the flags that change what is measured.
std::string TextOfFlags(const Arguments& arguments) {
  std::string flags;
  for (const Flag& flag : FlagsOf(kWorkersFlag, kPerturbationFlags)) {
    if (arguments.Has(flag)) {
      flags += fmt::format(" {}", flag.name);
      flags += flag.value.empty() ? "" : " " + arguments.Values(flag).back();
    }
  }
  return flags;
}

bool AnyFailed(const harness::ExperimentData& data) {
  return !data.series.empty() &&
         std::ranges::any_of(data.series.front(),
                             [](const harness::Series& series) { return !series.failure.empty(); });
}

ExitCode RunAudit(const Arguments& arguments) {
  harness::ComparisonPlan plan = AuditPlanOf(arguments);
  const harness::ComparedWorkload& workload = plan.workloads.front();
  config::Problems problems;
  const auto runs = VectorOf(plan.alternatives, [&](const harness::Alternative& alternative) {
    return RunPlanOf(alternative, workload, plan, problems);
  });
  problems.ThrowIfAny();
  const Delivery delivery = Delivery::Of<report::AuditResult>(arguments);
  harness::AuditResult result{.workload = workload.entry,
                              .workload_text = workload.name,
                              .flags = TextOfFlags(arguments),
                              .schedulers = {},
                              .plan = std::move(plan),
                              .data = {},
                              .comparison = {},
                              .machine = platform::ThisMachine(),
                              .complete = true,
                              .command = arguments.command_line};
  const platform::KeptInterrupts kept;  // a signal between two runs belongs to the next run
  const Perturbations perturbations(arguments);
  result.perturbed = perturbations.Text();
  {
    ProgressLine line(arguments);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      line.Update(i, runs.size());
      const auto deliver = [&] {
        line.Stop();
        result.complete = false;
        delivery.Deliver(result);
      };
      const std::string finished = fmt::format("{} of {} schedulers were observed", i, runs.size());
      result.schedulers.push_back(Audited(result.plan.alternatives[i].name,
                                          ObservedRun(runs[i], arguments[kAuditForFlag],
                                                      {.blocked_calls = true}, deliver, finished)));
    }
    line.Stop();
  }
  if (result.plan.blocks > 0) {
    platform::InterruptibleEvent interrupt;
    result.data = MeasureShown(arguments, harness::ExperimentOf(result.plan),
                               std::bind_front(&platform::InterruptibleEvent::HasCome, &interrupt));
    result.complete = result.data.complete;
    result.comparison = harness::Analyse(result.plan, result.data, {.of_all = 0.02});
  }
  result.complete = result.complete && !kept.Any();
  delivery.Deliver(result);
  if (!result.complete || kept.Any()) {
    return ExitCode::kInterrupted;
  }
  return AnyFailed(result.data) ? ExitCode::kWrongAnswer : ExitCode::kDone;
}

const CommandRegistration kAudit{{
    .place = 80,
    .name = "audit",
    .summary = "show what a benchmark measures",
    .words = {"WORKLOAD [WHAT...]", 1, 100, Names::kAudited,
              [](const std::vector<std::string>& words) {
                return words.empty() ? words : ConfigsOf({words.begin() + 1, words.end()});
              }},
    .flags = kAuditFlags,
    .details = kAuditDetails,
    .examples =
        R"(  schedbench audit single_spawner
  schedbench audit yield:preset=small fast fast:lifo_limit=0
  schedbench audit merge_sort:preset=full global_fifo 'WorkStealing_*' --for 5s -o audit.json
)",
    .run = &RunAudit,
}};

}  // namespace

}  // namespace schedbench::cli
