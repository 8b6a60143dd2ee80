#include "cli/commands/run_suite.hpp"

#include "cli/flags/alternatives.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/suites.hpp"
#include "cli/output/delivery.hpp"
#include "cli/results/measure_cells.hpp"
#include "harness/compare/analysis.hpp"
#include "platform/machine/machine_info.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr std::string_view kAllSchedulers = "all";

// The schedulers as `compare` would name them.
std::vector<std::string> SchedulerWords(const Arguments& arguments, config::Problems& problems) {
  const std::string name = arguments.Value(kSchedulerFlag).value_or("");
  const std::vector<std::string> configs = arguments.Values(kConfigFlag);
  const std::vector<std::string> sets = arguments.Values(kSetFlag);
  std::vector<std::string> words = configs;
  if (!name.empty() && !configs.empty()) {
    problems.Add(std::string(kSchedulerFlag.name), "",
                 fmt::format("cannot be combined with {} in a suite", kConfigFlag.name));
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
    problems.Add(std::string(kSetFlag.name), "", "in a suite only together with --scheduler NAME");
  } else {
    words.back() += fmt::format(":{}", fmt::join(sets, ","));
  }
  return words;
}

void AddCells(const std::vector<GridScheduler>& schedulers,
              const std::vector<std::string>& workloads, harness::SweepPlan& plan,
              config::Problems& problems) {
  plan.keys = {{.name = "workload", .values = {}}, {.name = "scheduler", .values = {}}};
  for (const GridScheduler& scheduler : schedulers) {
    plan.keys[1].values.push_back(scheduler.alternative.name);
  }
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

}  // namespace

bool AsksForSuite(const Arguments& arguments) {
  return arguments.Value(kWorkloadFlag)->starts_with(kSuitePrefix) ||
         arguments.Value(kSchedulerFlag) == kAllSchedulers;
}

ExitCode RunSuite(const Arguments& arguments, std::span<const Flag* const> without) {
  config::Problems problems;
  for (const Flag* const flag : without) {
    if (arguments.Has(*flag)) {
      problems.Add(std::string(flag->name), "",
                   "cannot be combined with a suite or with --scheduler all");
    }
  }
  report::SweepResult result;
  result.kind = report::SweepResult::Kind::kSuite;
  harness::SweepPlan& plan = result.plan;
  const std::string text = *arguments.Value(kWorkloadFlag);
  std::vector<std::string> workloads{text};
  if (text.starts_with(kSuitePrefix)) {
    workloads = WorkloadsOfSuite(text, PlaceOf(kWorkloadFlag, text), problems);
  }
  const std::vector<GridScheduler> schedulers = GridSchedulersOf(
      AlternativesOf(SchedulerWords(arguments, problems), arguments.Value(kWorkersFlag), problems),
      problems);
  AddCells(schedulers, workloads, plan, problems);
  problems.ThrowIfAny();
  plan.metric =
      harness::ComparedMetrics(*plan.cells.front().workload.entry, {"throughput"}).front();
  plan.blocks = 1;
  plan.rounds = arguments.Rounds(kRoundsFlag, 3);
  plan.warmup = arguments.Rounds(kWarmupFlag, 1);
  plan.seed = SeedFromFlags(arguments);
  plan.limit = arguments.Time(kTimeoutFlag);
  plan.settles = false;
  const Delivery delivery = Delivery::Of<report::SweepResult>(arguments);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  return DeliverCells(result, MeasureCells(arguments, plan, nullptr), delivery);
}

}  // namespace schedbench::cli
