#pragma once

#include "tests/sim/explorer/explorer.hpp"

#include <vector>

namespace schedbench::sim {

// Looks for a failure of one of `models`, each within its own limits: a look at each first, then
// all of each, for `seconds` in total. The finding counts all executions; its schedule begins with
// the name of the model that failed.
Finding Hunt(const std::vector<const Model*>& models, double seconds);

}  // namespace schedbench::sim
