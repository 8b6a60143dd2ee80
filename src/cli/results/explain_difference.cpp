#include "cli/results/explain_difference.hpp"

#include "cli/flags/study.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/observed_run.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "registry/scheduler.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/replay.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using harness::ComparedRow;

constexpr std::chrono::nanoseconds kTimeline = std::chrono::milliseconds(20);
constexpr std::uint64_t kMostEvents = 20'000;  // of a timeline: half a megabyte of the page
constexpr std::size_t kMostHotFrames = 6;

bool IsOurs(const harness::Alternative& alternative) {
  return alternative.runtime.empty() && registry::FindScheduler(alternative.scheduler) != nullptr;
}

// Returns the alternative with the settings that were in effect under the problem.
harness::Alternative InEffect(const report::StudyResult& result, std::size_t problem,
                              std::size_t index) {
  harness::Alternative alternative = result.comparison.plan.alternatives[index];
  if (const std::string& config = result.comparison.data.series[problem][index].config;
      !config.empty()) {
    alternative.config = config;
  }
  return alternative;
}

harness::RunPlan PlanOf(const report::StudyResult& result, std::size_t index) {
  const harness::ComparisonPlan& plan = result.comparison.plan;
  const std::size_t problem = result.largest->workload;
  config::Problems problems;
  harness::RunPlan run =
      RunPlanOf(InEffect(result, problem, index), plan.workloads[problem], plan, problems);
  problems.ThrowIfAny();
  return run;
}

// Returns the command of the tool that runs the plan: "schedbench profile --scheduler fast ...".
std::string CommandOf(std::string_view command, const harness::RunPlan& plan) {
  std::vector<std::string> words =
      CommandOfSettings({.alternative = {}, .entry = plan.scheduler, .settings = {}}, plan.config);
  words[1] = command;
  words.insert(words.end(), {"--workload", report::WorkloadSpec(plan)});
  return report::ReplayCommand(words, plan.seed);
}

// Returns the word of compare for a scheduler with its settings: "fast:lifo_limit=0".
std::string WordOf(const harness::RunPlan& plan) {
  const std::vector<std::string> words =
      CommandOfSettings({.alternative = {}, .entry = plan.scheduler, .settings = {}}, plan.config);
  std::string word(plan.scheduler->name);
  for (std::size_t i = 5; i < words.size(); i += 2) {  // behind each --set
    word += (i == 5 ? ":" : ",") + words[i];
  }
  return word;
}

void AddCommands(report::StudyResult& result) {
  const ComparedRow& row = *result.largest;
  const harness::RunPlan first = PlanOf(result, *row.against);
  const harness::RunPlan second = PlanOf(result, row.alternative);
  const std::string& perturbation = result.problems[row.workload].perturbation;
  const std::vector<std::string> compare{"schedbench",   "compare",    WordOf(first),
                                         WordOf(second), "--workload", report::WorkloadSpec(first)};
  // The number of workers is one of the settings.
  const bool is_setting = perturbation.starts_with(kStudiedWorkersFlag.name);
  result.again.push_back({"the largest difference",
                          report::ReplayCommand(compare, first.seed) +
                              (perturbation.empty() || is_setting ? "" : " " + perturbation)});
  for (const harness::RunPlan* const plan : {&first, &second}) {
    result.again.push_back({fmt::format("flame graphs of {}", report::SchedulerText(*plan)),
                            CommandOf("profile", *plan)});
    result.again.push_back({fmt::format("its timeline"), CommandOf("trace", *plan)});
  }
}

report::ObservedSide Observed(const Arguments& arguments, const std::string& name,
                              const harness::RunPlan& plan, std::chrono::nanoseconds time,
                              const std::function<void()>& deliver) {
  const std::string finished = "the comparison is complete";
  report::ObservedSide side{.name = name};
  const SampledRun sampled = ObservedRun(plan, time, {.waits = true}, deliver, finished);
  const profile::ProfiledRun profiled = Profiled(sampled, {});
  side.graphs = profile::GraphsOf(profiled);
  side.graphs.resize(2);  // CPU time and waits
  side.hottest = profile::HottestFrames(profiled.cpu, kMostHotFrames);
  if (plan.scheduler->records_events) {
    const TraceOptions options{.window = kTimeline, .warms_recorder = true};
    const TracedRun traced = RunTraced(plan, options, [](auto...) {});
    if (traced.outcome.ending != harness::Ending::kComplete) {
      DeliverOutcome(traced.outcome, deliver, finished);
    }
    if (auto page = PageOf(arguments, plan, options, traced, kMostEvents)) {
      side.timeline = std::move(page->summary);
      side.timeline_page = std::move(page->page);
    }
  }
  return side;
}

}  // namespace

void ChooseDifference(report::StudyResult& result) {
  const harness::ComparisonPlan& plan = result.comparison.plan;
  const auto is_ours = [&plan](const ComparedRow& row) {
    return IsOurs(plan.alternatives[row.alternative]) && IsOurs(plan.alternatives[*row.against]);
  };
  const auto ranks = [&plan](const ComparedRow& row) {
    return row.metric == &harness::RankingMetric(plan, row.workload);
  };
  const auto any = [](const ComparedRow& /*row*/) { return true; };
  for (const std::function<bool(const ComparedRow&)>& accepts :
       std::initializer_list<std::function<bool(const ComparedRow&)>>{
           [&](const ComparedRow& row) { return ranks(row) && is_ours(row); }, is_ours, ranks,
           any}) {
    result.largest = harness::LargestDifference(result.comparison.comparison, accepts);
    if (result.largest) {
      break;
    }
  }
  if (result.largest && is_ours(*result.largest)) {
    AddCommands(result);
  } else if (result.largest) {
    result.unobserved =
        "flame graphs and timelines are made in this program, and need two of its schedulers";
  }
}

void ObserveSides(const Arguments& arguments, std::chrono::nanoseconds time,
                  const std::function<void()>& deliver, report::StudyResult& result) {
  if (!result.largest || !result.unobserved.empty()) {
    return;
  }
  const ComparedRow& row = *result.largest;
  const std::string& perturbation = result.problems[row.workload].perturbation;
  if (!perturbation.empty() && !perturbation.starts_with("--")) {
    result.unobserved = "the sides were not observed: only studies know the flags that disturb";
    return;
  }
  const Perturbations perturbations(Perturbed(arguments, perturbation));
  ProgressLine line(arguments);
  std::vector<report::ObservedSide> sides;
  for (const std::size_t index : {*row.against, row.alternative}) {
    const std::string& name = result.comparison.plan.alternatives[index].name;
    line.ShowStep(fmt::format("observing {}", config::Escaped(name, 60)));
    sides.push_back(Observed(arguments, name, PlanOf(result, index), time, [&] {
      line.Stop();
      deliver();
    }));
  }
  result.sides = std::move(sides);
}

}  // namespace schedbench::cli
