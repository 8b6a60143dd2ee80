#pragma once

#include "simulation/costs.hpp"

#include <functional>
#include <string>
#include <vector>

// Predictions of workloads on the simulated machine, for bench_scaling and the tests of the
// machine.

namespace sim_scaling {

// A place in the source whose accesses wait for cache lines.
struct HotPlace {
  std::string place;  // file:line
  double share;       // of the time of all workers
};

struct Prediction {
  double ns_per_operation = 0;  // the median round, the fastest and the slowest
  double fastest_ns = 0;
  double slowest_ns = 0;
  double operations = 0;  // of a round
  // Shares of the time of all workers in these rounds; with `work` they add up to 1.
  double work = 0;
  double transfer = 0;  // waiting for cache lines, outside of a search
  double search = 0;
  double idle = 0;
  std::vector<HotPlace> hottest;  // also in searches; the worst first, three at most

  // Returns what the median round takes.
  double RoundNs() const noexcept {
    return ns_per_operation * operations;
  }
};

// Runs a workload ("name:field=value,...") on `fast` (alike, with fields) with so many workers on
// the simulated machine: seven rounds, after one that makes the stacks. The same arguments give the
// same result. Ends the program where the simulated program fails. One thread.
Prediction Simulate(const Costs& costs, const std::string& workload, unsigned workers,
                    const std::string& scheduler = "fast");

// Runs a program of one thread per core, each of which calls body(core). Returns the nanoseconds
// until the last has ended.
double SimulateThreads(const Costs& costs, unsigned cores,
                       const std::function<void(unsigned)>& body);

}  // namespace sim_scaling
