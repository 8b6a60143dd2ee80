#pragma once

#include "simulation/costs.hpp"
#include "simulation/graph_run.hpp"

#include <string>
#include <string_view>
#include <variant>

// The messages of the simulator and the tool: JSON, one per line. README.md lists the keys.

namespace schedbench::record {
template <typename T>
class Of;
}  // namespace schedbench::record

namespace sim_scaling {

// Requests the source that the simulator was built from.
struct HelloRequest {};

struct CalibrateRequest {};

struct SimulateRequest {
  Costs costs;
  GraphRun run;
};

using SimulatorRequest = std::variant<HelloRequest, CalibrateRequest, SimulateRequest>;

// The source, like in registry::BuildInfo.
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

// Parse a message. Throw record::ReadError for other lines.
SimulatorRequest ParseRequest(std::string_view line);
SimulatorReply ParseReply(std::string_view line);

}  // namespace sim_scaling
