#pragma once

#include "simulation/costs.hpp"
#include "simulation/graph_run.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

// What the simulator and the tool send each other: JSON, a line for each message. The one place for the keys; README.md lists them.

namespace sim_scaling {

// What the simulator was built from.
struct HelloRequest {};

struct CalibrateRequest {};

struct SimulateRequest {
  Costs costs;
  GraphRun run;
};

using SimulatorRequest = std::variant<HelloRequest, CalibrateRequest, SimulateRequest>;

std::string ToLine(const SimulatorRequest& request);
// The reply to hello. `revision`: as BuildInfo has it.
std::string HelloLine(std::string_view revision, bool is_modified);
std::string ToLine(const Costs& costs);
std::string ToLine(const GraphPrediction& prediction);

// Each throws nlohmann::json::exception if the line is another message.
SimulatorRequest ParseRequest(const std::string& line);
// Returns the revision and whether files differed from it.
std::pair<std::string, bool> ParseHello(const std::string& line);
Costs ParseCosts(const std::string& line);
GraphPrediction ParsePrediction(const std::string& line);

}  // namespace sim_scaling
