#pragma once

#include "tests/schedulers/conformance/conformance.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests {

// Schedulers whose number of workers can be changed while they run, with all kinds of queues to
// give away from.
inline std::vector<std::string> ResizableSpecs() {
  return {"fast",
          "fast:lifo_steal=wake",
          "fast:global_queue=lock_free",
          "fast:blocking=hand_off",
          "fast:yield_queue_capacity=1",
          "work_stealing",
          "work_stealing:notify=all_under_lock",
          "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetAllFromGlob",
          "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealOne"};
}

class ActiveWorkers : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::uint32_t kStarted = 4;

  std::uint64_t Read(std::size_t worker, std::string_view metric) const {
    return scheduler_.ReadWorkers()[worker].values[metrics::MetricIndex(metric)];
  }

  const HangGuard hang_guard_{"a test of changing numbers of workers"};
  std::unique_ptr<registry::IScheduler> owned_ = MakeScheduler(GetParam(), kStarted);
  registry::IScheduler& scheduler_ = *owned_;
};

}  // namespace schedbench::tests
