#pragma once

#include "tests/sim/scaling/costs.hpp"

namespace schedbench::scaling {

// Measures what operations cost on this machine, in about ten seconds. Needs two CPUs; other programs disturb it.
sim_scaling::Costs Calibrate();

// The transfer of a cache line alone.
double TransferNs();

}  // namespace schedbench::scaling
