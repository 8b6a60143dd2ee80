#include "tests/bench/task_steps.hpp"

#include "executors/task.hpp"
#include "fibers/sched/spawn.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/fast/worker.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "stats/order_statistics.hpp"
#include "tests/bench/contender.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::tests {

using simulation::Contender;

namespace {

constexpr int kRoundsOfSteps = 11;

void PrintStep(const char* step, std::vector<double> ns) {
  const auto [low, high] = std::ranges::minmax(ns);
  fmt::print("{:<60} {:8.1f} [{:.1f} .. {:.1f}]\n", step, stats::Median(ns), low, high);
}

// `steps`: how many of them one operation of the workload contains.
void PrintWorkload(const char* step, const std::string& workload, int steps) {
  Contender contender("fast", workload, 1);
  contender.RunRound();
  std::vector<double> ns;
  for (int round = 0; round < kRoundsOfSteps; ++round) {
    ns.push_back(contender.RunRound() / steps);
  }
  PrintStep(step, ns);
}

class EmptyTask final : public executors::TaskBase {
 public:
  void Run() noexcept override {
  }
};

// From one thread, so that no cache line moves between cores: the least that a step costs.
template <typename Step>
void PrintLoop(const char* step, int count, Step body, int steps_of_body = 1) {
  std::vector<double> ns;
  for (int round = 0; round < kRoundsOfSteps; ++round) {
    const std::uint64_t start = platform::NowNs();
    for (int i = 0; i < count; ++i) {
      body();
    }
    ns.push_back(static_cast<double>(platform::NowNs() - start) / (count * steps_of_body));
  }
  PrintStep(step, ns);
}

void PrintQueueSteps() {
  constexpr std::size_t kCapacity = 256;
  static std::array<EmptyTask, kCapacity> tasks;
  std::array<executors::TaskBase*, kCapacity> out{};
  schedulers::WorkStealingQueue queue(kCapacity, schedulers::Sharing::kStealable);
  for (EmptyTask& task : tasks) {
    queue.TryPush(&task);
  }
  PrintLoop("queue, pick: a pop and a push of a local queue", 1'000'000,
            [&] { queue.TryPush(queue.TryPop()); });
  PrintLoop("steal: half of 256 tasks, and their push", 10'000, [&] {
    const std::size_t stolen = queue.Grab(out);
    for (std::size_t i = 0; i < stolen; ++i) {
      queue.TryPush(out[i]);
    }
  });
}

// The worker has parked before each submit: WaitIdle() returns when it announces that.
void PrintPark() {
  schedulers::fast::FastConfig config;
  config.workers.value = 1;
  schedulers::fast::ThreadPool pool(config, 1);
  EmptyTask task;
  PrintLoop("park, unpark: a submit to a parked worker, and WaitIdle", 20'000, [&] {
    pool.Submit(&task, executors::SchedulerHint::UpToYou);
    pool.WaitIdle();
  });
  PrintLoop("start, stop: a pool of one worker", 200,
            [&] { const schedulers::fast::ThreadPool fresh(config, 1); });
}

// A fiber with a handle each, of which 50 are started before they are joined.
void PrintSpawnAndJoin() {
  schedulers::fast::FastConfig config;
  config.workers.value = 1;
  schedulers::fast::ThreadPool pool(config, 1);
  constexpr int kHandles = 50;
  fibers::Spawn(pool, [] {
    std::array<fibers::JoinHandle<int>, kHandles> handles;
    PrintLoop(
        "spawn, join: a fiber that returns a number, one of 50", 2'000'000 / kHandles,
        [&handles] {
          for (fibers::JoinHandle<int>& handle : handles) {
            handle = fibers::Spawn([] { return 1; });
          }
          for (fibers::JoinHandle<int>& handle : handles) {
            handle.Join();
          }
        },
        kHandles);
  }).Join();
}

}  // namespace

void PrintTaskSteps() {
  fmt::print("\nsteps of a task on fast, one worker; ns: median [min .. max] of {} rounds\n",
             kRoundsOfSteps);
  PrintWorkload("submit, pick, run: a plain task", "spawn_join:front_end=task", 1);
  PrintWorkload("submit, pick, run: a fiber, from start to end", "spawn_join", 1);
  PrintWorkload("submit: an external one of a plain task, and its run",
                "spawn_join:front_end=task,from=outside", 1);
  PrintWorkload("suspend, resume: a fiber yields", "yield", 1);
  PrintWorkload("suspend, resume: a message wakes a fiber", "pingpong", 2);
  PrintSpawnAndJoin();
  PrintQueueSteps();
  PrintPark();
}

}  // namespace schedbench::tests
