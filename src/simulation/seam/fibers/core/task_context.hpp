#pragma once

// Replaces src/fibers/core/task_context.hpp in programs whose time is simulated: when a task starts
// or continues, the core takes over its lines and pays for its plain work.

#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_stack.hpp"

#include <cstddef>

namespace schedbench::fibers {

class TaskContext {
 public:
  void Begin(const executors::TaskBase& task, FiberStack& stack,
             sim_scaling::Place where = sim_scaling::Place::current()) noexcept {
    if (task.kind == executors::TaskKind::kSuspendedFiber) {
      return;
    }
    auto& machine = sim_scaling::Machine::Instance();
    const sim_scaling::Costs& costs = machine.CostsOfRun();
    machine.TouchBlock(&task, sim_scaling::Machine::Access::kUse, where);
    if (task.kind == executors::TaskKind::kPlain) {
      machine.Work(costs.task);
      return;
    }
    // If caches do not have the stack, it takes longer by the same time as a resume.
    machine.Work(costs.start + machine.BeginTurn(&stack) - costs.resume.front());
  }

  // The lines below the FiberStack represent the frames that the fiber uses.
  static void Continue(const FiberStack& own,
                       sim_scaling::Place where = sim_scaling::Place::current()) noexcept {
    auto& machine = sim_scaling::Machine::Instance();
    const sim_scaling::Costs& costs = machine.CostsOfRun();
    const auto bytes = static_cast<std::size_t>(costs.fiber_lines) * sim_scaling::kLineBytes;
    const char* const end = reinterpret_cast<const char*>(&own) + sim_scaling::kLineBytes;
    machine.Touch(end - bytes, bytes, sim_scaling::Machine::Access::kUse, where);
    machine.Work(machine.BeginTurn(&own));
  }

  void End(const void* /*waiters*/) noexcept {
  }
};

class AfterSwitchContext {
 public:
  void Make() noexcept {
  }

  void Run(AfterSwitch then, void* argument, FiberThread& fiber_thread, SanitizerContext* /*stack*/,
           const void* /*waiters*/) const noexcept {
    then(argument, fiber_thread);
  }
};

}  // namespace schedbench::fibers
