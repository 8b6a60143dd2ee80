#include "tests/schedulers/active_workers/active_workers.hpp"

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::tests::active_workers_stress {

namespace {

using ActiveWorkersStress = ActiveWorkers;

TEST_P(ActiveWorkersStress, RunsEachTaskOnceWhileTheNumberChangesAllTheTime) {
  std::atomic<bool> over = false;
  std::thread changing([&] {
    std::mt19937_64 random(Seed());
    while (!over.load()) {
      ASSERT_TRUE(scheduler_.SetActiveWorkers(1 + static_cast<std::uint32_t>(random() % kStarted)));
      if (random() % 4 == 0) {
        std::this_thread::yield();
      }
    }
  });
  RandomHint outer(1);
  for (const StressTime time; !time.IsOver();) {
    constexpr std::size_t kRoots = 8;
    constexpr std::size_t kEach = 40;
    std::vector<ProbeTask> probes(kRoots * kEach);
    std::vector<FunctionTask> roots(kRoots);
    for (std::size_t i = 0; i < kRoots; ++i) {
      roots[i].SetBody([&, i, hint = RandomHint(i + 2)]() mutable {
        for (std::size_t j = 0; j < kEach; ++j) {
          scheduler_.Submit(&probes[i * kEach + j], hint());
        }
      });
      scheduler_.Submit(&roots[i], outer());
    }
    scheduler_.WaitIdle();
    ASSERT_EQ(NotRunOnce(probes), 0);
  }
  over.store(true);
  changing.join();
}

TEST_P(ActiveWorkersStress, LetsAllActiveWorkersMeetAtOnceHoweverOftenTheirNumberChanged) {
  // P1 and P2 of schedulers/pool right after each change: that many tasks wait for each other.
  std::mt19937_64 random(Seed());
  for (const StressTime time; !time.IsOver();) {
    const auto count = 1 + static_cast<std::uint32_t>(random() % kStarted);
    ASSERT_TRUE(scheduler_.SetActiveWorkers(count));
    ThreadBarrier barrier(count);
    std::vector<FunctionTask> tasks(count);
    for (FunctionTask& task : tasks) {
      task.SetBody([&] { barrier.ArriveAndWait(); });
      scheduler_.Submit(&task, SchedulerHint::UpToYou);
    }
    scheduler_.WaitIdle();
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ActiveWorkersStress, testing::ValuesIn(ResizableSpecs()),
                         SchedulerNameOf);

}  // namespace

}  // namespace schedbench::tests::active_workers_stress
