#pragma once

#include "tests/sim/explorer/model.hpp"
#include "tests/sim/models/fast.hpp"

#include <cstdint>

namespace schedbench::sim::hand_off_model {

// Threads that run no worker do not end by themselves, and there is no monitor.
inline schedulers::fast::FastConfig Config(std::uint32_t workers, std::uint32_t max_threads = 8) {
  schedulers::fast::FastConfig config = SmallConfig(workers);
  config.blocking.value = schedulers::fast::Blocking::kHandOff;
  config.lifo_steal.value = schedulers::fast::LifoSteal::kNever;
  config.syscall_retake_us.value = 0;
  config.max_threads.value = max_threads;
  config.idle_thread_s.value = 2 * 86400;  // a wait of a day or more never times out there
  return config;
}

inline constexpr Limits kOrdered{.preemptions = 2, .stale_reads = 0, .spurious = 0};
inline constexpr Limits kWeaklyOrdered{.preemptions = 1, .stale_reads = 1, .spurious = 0};

}  // namespace schedbench::sim::hand_off_model
