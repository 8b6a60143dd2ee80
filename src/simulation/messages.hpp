#pragma once

#include "simulation/costs.hpp"
#include "simulation/graph_run.hpp"

#include <string>
#include <string_view>
#include <variant>

// What the simulator and the tool send each other: JSON, a line for each message. The one place for the keys; README.md lists them.

namespace schedbench::record {
template <typename T>
class Of;
}  // namespace schedbench::record

namespace sim_scaling {

// What the simulator was built from.
struct HelloRequest {};

struct CalibrateRequest {};

struct SimulateRequest {
  Costs costs;
  GraphRun run;
};

using SimulatorRequest = std::variant<HelloRequest, CalibrateRequest, SimulateRequest>;

// As registry::BuildInfo has it.
struct HelloReply {
  std::string revision = "";
  bool is_modified = false;
};

struct CostsReply {
  Costs costs;
};

using SimulatorReply = std::variant<HelloReply, CostsReply, GraphPrediction>;

schedbench::record::Of<Costs> RecordOf(const Costs* /*type*/);

std::string ToLine(const SimulatorRequest& request);
std::string ToLine(const SimulatorReply& reply);

// Throw record::ReadError if the line is no such message.
SimulatorRequest ParseRequest(std::string_view line);
SimulatorReply ParseReply(std::string_view line);

}  // namespace sim_scaling
