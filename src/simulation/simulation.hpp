#pragma once

#include "simulation/costs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace sim_scaling {

// Workers that the simulation can have; a core each, and one for the thread that waits for the round.
inline constexpr unsigned kMaxWorkers = 1024;

// Runs `body` on the simulated machine. Before the first time with this name also for what it leaves behind for all later runs, such as
// lists that are made when they are used first.
void RunOnMachine(const Costs& costs, const std::string& name, const std::function<void()>& body);

// As MeasureStep() of steps.hpp; `step` by its number.
double SimulateStep(const Costs& costs, unsigned step, std::uint64_t count, std::uint64_t fibers);

}  // namespace sim_scaling
