#pragma once

#include "tests/sim/explorer/explorer.hpp"

#include <functional>
#include <vector>

namespace schedbench::sim {

// Explores `models` in child processes, at most `jobs` at a time: each has a machine of its own, and one that dies
// takes nobody along. Calls `done` with each finding as it comes, in any order.
void ExploreAll(const std::vector<const Model*>& models, unsigned jobs,
                const std::function<Effort(const Model&)>& effort_of,
                const std::function<void(const Model&, const Finding&)>& done);

}  // namespace schedbench::sim
