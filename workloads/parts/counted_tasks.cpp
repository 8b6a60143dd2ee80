#include "workloads/parts/counted_tasks.hpp"

#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::workloads {

CountedTasks::CountedTasks(std::string_view field, std::uint64_t tasks, std::uint32_t steps)
    : steps_(steps),
      steps_done_(CheckedCount(field, "suspended fibers", tasks, Fibers::kBytesPerFiber)) {
}

void CountedTasks::Prepare() {
  std::ranges::fill(steps_done_, 0);
}

std::string CountedTasks::Verify() const {
  for (std::size_t i = 0; i < steps_done_.size(); ++i) {
    if (steps_done_[i] != steps_) {
      return fmt::format("task {} did {} of {} steps", i, steps_done_[i], steps_);
    }
  }
  return "";
}

}  // namespace schedbench::workloads
