#pragma once

#include "executors/hint.hpp"
#include "graph/task_graph.hpp"
#include "workloads/parts/baton.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace schedbench::workloads {

// A task graph in the form that replays run: the actions of each task are contiguous in memory. In
// the order in which a scheduler runs tasks, this costs the fewest cache misses (measured: with
// tables of steps, events and tasks, a replay of skynet took 2.2 times as long as the program).
class ReplayProgram {
 public:
  enum class Kind : std::uint8_t {
    kEnd,
    kCompute,  // a long computation
    kSpawn,
    kSubmit,  // spawns a plain task
    kWake,
    kWait,   // its baton follows
    kSleep,  // a wait with its recorded length
    kYield,  // its target is the number of yields
  };

  // The hint of a spawn of a fiber that its spawner joins: a wake follows that is not done, but
  // names the baton.
  static constexpr auto kJoined = executors::SchedulerHint::Next;

  // A step of a task, and the computation before it: 8 bytes.
  class Action {
   public:
    Action() = default;
    Action(Kind kind, std::uint64_t work, std::uint32_t target, executors::SchedulerHint hint);

    Kind GetKind() const noexcept {
      return static_cast<Kind>(bits_ & 7U);
    }
    executors::SchedulerHint Hint() const noexcept {
      return static_cast<executors::SchedulerHint>((bits_ >> 3U) & 3U);
    }
    // Returns the steps of SpinWork before the action.
    std::uint64_t Work() const noexcept {
      return GetKind() == Kind::kCompute ? bits_ >> kWorkShift : (bits_ >> kWorkShift) & kMostWork;
    }
    // Returns for kSpawn, kSubmit the first slot of the task; for kWake the slot of the baton; for
    // kSleep its index; for kYield the number of yields.
    std::uint32_t Target() const noexcept {
      return static_cast<std::uint32_t>(bits_ >> 32U);
    }

    static constexpr unsigned kWorkShift = 5;
    static constexpr std::uint64_t kMostWork = (std::uint64_t{1} << (32U - kWorkShift)) - 1;

   private:
    std::uint64_t bits_ = 0;
  };

  // Memory for an action, a wait's baton, or, before a task's actions, its number of runs.
  union Slot {
    Slot() noexcept
        : runs(0) {
    }
    std::uint64_t runs;  // written by the task
    Action action;
    Baton baton;
  };
  static_assert(sizeof(Slot) == 8);

  // `percent`: the share of the recorded length of computations. `is_open`: the caller does what
  // came from outside, and no wait sleeps.
  ReplayProgram(const graph::TaskGraph& graph, std::uint32_t percent, bool is_open);

  // Makes it ready for another run. Requires: no fiber runs.
  void Reset() noexcept;

  // Returns the first slot of a task, its number of runs. Its actions follow.
  Slot& Begin(std::uint32_t task) noexcept {
    return slots_[begins_[task]];
  }
  Slot& At(std::uint32_t slot) noexcept {
    return slots_[slot];
  }
  std::size_t TaskCount() const noexcept {
    return begins_.size();
  }
  std::chrono::nanoseconds SleepOf(const Action& action) const noexcept {
    return sleeps_[action.Target()];
  }

 private:
  class Compiler;

  std::unique_ptr<Slot[]> slots_;
  std::vector<std::uint32_t> begins_;  // first slot by task
  std::vector<std::uint32_t> batons_;  // slots of batons
  std::vector<std::chrono::nanoseconds> sleeps_;
};

}  // namespace schedbench::workloads
