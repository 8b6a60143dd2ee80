#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/cond_var.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "tests/schedulers/conformance/conformance.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace schedbench::tests::parallelism_test {

namespace {

// Work conservation: as many tasks as workers, none of which ends before all have begun. One worker
// that sleeps while a task waits is a deadlock.

TEST_P(Conformance, RunsAsManyBlockingTasksFromOutsideAsItHasWorkers) {
  constexpr int kRounds = PlainOrSanitized(200, 40);
  for (int round = 0; round < kRounds; ++round) {
    ThreadBarrier barrier(Workers());
    std::vector<FunctionTask> tasks(Workers());
    for (FunctionTask& task : tasks) {
      task.SetBody([&] { barrier.ArriveAndWait(); });
      scheduler_.Submit(&task, SchedulerHint::UpToYou);
    }
    scheduler_.WaitIdle();
  }
}

TEST_P(Conformance, RunsAsManyBlockingTasksFromInsideAsItHasWorkers) {
  constexpr int kRounds = PlainOrSanitized(200, 40);
  for (const SchedulerHint hint : {SchedulerHint::UpToYou, SchedulerHint::Yield}) {
    for (int round = 0; round < kRounds; ++round) {
      ThreadBarrier barrier(Workers());
      std::vector<FunctionTask> tasks(Workers() - 1);
      FunctionTask root([&] {
        for (FunctionTask& task : tasks) {
          task.SetBody([&] { barrier.ArriveAndWait(); });
          scheduler_.Submit(&task, hint);
        }
        barrier.ArriveAndWait();
      });
      scheduler_.Submit(&root, SchedulerHint::UpToYou);
      scheduler_.WaitIdle();
    }
  }
}

TEST_P(Conformance, RunsBlockingTasksThatBeginOneAfterTheOther) {
  // Each submits the next one before it blocks: the wake-up comes from a worker, the last one
  // awake.
  constexpr int kRounds = PlainOrSanitized(200, 40);
  for (int round = 0; round < kRounds; ++round) {
    ThreadBarrier barrier(Workers());
    std::vector<FunctionTask> tasks(Workers());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].SetBody([&, i] {
        if (i + 1 < tasks.size()) {
          scheduler_.Submit(&tasks[i + 1], SchedulerHint::UpToYou);
        }
        barrier.ArriveAndWait();
      });
    }
    scheduler_.Submit(&tasks[0], SchedulerHint::UpToYou);
    scheduler_.WaitIdle();
  }
}

TEST_P(Conformance, RunsOneTaskAtATimeOnOneWorker) {
  const auto pool = MakeScheduler(Name(), 1);
  // In two steps, between which a second task would be lost. Atomic, because a strict
  // ThreadSanitizer takes each task for a thread.
  std::atomic<std::size_t> runs{0};
  const auto count = Repeat(QuickOrFull<std::size_t>(200, 1000));
  for (std::size_t i = 0; i < count; ++i) {
    executors::Submit(*pool, [&runs] {
      const std::size_t before = runs.load(std::memory_order_relaxed);  // relaxed: only a count
      std::this_thread::yield();
      runs.store(before + 1, std::memory_order_relaxed);  // relaxed: as above
    });
  }
  pool->WaitIdle();
  EXPECT_EQ(runs.load(std::memory_order_relaxed), count);  // relaxed: WaitIdle() orders
}

// A worker that spins burns all of a pause, and on a busy machine still a large part of it. A tenth
// is far from either.
std::chrono::milliseconds Pause() {
  return std::chrono::milliseconds(QuickOrFull(250, 500));
}

std::uint64_t ATenthOfThePauseNs() {
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(Pause()).count()) / 10;
}

// Tasks that submit themselves again until the test stops them: no queue of any worker ever gets
// empty.
class Treadmill {
 public:
  Treadmill(IExecutor& executor, std::size_t count, SchedulerHint hint)
      : tasks_(count) {
    for (FunctionTask& task : tasks_) {
      task.SetBody([this, &executor, &task, hint] {
        if (!stop_.load(std::memory_order_relaxed)) {
          executor.Submit(&task, hint);
        }
      });
    }
  }

  std::vector<FunctionTask>& Tasks() {
    return tasks_;
  }

