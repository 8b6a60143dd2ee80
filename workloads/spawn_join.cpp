#include "config/schema_of.hpp"
#include "coroutines/await_future.hpp"
#include "coroutines/spawn.hpp"
#include "futures/combine.hpp"
#include "futures/submit.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/origin.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// The kind of the tasks.
enum class FrontEnd : std::uint8_t { kTask, kFiber, kCoroutine, kFuture };

constexpr std::array<std::string_view, 4> NamesOf(FrontEnd) {
  return {"task", "fiber", "coroutine", "future"};
}

namespace {

struct SpawnJoinParameters {
  // clang-format off
  config::Field<"tasks", 1000000U, config::Range{1U, 100000000U},
      "Fibers (or what front_end names) to start"> tasks;
  config::Field<"from", Origin::kInside, config::AnyOf{}, "What starts the tasks: inside (one of "
      "them) or outside (a thread that is not a worker)"> from;
  config::Field<"front_end", FrontEnd::kFiber, config::AnyOf{}, "What the tasks are: task (joined "
      "by the calling thread, because a task cannot wait), fiber, coroutine or future"> front_end;
  // clang-format on
};

// One spawner starts fibers that do almost nothing and waits for all of them. One operation is one
// fiber. Plain tasks, coroutines and futures show the cost of a front end.
class SpawnJoin final : public registry::IWorkload {
 public:
  explicit SpawnJoin(const SpawnJoinParameters& parameters)
      : parameters_(parameters),
        runs_(CheckedCount("spawn_join:tasks", "tasks in a queue", parameters.tasks,
                           Fibers::kBytesPerQueued)) {
    Fibers::RequireFrontEnd(parameters.front_end == FrontEnd::kFiber);
  }

  void Prepare() override {
    std::ranges::fill(runs_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    switch (parameters_.front_end.value) {
      case FrontEnd::kTask:
        RunTasks(scheduler);
        break;
      case FrontEnd::kFiber:
        if (Fibers::kCanWait) {
          RunFibers(scheduler);
        } else {
          RunTasks(scheduler);
        }
        break;
      case FrontEnd::kCoroutine:
        RunCoroutines(scheduler);
        break;
      case FrontEnd::kFuture:
        RunFutures(scheduler);
        break;
    }
    return parameters_.tasks;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i] != 1) {
        return fmt::format("task {} ran {} times", i, runs_[i]);
      }
    }
    return "";
  }

 private:
  using Done = futures::Future<void>;

  bool FromOutside() const {
    return parameters_.from == Origin::kOutside;
  }

  void RunTasks(executors::IExecutor& executor) {
    tasks_.Add(runs_.size());
    const auto spawn = [this, &executor] {
      for (std::uint8_t& runs : runs_) {
        Fibers::Submit(executor, [this, &runs] {
          ++runs;
          tasks_.Done();
        });
      }
    };
    if (FromOutside()) {
      spawn();
    } else {
      Fibers::Submit(executor, spawn);
    }
    tasks_.Wait();
  }

  void RunFibers(executors::IExecutor& executor) {
    if (FromOutside()) {
      SpawnAndJoinFibers(executor);
    } else {
      spawner_.Add(1);
      Fibers::Go(executor, [this, &executor] {
        SpawnAndJoinFibers(executor);
        spawner_.Done();
      });
      spawner_.Wait();
    }
  }

  void SpawnAndJoinFibers(executors::IExecutor& executor) {
    Fibers::Children fibers(executor, runs_.size());
    for (std::uint8_t& runs : runs_) {
      fibers.Start([&runs] { ++runs; });
    }
    fibers.Join();
  }

  void RunCoroutines(executors::IExecutor& executor) {
    if (FromOutside()) {
      SpawnCoroutines(executor).Get();
    } else {
      coroutines::Spawn(executor, JoinCoroutines(executor)).Get();
    }
  }

  coroutines::Task<void> JoinCoroutines(executors::IExecutor& executor) {
    co_await SpawnCoroutines(executor);
  }

  Done SpawnCoroutines(executors::IExecutor& executor) {
    std::vector<Done> done;
    done.reserve(runs_.size());
    for (std::uint8_t& runs : runs_) {
      done.push_back(coroutines::Spawn(executor, Count(runs)));
    }
    return futures::All(std::move(done));
  }

  static coroutines::Task<void> Count(std::uint8_t& runs) {
    ++runs;
    co_return;
  }

  void RunFutures(executors::IExecutor& executor) {
    const auto spawn = [this, &executor] {
      std::vector<Done> done;
      done.reserve(runs_.size());
      for (std::uint8_t& runs : runs_) {
        done.push_back(futures::Submit(executor, [&runs] { ++runs; }));
      }
      return futures::All(std::move(done));
    };
    if (FromOutside()) {
      spawn().Get();
    } else {
      futures::Submit(executor, spawn).Get();
    }
  }

  const SpawnJoinParameters parameters_;
  std::vector<std::uint8_t> runs_;  // each written by its task
  Fibers::WaitGroup tasks_;
  Fibers::WaitGroup spawner_;
};

const registry::RegistrationOf<SpawnJoin, SpawnJoinParameters> kSpawnJoin{{
    .name = "spawn_join",
    .doc = "one spawner starts many short fibers and waits for all of them",
    .operation = "task",
    .presets = {{"smoke", "tasks=1000"}, {"small", "tasks=500000"}, {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads
