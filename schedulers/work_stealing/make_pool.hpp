#pragma once

#include "registry/scheduler.hpp"
#include "schedulers/work_stealing/config.hpp"

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::work_stealing {

// Makes the pool that the config describes. Requires: workers >= 1, and that Check() found nothing.
std::unique_ptr<registry::IScheduler> MakePool(const WorkStealingConfig& config,
                                               std::uint64_t seed);

}  // namespace schedbench::schedulers::work_stealing
