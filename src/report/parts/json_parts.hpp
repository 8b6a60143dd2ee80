#pragma once

#include "harness/compare/sampler.hpp"
#include "harness/plan.hpp"
#include "harness/round.hpp"
#include "harness/summary.hpp"
#include "platform/machine/machine_info.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

// Parts of every JSON result. Sources that use them include <nlohmann/json.hpp>. Pure; thread-safe.

namespace schedbench::report {

// Null for NaN, infinity, and no value: JSON has neither.
nlohmann::ordered_json JsonNumber(double value);
nlohmann::ordered_json JsonNumber(const std::optional<double>& value);

nlohmann::ordered_json MachineJson(const platform::MachineInfo& machine);

// The build of this program.
nlohmann::ordered_json BuildJson();

// Name, parameters and operation.
nlohmann::ordered_json WorkloadJson(const harness::RunPlan& plan);

// For each round what was read, and every metric by its name.
nlohmann::ordered_json RoundsJson(const registry::WorkloadEntry& workload,
                                  const std::vector<harness::Round>& measured);

// By the names of the metrics.
nlohmann::ordered_json SummaryJson(const std::vector<harness::SummaryRow>& rows);

// A round of an agent.
nlohmann::ordered_json ReplyJson(const harness::RoundReply& round);

// All rounds of an alternative under a workload, by block.
nlohmann::ordered_json SeriesJson(const harness::Series& series);

// An array of the lines of a text.
nlohmann::ordered_json LinesJson(const std::string& text);

// The text of a result, with a newline at its end. Replaces bytes that are not UTF-8, which names from the command line and
// from /proc may have.
std::string JsonText(const nlohmann::ordered_json& root);

}  // namespace schedbench::report
