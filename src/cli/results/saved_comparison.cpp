#include "cli/results/saved_comparison.hpp"

#include "cli/flags/names.hpp"
#include "cli/flags/study.hpp"
#include "cli/results/result_file.hpp"
#include "config/quote.hpp"
#include "record/record.hpp"
#include "registry/workload.hpp"

#include <fmt/format.h>
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
  std::map<std::string, harness::Series> measured;  // series by alternative
};

record::Of<SavedWorkload> RecordOf(const SavedWorkload* /*type*/) {
  using T = SavedWorkload;
  return {"SavedWorkload",
          {{"workload", &T::workload, ""},
           {"parameters", &T::parameters, record::kJsonText, ""},
           {"measured", &T::measured, ""}}};
}

struct SavedDisturbance {
  std::string workload;
  harness::DisturbedBlock block;
  std::map<std::string, std::vector<harness::RoundReply>> replaced;  // rounds by alternative
};

record::Of<SavedDisturbance> RecordOf(const SavedDisturbance* /*type*/) {
  using T = SavedDisturbance;
  return {"SavedDisturbance",
          {{"workload", &T::workload, ""},
           {"block", &T::block, &harness::DisturbedBlock::block, ""},
           {record::kInline, &T::block, &harness::DisturbedBlock::by, ""},
           {"replaced", &T::replaced, ""}}};
}

void AddProblem(const SavedValue& place, const harness::StudyProblem& problem,
                report::StudyResult& result) {
  harness::ComparisonPlan& plan = result.comparison.plan;
  auto saved = place.As<SavedWorkload>();
  const registry::WorkloadEntry* const entry = registry::FindWorkload(saved.workload);
  place.At("workload").Require(entry != nullptr, "is not a workload of this program");
  const std::string name = harness::NameOf(problem);
  place.Require(FindByName(plan.workloads, name) == nullptr, "is also in another file");
  plan.workloads.push_back({.entry = entry, .name = name, .parameters = saved.parameters});
  result.problems.push_back(problem);
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
    Differences differences(root, "Measure", "compare");
    root.At("kind").Require(root.Text("kind") == "comparison",
                            fmt::format("this file is a result of {}", root.Text("kind")));
    root.At("baseline")
        .Require(root.At("baseline").Value().is_null(), "is a comparison with a saved result");
    root.At("places").Require(root.At("places").Elements().empty(), "are other machines");
    const auto alternatives = root.At("alternatives").As<std::vector<harness::Alternative>>();
    root.At("alternatives").Require(alternatives.size() >= 2, "has fewer than 2 alternatives");
    const auto extent = root.As<harness::Extent>();
    if (plan.alternatives.empty()) {
      plan.alternatives = alternatives;
      static_cast<harness::Extent&>(plan) = extent;
    }
    CompareOrigins(root, result.comparison.machine, differences);
    differences.ThrowIfAny();
    const std::string first = config::Quoted(files.front());
    Differences between(
        fmt::format("{} does not fit {}", config::Quoted(file), first),
        "measure one of them again, with the same alternatives, --rounds and --warmup",
        "in " + first);
    between.Compare("alternatives", fmt::format("{}", fmt::join(NamesOf(alternatives), ", ")),
                    fmt::format("{}", fmt::join(NamesOf(plan.alternatives), ", ")));
    CompareExtents(root, plan, between);
    between.ThrowIfAny();
    plan.blocks = std::max(plan.blocks, extent.blocks);
    plan.budget = std::max(plan.budget, extent.budget);  // with a budget, intervals are wider
    result.comparison.data.complete &= root.At("complete").Value() == true;
    const std::vector<SavedValue> workloads = root.At("workloads").Elements();
    const bool is_study = json.contains("problems");
    const std::vector<SavedValue> problems = is_study ? whole.At("problems").Elements() : workloads;
    root.At("workloads").Require(problems.size() == workloads.size(), "is not as long as problems");
    const std::size_t before = plan.workloads.size();
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      // A comparison is disturbed as a whole.
      const SavedValue by = is_study ? problems[i].At("perturbation") : root.At("perturbed");
      const std::string perturbation = by.Value().is_null() ? "" : by.As<std::string>();
      const std::string complaint = PerturbationComplaint(perturbation);
      by.Require(complaint.empty(), complaint);
      AddProblem(workloads[i],
                 is_study ? problems[i].As<harness::StudyProblem>()
                          : harness::StudyProblem{workloads[i].Text("name"), perturbation},
                 result);
    }
    for (const SavedValue& place : root.At("disturbed").Elements()) {
      auto saved = place.As<SavedDisturbance>();
      const auto workload = std::ranges::find(
          workloads, saved.workload, [](const SavedValue& one) { return one.Text("name"); });
      place.At("workload").Require(workload != workloads.end(), "is not a workload of the file");
      place.At("block").Require(saved.block.block < extent.blocks,
                                "is not below the number of blocks");
      saved.block.group = before + static_cast<std::size_t>(workload - workloads.begin());
      for (std::size_t i = 0; i < alternatives.size() && !saved.replaced.empty(); ++i) {
        const auto replaced = saved.replaced.find(alternatives[i].name);
        place.At("replaced").Require(replaced != saved.replaced.end(), "lacks an alternative");
        saved.block.replaced.push_back(std::move(replaced->second));
      }
      result.comparison.data.disturbed.push_back(std::move(saved.block));
    }
  }
}

}  // namespace schedbench::cli
