#include "cli/results/baseline.hpp"

#include "base/vector_of.hpp"
#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "report/comparison/comparison.hpp"
#include "report/parts/json_parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

// The order of the members does not matter here, in contrast to the equality of ordered_json.
bool HasSameMembers(const ordered_json& object, const ordered_json& other) {
  return object.size() == other.size() &&
         std::ranges::all_of(object.items(), [&other](const auto& member) {
           const auto found = other.find(member.key());
           return found != other.end() && *found == member.value();
         });
}

// Returns the saved workload of this kind. None, and a difference, if none has these parameters.
std::optional<SavedValue> WorkloadOf(const std::vector<SavedValue>& saved,
                                     const harness::ComparedWorkload& wanted,
                                     Differences& differences) {
  const auto parameters = ordered_json::parse(wanted.parameters);
  std::optional<SavedValue> other;
  for (const SavedValue& place : saved) {
    if (place.Text("workload") == wanted.entry->name) {
      if (HasSameMembers(place.At("parameters").Value(), parameters)) {
        return place;
      }
      other.emplace(place.At("parameters"));
    }
  }
  if (!other) {
    differences.Add(fmt::format("workload {}: not in the file", wanted.entry->name));
    return std::nullopt;
  }
  const std::string what = fmt::format("workload {}, ", wanted.entry->name);
  for (const auto& [key, value] : parameters.items()) {
    differences.Compare(what + key, other->At(key).Value(), value);
  }
  for (const auto& [key, value] : other->Value().items()) {
    if (!parameters.contains(key)) {
      differences.Add(fmt::format("{}{}: only in the file", what, config::Escaped(key)));
    }
  }
  return std::nullopt;
}

// Returns all rounds of an alternative under a workload.
harness::Series ToSeries(const SavedValue& value) {
  auto series = value.As<harness::Series>();
  if (!series.failure.empty()) {
    // A failure of the saved run is not a failure of this run.
    series.failure = "in the baseline: " + series.failure;
    series.absent = true;
  }
  return series;
}

// Chooses the saved alternatives that the plan needs, and for which alternative.
void ChooseAlternatives(const SavedValue& root, const harness::ComparisonPlan& plan,
                        Baseline& baseline, std::vector<std::string>& names) {
  std::vector<SavedValue> own;
  for (const SavedValue& place : root.At("alternatives").Elements()) {
    if (!place.Value().contains("saved") || place.At("saved").Value() != true) {
      own.push_back(place);
    }
  }
  root.At("alternatives").Require(!own.empty(), "has no measured alternative");
  for (const harness::Alternative& alternative : plan.alternatives) {
    const auto same = std::ranges::find_if(
        own, [&](const SavedValue& place) { return place.Text("name") == alternative.name; });
    const SavedValue& chosen = same == own.end() ? own.front() : *same;
    const std::string name = chosen.Text("name");
    const auto known = std::ranges::find(names, name);
    baseline.against.push_back(static_cast<std::size_t>(known - names.begin()));
    if (known != names.end()) {
      continue;
    }
    names.push_back(name);
    auto& saved = baseline.alternatives.emplace_back(chosen.As<harness::Alternative>());
    saved.name += " (saved)";
    saved.command.clear();
  }
}

}  // namespace

std::optional<Baseline> ReadBaseline(const Arguments& arguments,
                                     const harness::ComparisonPlan& plan,
                                     const platform::MachineInfo& machine) {
  const auto file = arguments[kBaselineFlag];
  if (!file) {
    return std::nullopt;
  }
  const ordered_json json = ReadResultFile(*file);
  const SavedValue root(*file, json, "compare -o FILE.json");
  RequirePlainMeasurement(*file, json);
  Differences differences(root, "Measure the baseline", "compare");
  Baseline baseline{.file = *file, .alternatives = {}, .series = {}, .against = {}};
  std::vector<std::string> names;
  ChooseAlternatives(root, plan, baseline, names);
  CompareOrigins(root, machine, differences);
  CompareExtents(root, plan, differences);
  const std::vector<SavedValue> workloads = root.At("workloads").Elements();
  for (const harness::ComparedWorkload& wanted : plan.workloads) {
    if (const auto workload = WorkloadOf(workloads, wanted, differences)) {
      auto series = VectorOf(
          names, [&](const auto& name) { return ToSeries(workload->At("measured").At(name)); });
      baseline.series.push_back(std::move(series));
    }
  }
  differences.ThrowIfAny();
  return baseline;
}

void Join(const Baseline& baseline, harness::ComparisonPlan& plan, harness::ExperimentData& data) {
  plan.alternatives.insert(plan.alternatives.begin(), baseline.alternatives.begin(),
                           baseline.alternatives.end());
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    data.series[i].insert(data.series[i].begin(), baseline.series[i].begin(),
                          baseline.series[i].end());
  }
  plan.saved = {
      .file = baseline.file, .count = baseline.alternatives.size(), .against = baseline.against};
}

double FloorOf(const Arguments& arguments, const platform::MachineInfo& machine) {
  constexpr std::string_view kByDoctor = "doctor";
  const auto file = arguments[kDoctorFlag];
  if (!file) {
    return 0;
  }
  const auto json = ReadResultFile(*file);
  const SavedValue root(*file, json, "doctor -o FILE.json");
  Differences differences(root, "Run the doctor", kByDoctor);
  root.At("kind").Require(root.Text("kind") == kByDoctor,
                          fmt::format("this file is a result of {}", root.Text("kind")));
  CompareOrigins(root, machine, differences);
  differences.ThrowIfAny();
  const SavedValue self = root.At("self_comparison");
  if (root.At("complete").Value() != true || !self.Value().is_object() ||
      !self.At("resolution").Value().is_number()) {
    throw config::InputError(fmt::format(
        "{} has no finished A/A run    schedbench doctor -o FILE.json", config::Quoted(*file)));
  }
  return self.At("resolution").Value().get<double>();
}

}  // namespace schedbench::cli
