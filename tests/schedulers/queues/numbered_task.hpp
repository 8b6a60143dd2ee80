#pragma once

#include "executors/task.hpp"

#include <cstddef>
#include <vector>

namespace schedbench::tests {

// A task that is never run, only moved about. A thread that takes it out of a queue counts that on
// it. The count is a plain number by purpose: a task taken twice, or not handed over in order, is a
// data race for ThreadSanitizer.
class NumberedTask final : public executors::TaskBase {
 public:
  void Run() noexcept override {
  }

  std::size_t number = 0;
  int taken = 0;
};

inline std::vector<NumberedTask> NumberedTasks(std::size_t count) {
  std::vector<NumberedTask> tasks(count);
  for (std::size_t i = 0; i < count; ++i) {
    tasks[i].number = i;
  }
  return tasks;
}

inline std::size_t NumberOf(const executors::TaskBase* task) {
  return static_cast<const NumberedTask*>(task)->number;
}

inline void Take(executors::TaskBase* task) {
  ++static_cast<NumberedTask*>(task)->taken;
}

inline std::size_t NotTakenOnce(const std::vector<NumberedTask>& tasks) {
  std::size_t wrong = 0;
  for (const NumberedTask& task : tasks) {
    wrong += task.taken == 1 ? 0 : 1;
  }
  return wrong;
}

}  // namespace schedbench::tests
