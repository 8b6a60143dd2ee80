#pragma once

#include "simulation/costs.hpp"

#include <functional>
#include <string>

namespace sim_scaling {

// Runs `body` on the simulated machine. Before the first time with this name also for what it leaves behind for all later runs, such as
// lists that are made when they are used first.
void RunOnMachine(const Costs& costs, const std::string& name, const std::function<void()>& body);

}  // namespace sim_scaling
