#pragma once

#include "simulation/costs.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sim_scaling {

// A run of the simulated machine.
struct GraphRun {
  std::string graph;               // a file
  bool is_open = false;            // replay:loop=open
  std::string scheduler = "fast";  // with settings: "fast:lifo_limit=0"
  unsigned workers = 1;
  std::uint64_t seed = 1;
  unsigned rounds = 5;
};

struct GraphPrediction {
  std::vector<double> makespans_ns;  // makespans of the rounds, in their order
  // 99th percentile of the time from ready to running of a task, over all rounds: the value and the
  // ends of its 95 % interval; nothing for too few tasks.
  std::optional<std::array<double, 3>> ready_p99_ns;
  // Shares of the time of all workers; together 1.
  double work = 0;
  double transfer = 0;
  double search = 0;
  double idle = 0;
};

// Replays a task graph on the simulated machine, after a round that makes the stacks. The same
// arguments give the same result. Ends the program if the simulated program fails. One thread.
GraphPrediction SimulateGraph(const Costs& costs, const GraphRun& run);

}  // namespace sim_scaling
