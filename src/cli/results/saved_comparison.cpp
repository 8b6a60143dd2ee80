#include "cli/results/saved_comparison.hpp"

#include "cli/results/result_file.hpp"
#include "config/quote.hpp"
#include "harness/result.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

std::vector<harness::Alternative> AlternativesOf(const SavedValue& root) {
  std::vector<harness::Alternative> alternatives;
  for (const SavedValue& saved : root.At("alternatives").Elements()) {
    const SavedValue runtime = saved.At("runtime");
    alternatives.push_back({.name = saved.Text("name"),
                            .command = {},
                            .scheduler = saved.Text("scheduler"),
                            .config = saved.Object("config").dump(),
                            .runtime = runtime.Value().is_null() ? "" : saved.Text("runtime"),
                            .tasks = saved.Text("tasks")});
  }
  return alternatives;
}

std::string NamesOf(const std::vector<harness::Alternative>& alternatives) {
  std::string names;
  for (const harness::Alternative& alternative : alternatives) {
    names += (names.empty() ? "" : ", ") + alternative.name;
  }
  return names;
}

// The problem of each workload: a study names them, a comparison was disturbed as a whole.
std::vector<harness::StudyProblem> ProblemsOf(const SavedValue& file, const SavedValue& root) {
  std::vector<harness::StudyProblem> problems;
  if (file.Value().contains("problems")) {
    for (const SavedValue& saved : file.At("problems").Elements()) {
      problems.push_back(saved.As<harness::StudyProblem>());
    }
  } else {
    const SavedValue perturbed = root.At("perturbed");
    for (const SavedValue& workload : root.At("workloads").Elements()) {
      problems.push_back(
          {.workload = workload.Text("name"),
           .perturbation = perturbed.Value().is_null() ? "" : root.Text("perturbed")});
    }
  }
  file.Require(problems.size() == root.At("workloads").Elements().size(),
               "has another number of problems than of workloads");
  return problems;
}

void AddProblem(const SavedValue& saved, const harness::StudyProblem& problem,
                report::StudyResult& result) {
  harness::ComparisonPlan& plan = result.comparison.plan;
  const registry::WorkloadEntry* const entry = registry::FindWorkload(saved.Text("workload"));
  saved.At("workload").Require(entry != nullptr, "is no workload of this program");
  const std::string name = harness::NameOf(problem);
  saved.Require(std::ranges::find(plan.workloads, name, &harness::ComparedWorkload::name) ==
                    plan.workloads.end(),
                "is also in another file");
  plan.workloads.push_back(
      {.entry = entry, .name = name, .parameters = saved.Object("parameters").dump()});
  result.problems.push_back(problem);
  std::vector<harness::Series>& series = result.comparison.data.series.emplace_back();
  for (const harness::Alternative& alternative : plan.alternatives) {
    series.push_back(saved.At("measured").At(alternative.name).As<harness::Series>());
  }
}

}  // namespace

void ReadProblems(std::span<const std::string> files, report::StudyResult& result) {
  harness::ComparisonPlan& plan = result.comparison.plan;
  result.comparison.data.complete = true;
  for (const std::string& file : files) {
    const ordered_json json = ReadResultFile(file);
    const SavedValue whole(file, json, "compare or study -o FILE.json");
    const SavedValue root = json.contains("comparison") ? whole.At("comparison") : whole;
    Differences differences;
    differences.Compare("schema_version", root.Count("schema_version"), harness::kSchemaVersion);
    differences.ThrowIfAny(file, "Measure", "compare");
    root.At("kind").Require(root.Text("kind") == "comparison", "names another command");
    root.At("baseline")
        .Require(root.At("baseline").Value().is_null(), "is a comparison with a saved result");
    root.At("places").Require(root.At("places").Elements().empty(), "are other machines");
    CompareMachines(root, result.comparison.machine, differences);
    CompareBuilds(root, differences);
    std::vector<harness::Alternative> alternatives = AlternativesOf(root);
    if (plan.alternatives.empty()) {
      plan.alternatives = std::move(alternatives);
    } else {
      differences.Compare("alternatives", NamesOf(alternatives), NamesOf(plan.alternatives));
    }
    differences.ThrowIfAny(file, "Measure", "compare");
    plan.blocks = static_cast<std::uint32_t>(root.Count("blocks"));
    plan.rounds = static_cast<std::uint32_t>(root.Count("rounds"));
    plan.warmup = static_cast<std::uint32_t>(root.Count("warmup"));
    plan.seed = root.Count("seed");
    plan.limit = std::chrono::nanoseconds(root.Count("timeout_ns"));
    if (!root.At("budget_ns").Value().is_null()) {
      plan.budget = std::chrono::nanoseconds(root.Count("budget_ns"));
    }
    result.comparison.data.complete =
        result.comparison.data.complete && root.At("complete").Value() == true;
    const std::vector<harness::StudyProblem> problems = ProblemsOf(whole, root);
    const std::vector<SavedValue> workloads = root.At("workloads").Elements();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      AddProblem(workloads[i], problems[i], result);
    }
  }
}

}  // namespace schedbench::cli
