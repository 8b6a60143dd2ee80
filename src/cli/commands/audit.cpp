#include "harness/audit/audit.hpp"

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
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// The request of the words and flags.
struct AuditRequest {
  harness::ComparisonPlan plan;
  std::vector<harness::RunPlan> runs;  // runs of each alternative
  std::chrono::nanoseconds time{0};
};

std::uint32_t AuditBlocksOf(const Arguments& arguments, std::size_t alternatives) {
  if (alternatives < 2) {
    return 0;
  }
  const double level = stats::LevelOfEach(harness::kJointLevel, alternatives - 1);
  const auto needed = static_cast<std::uint32_t>(stats::SmallestSampleWithInterval(level));
  return arguments[kBlocksFlag].value_or(std::max(needed, std::uint32_t{10}));
}

AuditRequest AuditRequestOf(const Arguments& arguments) {
  config::Problems problems;
  AuditRequest request;
  const std::string& text = arguments.words.front();
  const auto workload = ChooseWorkload(text, problems, "");
  std::vector<std::string> words(arguments.words.begin() + 1, arguments.words.end());
  if (words.empty()) {
    words.assign(kDefaultSchedulers.begin(), kDefaultSchedulers.end());
    std::erase_if(words,
                  [](const std::string& name) { return registry::FindScheduler(name) == nullptr; });
  }
  request.plan.alternatives =
      AlternativesAndPeers(arguments, words, arguments[kWorkersFlag], problems);
  problems.ThrowIfAny();
  request.plan.workloads.push_back(Compared(*workload, text));
  request.plan.metrics = {"throughput"};
  SetExtent(arguments, 0, request.plan);
  request.plan.blocks = AuditBlocksOf(arguments, request.plan.alternatives.size());
  request.plan.rounds = 1;
  request.time = arguments[kAuditForFlag];
  for (const harness::Alternative& alternative : request.plan.alternatives) {
    request.runs.push_back(
        RunPlanOf(alternative, request.plan.workloads.front(), request.plan, problems));
  }
  problems.ThrowIfAny();
  return request;
}

void CompareAudited(harness::AuditResult& result, const Arguments& arguments) {
  result.data = MeasureShown(arguments, harness::ExperimentOf(result.plan));
  result.complete = result.data.complete;
  result.comparison = harness::Analyse(result.plan, result.data, {.of_all = 0.02});
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
  AuditRequest request = AuditRequestOf(arguments);
  const Delivery delivery = Delivery::Of<report::AuditResult>(arguments);
  harness::AuditResult result{.workload = request.plan.workloads.front().entry,
                              .workload_text = request.plan.workloads.front().name,
                              .flags = TextOfFlags(arguments),
                              .schedulers = {},
                              .plan = std::move(request.plan),
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
    for (std::size_t i = 0; i < request.runs.size(); ++i) {
      line.Update(i, request.runs.size());
      const auto deliver = [&] {
        line.Stop();
        result.complete = false;
        delivery.Deliver(result);
      };
      const std::string finished =
          fmt::format("{} of {} schedulers were observed", i, request.runs.size());
      result.schedulers.push_back(Audited(
          result.plan.alternatives[i].name,
          ObservedRun(request.runs[i], request.time, {.blocked_calls = true}, deliver, finished)));
    }
    line.Stop();
  }
  if (result.plan.blocks > 0) {
    CompareAudited(result, arguments);
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
