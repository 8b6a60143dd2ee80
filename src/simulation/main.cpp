// The simulator: answers requests from stdin, a line each, on stdout (messages.hpp).

#include "registry/build_info.hpp"
#include "simulation/calibrate.hpp"
#include "simulation/graph_run.hpp"
#include "simulation/messages.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

sim_scaling::SimulatorReply Answer(const sim_scaling::SimulatorRequest& request) {
  if (const auto* const simulate = std::get_if<sim_scaling::SimulateRequest>(&request)) {
    return sim_scaling::SimulateGraph(simulate->costs, simulate->run);
  }
  if (std::holds_alternative<sim_scaling::HelloRequest>(request)) {
    const auto& build = schedbench::registry::ThisBuild();
    return sim_scaling::HelloReply{.revision = std::string(build.revision),
                                   .is_modified = build.modified};
  }
  std::vector<double> transfers;
  return sim_scaling::CostsReply{schedbench::scaling::Calibrate(transfers)};
}

}  // namespace

int main() try {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << ToLine(Answer(sim_scaling::ParseRequest(line))) << std::endl;
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
