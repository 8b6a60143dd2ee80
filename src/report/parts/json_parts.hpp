#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/compare/sampler.hpp"
#include "harness/plan.hpp"
#include "harness/round.hpp"
#include "harness/summary.hpp"
#include "platform/machine/machine_info.hpp"
#include "stats/ratio.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Parts of every JSON result. Pure; thread-safe.

namespace schedbench::report {

// JSON whose objects have their keys in the order in which they were added.
using Json = nlohmann::ordered_json;

// Null for NaN, infinity, and no value: JSON has neither.
Json JsonNumber(double value);
Json JsonNumber(const std::optional<double>& value);

// Null for "".
Json OrNull(const std::string& text);

// Null for no value. An enumerator is its ToText(), a time its nanoseconds.
template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  if (!value) {
    return nullptr;
  }
  if constexpr (std::is_enum_v<Value>) {
    return ToText(*value);
  } else if constexpr (std::is_same_v<Value, std::chrono::nanoseconds>) {
    return value->count();
  } else {
    return *value;
  }
}

// Returns null without a value, otherwise what the function or the member gives for it.
template <typename Value, typename Function>
Json OrNull(const std::optional<Value>& value, Function function) {
  return value ? Json(std::invoke(function, *value)) : Json(nullptr);
}

// Returns an array with the result of the function, or the member, for each element.
template <typename Range, typename Function>
Json ArrayOf(const Range& range, Function function) {
  Json array = Json::array();
  for (const auto& element : range) {
    array.push_back(std::invoke(function, element));
  }
  return array;
}

// The same for the indices 0 to `count` - 1.
template <typename Function>
Json ArrayOf(std::size_t count, Function function) {
  Json array = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    array.push_back(function(i));
  }
  return array;
}

// Ratio, low and high; null without an estimate.
Json RatioJson(const std::optional<stats::RatioEstimate>& ratio);

// Median, low, high, and whether they are an interval; null without a spread.
Json SpreadJson(const std::optional<harness::Spread>& spread);

Json MachineJson(const platform::MachineInfo& machine);

// The build of this program.
Json BuildJson();

// Name, parameters and operation.
Json WorkloadJson(const harness::RunPlan& plan);

// For each round what was read, and every metric by its name.
Json RoundsJson(const registry::WorkloadEntry& workload,
                const std::vector<harness::Round>& measured);

// By the names of the metrics.
Json SummaryJson(const std::vector<harness::SummaryRow>& rows);

// A round of an agent.
Json ReplyJson(const harness::RoundReply& round);

// All rounds of an alternative under a workload, by block.
Json SeriesJson(const harness::Series& series);

// An array of the lines of a text.
Json LinesJson(const std::string& text);

// The start of each result. `complete`: none where results of the kind are always complete.
Json ResultHead(std::string_view kind, std::optional<bool> complete);

// Adds how the blocks of a plan were measured and judged: their number and size, the seed, the
// limits, and what disturbed them.
template <typename Plan, typename Data>
void AddBlocks(const Plan& plan, const Data& data, const std::string& perturbed, Json& root) {
  root.update({{"joint_level", harness::kJointLevel},
               {"min_effect", plan.min_effect},
               {"blocks", plan.blocks},
               {"rounds", plan.rounds},
               {"warmup", plan.warmup},
               {"seed", plan.seed},
               {"timeout_ns", plan.limit.count()},
               {"budget_ns", OrNull(plan.budget)},
               {"perturbed", OrNull(perturbed)},
               {"blocks_repeated", data.repeated},
               {"blocks_disturbed", data.disturbed}});
}

// The text of a result, with a newline at its end. Replaces bytes that are not UTF-8, which names from the command line and
// from /proc may have.
std::string JsonText(const Json& root);

// The same with the machine, the build and the command at its end.
std::string JsonText(Json root, const platform::MachineInfo& machine,
                     const std::vector<std::string>& command);

}  // namespace schedbench::report
