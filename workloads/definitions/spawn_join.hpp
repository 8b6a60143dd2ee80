#pragma once

#include "config/schema_of.hpp"
#include "config/settings.hpp"
#include "executors/executor.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/origin.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// What they are written as.
enum class FrontEnd : std::uint8_t { kTask, kFiber, kCoroutine, kFuture };

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::FrontEnd> {
  static constexpr std::array<std::string_view, 4> value{"task", "fiber", "coroutine", "future"};
};

namespace schedbench::workloads {

struct SpawnJoinParameters {
  // clang-format off
  config::Field<"tasks", std::uint32_t{1000000}, config::Range{1U, 100000000U}, "Fibers (or what front_end says) to start"> tasks;
  config::Field<"from", Origin::kInside, config::AnyOf{}, "Who starts them: inside (one of them) or outside (a thread that is no worker)"> from;
  config::Field<"front_end", FrontEnd::kFiber, config::AnyOf{}, "What they are: task (joined by the thread outside, as a task cannot wait), fiber, coroutine or future"> front_end;
  // clang-format on
};

// One spawner starts fibers that do next to nothing and waits for all of them. One operation is one fiber,
// started, run and joined.
template <typename Fibers>
class SpawnJoinOf : public registry::IWorkload {
 public:
  explicit SpawnJoinOf(const SpawnJoinParameters& parameters)
      : parameters_(parameters),
        runs_(CheckedCount("spawn_join:tasks", "tasks in a queue", parameters.tasks,
                           Fibers::kBytesPerQueued)) {
  }

  void Prepare() override {
    std::ranges::fill(runs_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    if (ExternalSubmissions()) {
      SpawnAndJoin(scheduler);
    } else {
      done_.Add(1);
      Fibers::Go(scheduler, [this, &scheduler] {
        SpawnAndJoin(scheduler);
        done_.Done();
      });
      done_.Wait();
    }
    return parameters_.tasks;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i] != 1) {
        return "task " + std::to_string(i) + " ran " + std::to_string(runs_[i]) + " times";
      }
    }
    return "";
  }

 protected:
  const SpawnJoinParameters& Parameters() const {
    return parameters_;
  }

  bool ExternalSubmissions() const {
    return parameters_.from == Origin::kOutside;
  }

  // One for each piece of work, which adds 1 to it.
  std::vector<std::uint8_t>& Runs() {
    return runs_;
  }

 private:
  void SpawnAndJoin(executors::IExecutor& executor) {
    tasks_.Add(runs_.size());
    for (std::uint8_t& runs : runs_) {
      Fibers::Go(executor, [this, &runs] {
        ++runs;
        tasks_.Done();
      });
    }
    tasks_.Wait();
  }

  const SpawnJoinParameters parameters_;
  std::vector<std::uint8_t> runs_;  // each written by its piece of work
  typename Fibers::WaitGroup tasks_;
  typename Fibers::WaitGroup done_;
};

// `Workload`: made of SpawnJoinParameters.
template <typename Workload>
registry::WorkloadEntry SpawnJoinEntry() {
  return {
      .name = "spawn_join",
      .doc = "one spawner starts many short fibers and waits for all of them",
      .operation = "task",
      .schema = &config::SchemaOf<SpawnJoinParameters>,
      .make = [](const config::Settings& settings,
                 std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
        return std::make_unique<Workload>(settings.As<SpawnJoinParameters>());
      },
  };
}

}  // namespace schedbench::workloads
