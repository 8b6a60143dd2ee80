#pragma once

#include "workloads/parts/fibers.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// Fibers that all repeat a step equally often: the tasks of the benchmarks of the toucan report.
class CountedTasks {
 public:
  // Throws std::runtime_error when the tasks would not fit into RAM. `field`: its name on the
  // command line, "slow_thread:tasks".
  CountedTasks(std::string_view field, std::uint64_t tasks, std::uint32_t steps);

  // Forgets the former round.
  void Prepare();

  // Called before the first Start() of a round.
  void Begin() noexcept {
    done_.Add(steps_done_.size());
  }

  // Starts task `index`, below Count(). Any thread.
  template <std::copy_constructible Step>
  void Start(executors::IExecutor& executor, std::size_t index, Step step) {
    Fibers::Go(executor, [this, &steps_done = steps_done_[index], step = std::move(step)] {
      for (std::uint32_t i = 0; i < steps_; ++i) {
        step();
        ++steps_done;
      }
      done_.Done();
    });
  }

  // Returns when all have ended.
  void Wait() noexcept {
    done_.Wait();
  }

  std::size_t Count() const noexcept {
    return steps_done_.size();
  }

  // Returns the steps of all tasks.
  std::uint64_t Steps() const noexcept {
    return std::uint64_t{steps_} * steps_done_.size();
  }

  // Returns "" or which task has not done its steps.
  std::string Verify() const;

 private:
  const std::uint32_t steps_;
  std::vector<std::uint32_t> steps_done_;  // steps of each task, written by it
  Fibers::WaitGroup done_;
};

}  // namespace schedbench::workloads