  void Stop() {
    stop_ = true;
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<FunctionTask> tasks_;
};

TEST_P(Conformance, RunsATaskFromOutsideAlthoughTheWorkersAlwaysHaveTheirOwn) {
  for (int round = 0; round < 10; ++round) {
    Treadmill treadmill(scheduler_, std::size_t{2} * Workers(), SchedulerHint::UpToYou);
    for (FunctionTask& task : treadmill.Tasks()) {
      scheduler_.Submit(&task, SchedulerHint::UpToYou);
    }
    FunctionTask last([&] { treadmill.Stop(); });
    scheduler_.Submit(&last, SchedulerHint::UpToYou);
    scheduler_.WaitIdle();  // ends only if the last one runs
  }
}

TEST_P(Conformance, RunsATaskThatYieldedAlthoughTheWorkersAlwaysHaveTheirOwn) {
  for (int round = 0; round < 10; ++round) {
    Treadmill treadmill(scheduler_, std::size_t{2} * Workers(), SchedulerHint::UpToYou);
    FunctionTask last([&] { treadmill.Stop(); });
    FunctionTask root([&] {
      for (FunctionTask& task : treadmill.Tasks()) {
        scheduler_.Submit(&task, SchedulerHint::UpToYou);
      }
      scheduler_.Submit(&last, SchedulerHint::Yield);
    });
    scheduler_.Submit(&root, SchedulerHint::UpToYou);
    scheduler_.WaitIdle();
  }
}

TEST_P(Conformance, RunsAQueuedTaskAlthoughATaskSubmitsItselfAsNext) {
  for (const SchedulerHint hint : {SchedulerHint::UpToYou, SchedulerHint::Yield}) {
    for (int round = 0; round < 10; ++round) {
      Treadmill treadmill(scheduler_, std::size_t{2} * Workers(), SchedulerHint::Next);
      FunctionTask last([&] { treadmill.Stop(); });
      FunctionTask root([&] {
        for (FunctionTask& task : treadmill.Tasks()) {
          scheduler_.Submit(&task, SchedulerHint::Next);
        }
        scheduler_.Submit(&last, hint);
      });
      scheduler_.Submit(&root, SchedulerHint::UpToYou);
      scheduler_.WaitIdle();
    }
  }
}

TEST_P(Conformance, BurnsNoCpuWhileItHasNothingToDo) {
  // Idle after work, with the traces that work may leave behind.
  std::vector<ProbeTask> tasks(1000);
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  const std::uint64_t before = platform::ProcessCpuNs();
  // What is tested: the pause itself.
  std::this_thread::sleep_for(Pause());
  EXPECT_LT(platform::ProcessCpuNs() - before, ATenthOfThePauseNs());
}

TEST_P(Conformance, BurnsNoCpuWhileFibersWaitForAMutexAChannelAndACondition) {
  fibers::Mutex mutex;
  fibers::Mutex held;
  fibers::Channel<int> channel(0);
  fibers::CondVar changed;
  bool is_true = false;  // guarded by `mutex`
  fibers::WaitGroup about_to_wait;
  fibers::WaitGroup ended;
  about_to_wait.Add(3);
  ended.Add(3);
  int received = 0;
  fibers::Event release;
  fibers::WaitGroup holds;
  holds.Add(1);
  fibers::Go(scheduler_, [&] {
    const fibers::UniqueLock lock(held);
    holds.Done();
    release.Wait();
  });
  holds.Wait();
  fibers::Go(scheduler_, [&] {
    about_to_wait.Done();
    const fibers::UniqueLock lock(held);
    ended.Done();
  });
  fibers::Go(scheduler_, [&] {
    fibers::UniqueLock lock(mutex);
    about_to_wait.Done();
    changed.Wait(lock, [&] { return is_true; });
    ended.Done();
  });
  fibers::Go(scheduler_, [&] {
    about_to_wait.Done();
    received = channel.Receive();
    ended.Done();
  });
  about_to_wait.Wait();
  scheduler_.WaitIdle();  // all are suspended
  const std::uint64_t before = platform::ProcessCpuNs();
  // What is tested: the pause itself.
  std::this_thread::sleep_for(Pause());
  EXPECT_LT(platform::ProcessCpuNs() - before, ATenthOfThePauseNs());
  release.Fire();
  fibers::Go(scheduler_, [&] {
    channel.Send(7);
    const fibers::UniqueLock lock(mutex);
    is_true = true;
    changed.NotifyAll();
  });
  ended.Wait();
  scheduler_.WaitIdle();
  EXPECT_EQ(received, 7);
}

}  // namespace

}  // namespace schedbench::tests::parallelism_test
