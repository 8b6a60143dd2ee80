#pragma once

#include "base/fixed_string.hpp"
#include "harness/experiment/data.hpp"
#include "harness/experiment/plan.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"
#include "harness/round.hpp"
#include "harness/summary.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "registry/build_info.hpp"
#include "stats/ratio.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Parts of every JSON result. Pure; thread-safe.

namespace schedbench::stats {
record::Of<RatioEstimate> RecordOf(const RatioEstimate* /*type*/);
}  // namespace schedbench::stats

namespace schedbench::platform {
record::Of<MachineInfo> RecordOf(const MachineInfo* /*type*/);
}  // namespace schedbench::platform

namespace schedbench::registry {
record::Of<BuildInfo> RecordOf(const BuildInfo* /*type*/);
}  // namespace schedbench::registry

namespace schedbench::harness {
record::Of<Spread> RecordOf(const Spread* /*type*/);
// Returns the keys of a metric over the rounds.
record::Of<SummaryRow> RecordOf(const SummaryRow* /*type*/);
// Returns the keys of the workload of a run.
record::Of<RunPlan> RecordOf(const RunPlan* /*type*/);
}  // namespace schedbench::harness

namespace schedbench::report {

// JSON objects keep the order in which their keys were added.
using Json = nlohmann::ordered_json;

// Returns an array with the result of the function, or the member, for each element.
template <typename Range, typename Function>
Json ArrayOf(const Range& range, Function function) {
  Json array = Json::array();
  for (const auto& element : range) {
    array.push_back(std::invoke(function, element));
  }
  return array;
}

// A part of a result, for its record: an element of one of its lists. Must not outlive the result.
template <typename Result, typename Element>
struct PartOf {
  const Result* result;
  const Element* element;
  std::size_t index;
};

// Returns a part for each element of a list of the result.
template <typename Part, typename Result, typename Element>
std::vector<Part> PartsOf(const Result& result, const std::vector<Element>& elements) {
  std::vector<Part> parts;
  for (const Element& element : elements) {
    parts.push_back({{&result, &element, parts.size()}});
  }
  return parts;
}
template <typename Part, typename Result, typename Element>
std::vector<Part> PartsOf(const Result& result, const std::vector<Element>&& elements) = delete;

// A round with all metrics by name. Must not outlive the round.
struct MeasuredRound {
  const harness::Round* round;
  std::vector<std::pair<std::string_view, std::optional<double>>> metrics;
};
record::Of<MeasuredRound> RecordOf(const MeasuredRound* /*type*/);
std::vector<MeasuredRound> RoundsOf(const registry::WorkloadEntry& workload,
                                    const std::vector<harness::Round>& measured);

// Returns the metrics by their names. Must not outlive the rows.
std::vector<std::pair<std::string_view, const harness::SummaryRow*>> SummaryOf(
    const std::vector<harness::SummaryRow>& rows);

// Returns the lines of a text.
std::vector<std::string_view> LinesOf(std::string_view text);

// Texts of keys that several results have.
inline constexpr const char* kCompleteDoc =
    "false: interrupted or failed; the finished part is here.";
inline constexpr const char* kCutByBudgetDoc =
    "false: interrupted, or ended by --budget; the finished part is here.";
inline constexpr const char* kSeedDoc = "Seed of all random choices.";
inline constexpr const char* kReasonDoc = "Why there is no value.";
inline constexpr const char* kPerturbedDoc =
    "What disturbed the measurement on purpose, such as '2 hogs'; null: nothing.";

// Facts on a plan's blocks: their number and size, the seed, the limits, and disturbances.
struct BlockFacts {
  harness::Extent extent;
  double min_effect;
  harness::BlockCounts counts;
  std::string perturbed;
};
record::Of<BlockFacts> RecordOf(const BlockFacts* /*type*/);

// Returns the record of a result: the version and the kind come first, the machine, the build and
// the command line last. It has the same name in all schemas.
template <FixedString Kind, typename T>
record::Record ResultRecord(std::initializer_list<record::Key<T>> keys) {
  static constexpr std::array<std::string_view, 1> kKind{Kind};
  constexpr auto kVersion = static_cast<std::uint64_t>(harness::kSchemaVersion);
  std::vector<record::Key<T>> all{
      {"schema_version",
       [](const T& /*result*/) { return harness::kSchemaVersion; },
       "Goes up when a key goes away or changes its meaning; new keys leave it.",
       {.most = kVersion, .least = kVersion}},
      {"kind",
       [](const T& /*result*/) { return std::string_view(Kind); },
       "The kind of this result.",
       {.one_of = kKind}}};
  all.insert(all.end(), keys.begin(), keys.end());
  if constexpr (requires(const T& result) { result.machine; }) {
    all.push_back({"machine", &T::machine, "The machine, at the start."});
  }
  if constexpr (requires(const T& result) { result.command; }) {
    all.push_back(
        {"build",
         [](const T& /*result*/) -> const registry::BuildInfo& { return registry::ThisBuild(); },
         "What the program was built from."});
    all.push_back({"command", &T::command, "The command line."});
  }
  return {"Result", all.data(), all.size()};
}

// Returns the text of a result, with a newline at its end.
std::string JsonText(const record::Record& record, const void* result);

// Returns the text of other JSON. Replaces invalid UTF-8, which names from outside may have.
std::string JsonText(const Json& root);

}  // namespace schedbench::report
