#pragma once

#include "simulation/costs.hpp"

#include <vector>

namespace schedbench::scaling {

// Measures the costs of operations on this machine, in about a second. Needs two CPUs; other
// programs disturb it. Appends its measurements of the transfer of a cache line to `transfers`; the
// result has their median.
sim_scaling::Costs Calibrate(std::vector<double>& transfers);

// Returns the median of each cost. Requires: at least one.
sim_scaling::Costs MedianOf(const std::vector<sim_scaling::Costs>& all);

// Measures only the transfer of a cache line.
double TransferNs();

}  // namespace schedbench::scaling
