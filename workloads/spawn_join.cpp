#include "workloads/definitions/spawn_join.hpp"

#include "coroutines/await_future.hpp"
#include "coroutines/spawn.hpp"
#include "executors/submit.hpp"
#include "futures/combine.hpp"
#include "futures/submit.hpp"
#include "workloads/definitions/own_fibers.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace schedbench::workloads {

namespace {

// The same as plain tasks, coroutines and futures shows what a front end costs.
class SpawnJoin final : public SpawnJoinOf<OwnFibers> {
 public:
  using SpawnJoinOf::SpawnJoinOf;

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    switch (Parameters().front_end.value) {
      case FrontEnd::kTask:
        RunTasks(scheduler);
        break;
      case FrontEnd::kFiber:
        return SpawnJoinOf::Run(scheduler);
      case FrontEnd::kCoroutine:
        RunCoroutines(scheduler);
        break;
      case FrontEnd::kFuture:
        RunFutures(scheduler);
        break;
    }
    return Parameters().tasks;
  }

 private:
  using Done = futures::Future<void>;

  void RunTasks(executors::IExecutor& executor) {
    tasks_.Add(Runs().size());
    const auto spawn = [this, &executor] {
      for (std::uint8_t& runs : Runs()) {
        executors::Submit(executor, [this, &runs] {
          ++runs;
          tasks_.Done();
        });
      }
    };
    if (ExternalSubmissions()) {
      spawn();
    } else {
      executors::Submit(executor, spawn);
    }
    tasks_.Wait();
  }

  void RunFutures(executors::IExecutor& executor) {
    const auto spawn = [this, &executor] {
      std::vector<Done> done;
      done.reserve(Runs().size());
      for (std::uint8_t& runs : Runs()) {
        done.push_back(futures::Submit(executor, [&runs] {
          ++runs;
        }));
      }
      return futures::All(std::move(done));
    };
    if (ExternalSubmissions()) {
      spawn().Get();
    } else {
      futures::Submit(executor, spawn).Get();
    }
  }

  void RunCoroutines(executors::IExecutor& executor) {
    if (ExternalSubmissions()) {
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
    done.reserve(Runs().size());
    for (std::uint8_t& runs : Runs()) {
      done.push_back(coroutines::Spawn(executor, Count(runs)));
    }
    return futures::All(std::move(done));
  }

  static coroutines::Task<void> Count(std::uint8_t& runs) {
    ++runs;
    co_return;
  }

  fibers::WaitGroup tasks_;
};

const registry::WorkloadRegistration kSpawnJoin{SpawnJoinEntry<SpawnJoin>()};

}  // namespace

}  // namespace schedbench::workloads
