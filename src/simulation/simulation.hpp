#pragma once

#include "simulation/costs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace sim_scaling {

// Most simulated workers: a core each, and one core for the thread that waits for the round.
inline constexpr unsigned kMaxWorkers = 1024;

// Runs `body` on the simulated machine. At first use of a name it runs it once before, for the
// objects that it leaves for all later runs, such as lists that are made at first use.
void RunOnMachine(const Costs& costs, const std::string& name, const std::function<void()>& body);

// Simulates MeasureStep() of steps.hpp; `step` is its number.
double SimulateStep(const Costs& costs, unsigned step, std::uint64_t count, std::uint64_t fibers);

}  // namespace sim_scaling
