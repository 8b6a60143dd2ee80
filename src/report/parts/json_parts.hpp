#pragma once

#include "harness/plan.hpp"
#include "harness/round.hpp"
#include "harness/summary.hpp"
#include "platform/machine/machine_info.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

// What every JSON result has. Whoever uses it includes <nlohmann/json.hpp>. Pure; thread-safe.

namespace schedbench::report {

// JSON has no NaN and no infinity; a figure that is none is null.
nlohmann::ordered_json JsonNumber(double value);
nlohmann::ordered_json JsonNumber(const std::optional<double>& value);

nlohmann::ordered_json MachineJson(const platform::MachineInfo& machine);

// Of this program.
nlohmann::ordered_json BuildJson();

// Name, parameters and operation.
nlohmann::ordered_json WorkloadJson(const harness::RunPlan& plan);

// Of each round what was read, and every figure by its name.
nlohmann::ordered_json RoundsJson(const registry::WorkloadEntry& workload,
                                  const std::vector<harness::Round>& measured);

// By the names of the figures.
nlohmann::ordered_json SummaryJson(const std::vector<harness::SummaryRow>& rows);

// An array of the lines of a text.
nlohmann::ordered_json LinesJson(const std::string& text);

// The text of a result, with a newline at its end. Names from the command line and from /proc may be no UTF-8: what is none is
// replaced.
std::string JsonText(const nlohmann::ordered_json& root);

}  // namespace schedbench::report
