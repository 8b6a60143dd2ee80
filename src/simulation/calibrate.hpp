#pragma once

#include "simulation/costs.hpp"

#include <vector>

namespace schedbench::scaling {

// Measures what operations cost on this machine, in about a second. Needs two CPUs; other programs disturb it. Adds
// what it measured for the transfer of a cache line to `transfers`; the result has their median.
sim_scaling::Costs Calibrate(std::vector<double>& transfers);

// The median of each cost. Requires: at least one.
sim_scaling::Costs MedianOf(const std::vector<sim_scaling::Costs>& all);

// The transfer of a cache line alone.
double TransferNs();

}  // namespace schedbench::scaling
