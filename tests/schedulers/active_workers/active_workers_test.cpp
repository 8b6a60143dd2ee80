#include "tests/schedulers/active_workers/active_workers.hpp"

#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/threads/thread.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::tests::active_workers_test {

namespace {

TEST_P(ActiveWorkers, AreAsManyAsTheConfigSays) {
  EXPECT_EQ(scheduler_.ActiveWorkers(), kStarted);
}

TEST_P(ActiveWorkers, AreNeverNoneNorMoreThanWereStarted) {
  EXPECT_FALSE(scheduler_.SetActiveWorkers(0));
  EXPECT_FALSE(scheduler_.SetActiveWorkers(kStarted + 1));
  EXPECT_EQ(scheduler_.ActiveWorkers(), kStarted);
  EXPECT_TRUE(scheduler_.SetActiveWorkers(1));
  EXPECT_EQ(scheduler_.ActiveWorkers(), 1);
}

TEST_P(ActiveWorkers, RunTasksThatWaitForEachOtherAsSoonAsTheyAreEnough) {
  for (std::uint32_t count = 1; count <= kStarted; ++count) {
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

TEST_P(ActiveWorkers, AreWokenForWorkThatWasThereBeforeThey) {
  ASSERT_TRUE(scheduler_.SetActiveWorkers(1));
  ThreadBarrier barrier(kStarted);
  std::vector<FunctionTask> tasks(kStarted - 1);
  FunctionTask root([&] {
    for (FunctionTask& task : tasks) {
      task.SetBody([&] { barrier.ArriveAndWait(); });
      scheduler_.Submit(&task, SchedulerHint::UpToYou);
    }
    EXPECT_TRUE(scheduler_.SetActiveWorkers(kStarted));
    barrier.ArriveAndWait();
  });
  scheduler_.Submit(&root, SchedulerHint::UpToYou);
  scheduler_.WaitIdle();
}

TEST_P(ActiveWorkers, GiveAwayWhatWaitsInTheirQueuesWhenTheyAreToRest) {
  // Each of two workers runs a task that submits others and deactivates one before it ends: all
  // tasks run.
  for (int round = 0; round < PlainOrSanitized(50, 10); ++round) {
    ASSERT_TRUE(scheduler_.SetActiveWorkers(2));
    constexpr std::size_t kEach = 100;
    std::vector<ProbeTask> probes(2 * kEach);
    ThreadBarrier barrier(2);
    std::vector<FunctionTask> roots(2);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      roots[i].SetBody([&, i] {
        barrier.ArriveAndWait();
        RandomHint hint(i);
        for (std::size_t j = 0; j < kEach; ++j) {
          scheduler_.Submit(&probes[i * kEach + j], hint());
        }
        EXPECT_TRUE(scheduler_.SetActiveWorkers(1));
      });
      scheduler_.Submit(&roots[i], SchedulerHint::UpToYou);
    }
    scheduler_.WaitIdle();
    ASSERT_EQ(NotRunOnce(probes), 0);
  }
}

// "fast-1" -> "1"
std::string NumberOfThisWorker() {
  const std::string name(platform::ThreadName().data());
  return name.substr(name.rfind('-') + 1);
}

// Of schedulers whose threads keep their worker, and have its number in their name.
class NumberedWorkers : public ActiveWorkers {
 public:
  static std::vector<std::string> Specs() {
    std::vector<std::string> specs = ResizableSpecs();
    std::erase(specs, "fast:blocking=hand_off");
    return specs;
  }
};

INSTANTIATE_TEST_SUITE_P(Schedulers, NumberedWorkers, testing::ValuesIn(NumberedWorkers::Specs()),
                         SchedulerNameOf);

TEST_P(NumberedWorkers, KeepNoTaskInAnyQueueOnceTheyAreDeactivated) {
  ASSERT_TRUE(scheduler_.SetActiveWorkers(2));
  ThreadBarrier barrier(2);
  std::vector<ProbeTask> probes(3);
  std::vector<FunctionTask> roots(2);
  std::atomic<bool> is_lowered = false;  // by the first root that is not on worker 0
  std::string lowered;                   // the number of its worker; written before `has_submitted`
  std::uint64_t parks_before = 0;
  std::atomic<bool> has_submitted = false;
  for (FunctionTask& root : roots) {
    root.SetBody([&] {
      barrier.ArriveAndWait();
      const std::string worker = NumberOfThisWorker();
      if (worker != "0" && !is_lowered.exchange(true)) {
        scheduler_.Submit(&probes[0], SchedulerHint::Yield);
        scheduler_.Submit(&probes[1], SchedulerHint::UpToYou);
        scheduler_.Submit(&probes[2], SchedulerHint::Next);
        EXPECT_TRUE(scheduler_.SetActiveWorkers(1));
        lowered = worker;
        parks_before = Read(std::stoul(worker), "parks");
        has_submitted.store(true);
        return;
      }
      while (!has_submitted.load() || Read(std::stoul(lowered), "parks") == parks_before) {
        std::this_thread::yield();
      }
      for (const registry::PoolState::Queue& queue : scheduler_.State().queues) {
        if (queue.name.ends_with(" of worker " + lowered)) {
          EXPECT_EQ(queue.tasks, 0U) << queue.name;
        }
      }
    });
    scheduler_.Submit(&root, SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  EXPECT_EQ(NotRunOnce(probes), 0);
}

TEST_P(ActiveWorkers, RunNothingAnyMoreOnceTheyRestThoughOneFiberIsAllTheyHad) {
  // A fiber on each worker, which yields forever and runs again at once; all must come to worker 0.
  std::atomic<bool> stop = false;
  std::atomic<std::uint32_t> begun = 0;
  for (std::uint32_t i = 0; i < kStarted; ++i) {
    fibers::Go(scheduler_, [&] {
      begun.fetch_add(1);
      while (!stop.load()) {
        fibers::Yield();
      }
    });
  }
  while (begun.load() < kStarted) {
    std::this_thread::yield();
  }
  ASSERT_TRUE(scheduler_.SetActiveWorkers(1));
  // Until each other worker has run nothing while worker 0 ran a thousand tasks.
  for (bool moved = true; moved;) {
    std::vector<std::uint64_t> before;
    for (std::size_t i = 0; i < kStarted; ++i) {
      before.push_back(Read(i, "tasks_run"));
    }
    while (Read(0, "tasks_run") < before[0] + 1000) {
      std::this_thread::yield();
    }
    moved = false;
    for (std::size_t i = 1; i < kStarted; ++i) {
      moved = moved || Read(i, "tasks_run") != before[i];
    }
  }
  stop.store(true);
  scheduler_.WaitIdle();
}

TEST_P(ActiveWorkers, MayRestWhenTheSchedulerStops) {
  ASSERT_TRUE(scheduler_.SetActiveWorkers(1));
  std::vector<ProbeTask> probes(100);
  for (ProbeTask& probe : probes) {
    scheduler_.Submit(&probe, SchedulerHint::UpToYou);
  }
  owned_.reset();
  EXPECT_EQ(NotRunOnce(probes), 0);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ActiveWorkers, testing::ValuesIn(ResizableSpecs()),
                         SchedulerNameOf);

TEST(ActiveWorkersOfOthers, CannotBeChanged) {
  for (const char* name : {"global_fifo", "single_thread", "thread_per_task", "bounded_pool"}) {
    const auto scheduler = MakeScheduler(name, 2);
    const std::uint32_t before = scheduler->ActiveWorkers();
    EXPECT_FALSE(scheduler->SetActiveWorkers(2)) << name;
    EXPECT_EQ(scheduler->ActiveWorkers(), before) << name;
  }
}

}  // namespace

}  // namespace schedbench::tests::active_workers_test
