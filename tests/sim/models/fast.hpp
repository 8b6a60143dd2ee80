#pragma once

#include "schedulers/fast/thread_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// The least of everything: rings of two slots, a poll at every other pick, one task from the slot in a row.
inline schedulers::fast::FastConfig SmallConfig(std::uint32_t workers) {
  schedulers::fast::FastConfig config;
  config.workers.value = workers;
  config.local_queue_capacity.value = 2;
  config.lifo_limit.value = 1;
  config.global_poll_period.value = 2;
  config.steal_batch.value = 1;
  config.yield_queue_capacity.value = 2;
  return config;
}

// Counts how often each of N tasks has run. Plain numbers: that the one who checks may read them is part of what is
// promised, and a Cell notices when he may not.
template <std::size_t N>
class Runs {
 public:
  void Note(std::size_t task) {
    Cell<int>& runs = runs_[task];
    runs.Write(runs.Read() + 1);
  }

  void CheckAllOnce(const char* what) const {
    for (const Cell<int>& runs : runs_) {
      Check(runs.Read() == 1, what);
    }
  }

 private:
  std::array<Cell<int>, N> runs_;
};

}  // namespace schedbench::sim
