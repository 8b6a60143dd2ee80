#pragma once

#include "registry/scheduler.hpp"
#include "schedulers/fast/config.hpp"

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::fast {

// Starts a pool. With `workers` = 0 it has a worker for each CPU that the process may use. All
// random choices follow from `seed`. Requires: the other fields are within their ranges. Throws
// std::runtime_error if the machine refuses threads.
std::unique_ptr<registry::IScheduler> MakePool(FastConfig config = {}, std::uint64_t seed = 1);

}  // namespace schedbench::schedulers::fast
