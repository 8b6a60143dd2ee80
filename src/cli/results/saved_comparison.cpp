#include "cli/results/saved_comparison.hpp"

#include "cli/results/result_file.hpp"
#include "config/quote.hpp"
#include "harness/result.hpp"
#include "record/record.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

struct SavedWorkload {
  std::string workload;
  std::string parameters;
  std::map<std::string, harness::Series> measured;  // by alternative
};

const record::Record& RecordOf(const SavedWorkload* /*type*/) {
  using T = SavedWorkload;
  static const record::Of<T> kRecord("SavedWorkload",
                                     {{"workload", &T::workload, ""},
                                      {"parameters", &T::parameters, record::kJsonText, ""},
                                      {"measured", &T::measured, ""}});
  return kRecord;
}

std::string NamesOf(const std::vector<harness::Alternative>& alternatives) {
  std::string names;
  for (const harness::Alternative& alternative : alternatives) {
    names += (names.empty() ? "" : ", ") + alternative.name;
  }
  return names;
}

void AddProblem(const SavedValue& place, const harness::StudyProblem& problem,
                report::StudyResult& result) {
  harness::ComparisonPlan& plan = result.comparison.plan;
  auto saved = place.As<SavedWorkload>();
  result.problems.push_back(problem);
  const registry::WorkloadEntry* const entry = registry::FindWorkload(saved.workload);
  place.At("workload").Require(entry != nullptr, "is no workload of this program");
  const std::string name = harness::NameOf(problem);
  place.Require(std::ranges::find(plan.workloads, name, &harness::ComparedWorkload::name) ==
                    plan.workloads.end(),
                "is also in another file");
  plan.workloads.push_back({.entry = entry, .name = name, .parameters = saved.parameters});
  std::vector<harness::Series>& series = result.comparison.data.series.emplace_back();
  for (const harness::Alternative& alternative : plan.alternatives) {
    const auto measured = saved.measured.find(alternative.name);
    place.At("measured").Require(measured != saved.measured.end(), "lacks an alternative");
    series.push_back(std::move(measured->second));
    const harness::Series& one = series.back();
    place.At("measured")
        .Require(
            one.blocks.size() <= series.front().blocks.size() || !series.front().failure.empty(),
            "has an alternative with more blocks than the first one");
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
    auto alternatives = root.At("alternatives").As<std::vector<harness::Alternative>>();
    if (plan.alternatives.empty()) {
      plan.alternatives = std::move(alternatives);
    } else {
      differences.Compare("alternatives", NamesOf(alternatives), NamesOf(plan.alternatives));
    }
    differences.ThrowIfAny(file, "Measure", "compare");
    static_cast<harness::Extent&>(plan) = root.As<harness::Extent>();
    bool& complete = result.comparison.data.complete;
    complete = complete && root.At("complete").Value() == true;
    const std::vector<SavedValue> workloads = root.At("workloads").Elements();
    std::vector<harness::StudyProblem> problems;
    if (json.contains("problems")) {
      problems = whole.At("problems").As<std::vector<harness::StudyProblem>>();
      whole.At("problems")
          .Require(problems.size() == workloads.size(), "is not as long as workloads");
    } else {
      // A comparison is disturbed as a whole.
      const SavedValue perturbed = root.At("perturbed");
      for (const SavedValue& workload : workloads) {
        problems.push_back(
            {.workload = workload.Text("name"),
             .perturbation = perturbed.Value().is_null() ? "" : root.Text("perturbed")});
      }
    }
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      AddProblem(workloads[i], problems[i], result);
    }
  }
}

}  // namespace schedbench::cli
