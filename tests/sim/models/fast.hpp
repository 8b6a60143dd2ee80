#pragma once

#include "schedulers/fast/worker.hpp"

#include <cstdint>

namespace schedbench::sim {

// The least of everything: rings of two slots, a poll at every other pick, one task from the slot
// in a row. The global queue is a list under a lock: in one without a lock, a thread that stops in
// the middle of a push keeps two idle workers rechecking in turn, which a model reports as a
// livelock. A real worker then yields its CPU to that thread. Some models have a queue without a
// lock.
inline schedulers::fast::FastConfig SmallConfig(std::uint32_t workers) {
  schedulers::fast::FastConfig config;
  config.workers.value = workers;
  config.local_queue_capacity.value = 2;
  config.global_queue.value = schedulers::GlobalQueueKind::kMutex;
  config.lifo_limit.value = 1;
  config.global_poll_period.value = 2;
  config.steal_batch.value = 1;
  config.yield_queue_capacity.value = 2;
  config.search_pause_us.value = 0;
  return config;
}

}  // namespace schedbench::sim
