#pragma once

// Replaces src/executors/scheduler_side.hpp in programs whose time is simulated: the reports of
// submits to ThreadSanitizer go to the Machine.

#include "executors/executor.hpp"
#include "simulation/machine/machine.hpp"

#include <cstddef>

namespace schedbench::fibers {
class ForkedCall;
}

namespace schedbench::executors {

class [[maybe_unused]] SchedulerSide {
 public:
  SchedulerSide() noexcept {
  }
  ~SchedulerSide() {
  }

  SchedulerSide(const SchedulerSide&) = delete;
  SchedulerSide& operator=(const SchedulerSide&) = delete;

  static void Enter() noexcept {
  }
  static void Leave() noexcept {
  }
};

using UserSide = SchedulerSide;

inline void HappensBefore(const void* /*thing*/) noexcept {
}
inline void HappensAfter(const void* /*thing*/) noexcept {
}
inline void ForgetMemory(const void* /*begin*/, std::size_t /*bytes*/) noexcept {
}

// A submitter has written to the task. If it makes a fiber, it has allocated it.
inline void HappensBefore(const TaskBase& task,
                          sim_scaling::Place where = sim_scaling::Place::current()) noexcept {
  auto& machine = sim_scaling::Machine::Instance();
  if (task.kind == TaskKind::kNewFiber) {
    machine.Work(machine.CostsOfRun().create);
  }
  if (task.kind != TaskKind::kSuspendedFiber) {
    machine.TouchBlock(&task, sim_scaling::Machine::Access::kStore, where);
  }
}

// A parent is about to fork the call. It pays here for the join, too.
inline void HappensBefore(const fibers::ForkedCall* /*call*/) noexcept {
  auto& machine = sim_scaling::Machine::Instance();
  machine.Work(machine.CostsOfRun().fork);
}

inline void HappensAfter(const TaskBase& /*task*/) noexcept {
}
inline void HappensBefore(const IExecutor& /*executor*/) noexcept {
}
inline void HappensAfter(const IExecutor& /*executor*/) noexcept {
}

}  // namespace schedbench::executors
