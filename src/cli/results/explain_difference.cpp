#include "cli/results/explain_difference.hpp"

#include "cli/flags/study.hpp"
#include "cli/flags/tracing.hpp"
#include "cli/output/observed_run.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "config/input_error.hpp"
#include "harness/session.hpp"
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
constexpr std::uint64_t kMostEvents = 20'000;  // limit of a timeline: half a megabyte of the page
constexpr std::size_t kMostHotFrames = 6;

bool IsOurs(const harness::Alternative& alternative) {
  return alternative.command.front() == harness::kOwnProgram &&
         registry::FindScheduler(alternative.scheduler) != nullptr;
}

// Returns the plan of a side, with the settings in effect under the problem.
harness::RunPlan PlanOf(const report::StudyResult& result, std::size_t index) {
  const harness::ComparisonPlan& plan = result.comparison.plan;
  const std::size_t problem = result.largest->workload;
  harness::Alternative alternative = plan.alternatives[index];
  if (const std::string& config = result.comparison.data.series[problem][index].config;
      !config.empty()) {
    alternative.config = config;
  }
  config::Problems problems;
  harness::RunPlan run = RunPlanOf(alternative, plan.workloads[problem], plan, problems);
  problems.ThrowIfAny();
  return run;
}

// Returns the command that observes the plan: "schedbench profile --scheduler fast ...".
std::string CommandOf(std::string_view command, const harness::RunPlan& plan,
                      const std::string& perturbation) {
  std::vector<std::string> words = CommandOfSettings(*plan.scheduler, plan.config);
  words[1] = command;
  words.insert(words.end(), {"--workload", report::WorkloadSpec(plan)});
  // The config has the number of workers, and a comparison describes its perturbation in words.
  const bool is_flag = perturbation.starts_with("--") && !perturbation.starts_with("--workers");
  return report::ReplayCommand(words, plan.seed) + (is_flag ? " " + perturbation : "");
}

report::ObservedSide Observed(const Arguments& arguments, const std::string& name,
                              const harness::RunPlan& plan, std::chrono::nanoseconds time,
                              const std::function<void()>& deliver) {
  const std::string finished = "the comparison is complete";
  report::ObservedSide side{.name = name};
  const SampledRun sampled = ObservedRun(plan, time, {.waits = true}, deliver, finished);
  const profile::ProfiledRun profiled = Profiled(sampled);
  side.graphs = profile::GraphsOf(profiled);
  side.graphs.resize(2);  // CPU time and waits
  side.hottest = profile::HottestFrames(profiled.cpu, kMostHotFrames);
  const TraceOptions options{.window = kTimeline, .warms_recorder = true};
  try {
    const TracedRun traced = RunTraced(plan, options, [](auto...) {});
    if (traced.outcome.ending != harness::Ending::kComplete) {
      DeliverOutcome(traced.outcome, deliver, finished);
    }
    if (auto page = PageOf(arguments, plan, options, traced, kMostEvents)) {
      side.timeline = std::move(page->summary);
      side.timeline_page = std::move(page->page);
    }
  } catch (const harness::SetupError&) {
    // Only some schedulers record events.
  }
  return side;
}

}  // namespace

void ChooseDifference(report::StudyResult& result) {
  const harness::ComparisonPlan& plan = result.comparison.plan;
  const harness::Comparison& comparison = result.comparison.comparison;
  const auto are_ours = [&plan](const ComparedRow& row) {
    return IsOurs(plan.alternatives[row.alternative]) && IsOurs(plan.alternatives[*row.against]);
  };
  result.largest = harness::LargestDifference(plan, comparison, are_ours);
  if (!result.largest) {
    result.largest =
        harness::LargestDifference(plan, comparison, [](const ComparedRow&) { return true; });
    result.unobserved =
        "flame graphs and timelines are made in this program, and need two of its schedulers";
    return;
  }
  const std::string& perturbation = result.problems[result.largest->workload].perturbation;
  for (const std::size_t index : {*result.largest->against, result.largest->alternative}) {
    const harness::RunPlan run = PlanOf(result, index);
    const std::string& name = plan.alternatives[index].name;
    result.again.push_back({"flame graphs of " + name, CommandOf("profile", run, perturbation)});
    result.again.push_back({"a timeline of " + name, CommandOf("trace", run, perturbation)});
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
  ProgressLine line(arguments);
  std::vector<report::ObservedSide> sides;
  try {
    const Perturbations perturbations(Perturbed(arguments, perturbation));
    for (const std::size_t index : {*row.against, row.alternative}) {
      const std::string& name = result.comparison.plan.alternatives[index].name;
      line.ShowStep(fmt::format("observing {}", config::Escaped(name, 60)));
      sides.push_back(Observed(arguments, name, PlanOf(result, index), time, [&] {
        line.Stop();
        deliver();
      }));
    }
  } catch (const harness::SetupError& error) {
    // The comparison is a result without the observations.
    result.unobserved = fmt::format("the sides were not observed: {}", error.what());
    return;
  } catch (const config::InputError& error) {
    result.unobserved = fmt::format("the sides were not observed: {}", error.what());
    return;
  }
  result.sides = std::move(sides);
}

}  // namespace schedbench::cli
