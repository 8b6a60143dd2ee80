// The parts of `fast` that a config turns on, and tasks that are submitted many at a time.
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace schedbench::tests::completed_test {

namespace {

using executors::SchedulerHint;
using executors::Submit;
using executors::TaskBase;
using platform::ThreadEvent;
using registry::IScheduler;

std::unique_ptr<IScheduler> MakeFast(std::uint32_t workers,
                                     std::initializer_list<Override> overrides = {}) {
  return MakeScheduler("fast", workers, overrides);
}

class CountedTask final : public TaskBase {
 public:
  explicit CountedTask(std::atomic<int>& runs)
      : runs_(runs) {
  }

  void Run() noexcept override {
    ++runs_;
  }

 private:
  std::atomic<int>& runs_;
};

// ---- Yielding ----

// The place of a task that yielded is behind what is in the global queue at its time, though the
// others that yielded before it, and their place, have been stolen meanwhile.
TEST(FastYield, OfATaskIsBehindWhatIsInTheGlobalQueueThoughThievesTookThoseThatYieldedBefore) {
  const HangGuard hang_guard("a task that yielded");
  const auto pool = MakeFast(2, {{"global_poll_period", std::uint64_t{1'000'000}}});
  RunOrder order;
  ThreadEvent thief_is_held;
  ThreadEvent release_thief;
  ThreadEvent thief_has_stolen;
  ThreadEvent release_stolen;
  ThreadEvent first_is_held;
  ThreadEvent release_first;
  ThreadEvent second_is_held;
  ThreadEvent release_second;
  Submit(*pool, [&] {
    thief_is_held.Set();
    release_thief.Wait();
  });
  thief_is_held.Wait();
  Submit(*pool, [&] {
    Submit(
        *pool,
        [&] {
          thief_has_stolen.Set();
          release_stolen.Wait();
        },
        SchedulerHint::Yield);
    first_is_held.Set();
    release_first.Wait();
  });
  first_is_held.Wait();
  // Taken before the task that yielded, which gets its place at this check.
  Submit(*pool, [&] {
    second_is_held.Set();
    release_second.Wait();
    Submit(*pool, [&] { order.Add("yielded"); }, SchedulerHint::Yield);
  });
  release_first.Set();
  second_is_held.Wait();
  release_thief.Set();
  thief_has_stolen.Wait();
  Submit(*pool, [&] { order.Add("global"); });
  release_second.Set();
  while (order.Text().size() < std::string_view("global yielded").size()) {
    std::this_thread::yield();
  }
  release_stolen.Set();
  pool->WaitIdle();
  EXPECT_EQ(order.Text(), "global yielded");
}

// ---- lifo_steal ----

// Runs a hundred tasks, one at a time. Each puts another into its slot and then holds its worker
// until that has run: with one taker elsewhere.
void RunTasksThatWaitForTheirSlot(registry::IScheduler& pool) {
  const HangGuard hang_guard("a steal from a slot");
  for (int round = 0; round < 100; ++round) {
    ThreadEvent ran;
    Submit(pool, [&] {
      Submit(pool, [&] { ran.Set(); }, SchedulerHint::Next);
      ran.Wait();
    });
    pool.WaitIdle();
  }
  EXPECT_EQ(Totals(pool)["lifo_stolen"], 100U);
  EXPECT_EQ(Totals(pool)["from_lifo"], 0U);
}

TEST(FastLifoSteal, WakeLetsASleepingWorkerTakeTheTaskInTheSlotOfABusyOne) {
  const auto pool = MakeFast(2, {{"lifo_steal", std::string("wake")}});
  RunTasksThatWaitForTheirSlot(*pool);
}

// Without a limit of time, because the watch over slots finds the task sooner or later.
TEST(FastLifoSteal, DelayedLetsAnIdleWorkerTakeATaskThatWaitsForItsWorker) {
  const auto pool = MakeFast(4, {{"lifo_steal", std::string("delayed")}});
  RunTasksThatWaitForTheirSlot(*pool);
}

TEST(FastLifoSteal, DelayedLetsAWorkerThatBecomesIdleWatchWhereTheWatcherHasWork) {
  const HangGuard hang_guard("a steal from a slot");
  const auto pool = MakeFast(4);
  for (int round = 0; round < 100; ++round) {
    ThreadEvent ran;
    for (int busy = 0; busy < 2; ++busy) {
      Submit(*pool, [&] { ran.Wait(); });
    }
    Submit(*pool, [&] {
      Submit(*pool, [&] { ran.Set(); }, SchedulerHint::Next);
      ran.Wait();
    });
    pool->WaitIdle();
  }
  EXPECT_EQ(Totals(*pool)["lifo_stolen"], 100U);
}

// A fiber resumes another one, and then both work for a while: on one worker one after the other,
// on two side by side.
TEST(FastLifoSteal, DelayedLetsResumedFibersBypassASlotInWhichTheyWait) {
  const HangGuard hang_guard("a slot that is bypassed");
  const auto pool = MakeFast(2);
  fibers::Channel<int> there(0);
  fibers::Channel<int> back(0);
  const auto work = [] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  fibers::Go(*pool, [&] {
    while (Totals(*pool)["lifo_bypassed"] == 0) {
      there.Send(1);
      work();
      back.Receive();
      work();
    }
    there.Close();
  });
  fibers::Go(*pool, [&] {
    while (there.ReceiveOrClosed()) {
      work();
      back.Send(1);
      work();
    }
  });
  pool->WaitIdle();
  EXPECT_GT(Totals(*pool)["lifo_bypassed"], 0U);
}

TEST(FastLifoSteal, NeverLeavesTheTaskInTheSlotToItsWorker) {
  const HangGuard hang_guard("a task in a slot");
  const auto pool = MakeFast(2, {{"lifo_steal", std::string("never")}});
  for (int round = 0; round < 100; ++round) {
    ThreadEvent other_ran;
    std::atomic<bool> ran = false;
    Submit(*pool, [&] {
      Submit(*pool, [&] { ran = true; }, SchedulerHint::Next);
      // The other worker has looked for work, found this, and run it.
      Submit(*pool, [&] { other_ran.Set(); });
      other_ran.Wait();
      EXPECT_FALSE(ran);
    });
    pool->WaitIdle();
    EXPECT_TRUE(ran);
  }
  EXPECT_EQ(Totals(*pool)["lifo_stolen"], 0U);
}

TEST(FastLifoSteal, SearchingWakesNoWorkerForTheTaskInASlot) {
  const HangGuard hang_guard("a task in a slot");
  const auto pool = MakeFast(2, {{"lifo_steal", std::string("searching")}});
  for (int i = 0; i < 100; ++i) {
    Submit(*pool, [&] { Submit(*pool, [] {}, SchedulerHint::Next); });
    pool->WaitIdle();
  }
  EXPECT_EQ(Totals(*pool)["wakes_sent"], 0U);
  EXPECT_EQ(Totals(*pool)["from_lifo"] + Totals(*pool)["lifo_stolen"], 100U);
}

// ---- wait_idle ----

TEST(FastWaitIdle, OfTasksReturnsWhileAFiberIsSuspended) {
  const HangGuard hang_guard("WaitIdle of tasks");
  const auto pool = MakeFast(2);
  fibers::Event gate;
  std::atomic<bool> ended = false;
  fibers::Go(*pool, [&] {
    gate.Wait();
    ended = true;
  });
  pool->WaitIdle();
  EXPECT_FALSE(ended);
  gate.Fire();
  pool->WaitIdle();
  EXPECT_TRUE(ended);
}

TEST(FastWaitIdle, OfFibersReturnsWhenTheLastSuspendedOneHasEnded) {
  const HangGuard hang_guard("WaitIdle of fibers");
  for (const std::uint32_t workers : {1, 2, 4}) {
    const auto pool = MakeFast(workers, {{"wait_idle", std::string("fibers")}});
    for (int round = 0; round < 50; ++round) {
      fibers::Event gate;
      std::atomic<int> ended = 0;
      for (int i = 0; i < 10; ++i) {
        fibers::Go(*pool, [&] {
          gate.Wait();
          fibers::Go([&] { ++ended; });
          ++ended;
        });
      }
      std::jthread firing([&] { gate.Fire(); });
      pool->WaitIdle();
      EXPECT_EQ(ended, 20);
    }
  }
}

TEST(WorkStealingWaitIdle, ByTheSharedCounterMeansTheSameAsOfTasks) {
  const HangGuard hang_guard("WaitIdle by a counter");
  for (const std::uint32_t workers : {1, 2, 4}) {
    const auto pool =
        MakeScheduler("work_stealing", workers, {{"wait_idle", std::string("shared_counter")}});
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> runs = 0;
      for (int i = 0; i < 10; ++i) {
        Submit(*pool, [&] {
          Submit(*pool, [&] { ++runs; });
          ++runs;
        });
      }
      pool->WaitIdle();
      EXPECT_EQ(runs, 20);
    }
  }
}

// ---- SubmitAll ----

class SubmitAll : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schedulers, SubmitAll, testing::ValuesIn(EverySchedulerSpec()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return TestNameOf(info.param);
                         });

TEST_P(SubmitAll, RunsEachTaskOfTheListOnceFromInsideAndOutside) {
  const HangGuard hang_guard("SubmitAll");
  const auto pool = MakeScheduler(GetParam(), 4);
  constexpr int kTasks = 1000;
  for (const SchedulerHint hint :
       {SchedulerHint::UpToYou, SchedulerHint::Next, SchedulerHint::Yield}) {
    std::atomic<int> runs = 0;
    std::vector<std::unique_ptr<CountedTask>> tasks;
    const auto list = [&] {
      IntrusiveList<TaskBase> made;
      for (int i = 0; i < kTasks; ++i) {
        made.PushBack(tasks.emplace_back(std::make_unique<CountedTask>(runs)).get());
      }
      return made;
    };
    pool->SubmitAll(list(), hint);
    pool->WaitIdle();
    EXPECT_EQ(runs, kTasks);
    IntrusiveList<TaskBase> inside = list();
    Submit(*pool, [&] { pool->SubmitAll(std::move(inside), hint); });
    pool->WaitIdle();
    EXPECT_EQ(runs, 2 * kTasks);
    pool->SubmitAll({}, hint);
  }
  EXPECT_EQ(pool->ExternalSubmissions(), 3U * (kTasks + 1));
}

TEST(FastSubmitAll, WakesAWorkerForEachTaskWhileSomeSleep) {
  const HangGuard hang_guard("SubmitAll");
  constexpr std::uint32_t kWorkers = 4;
  const auto pool = MakeFast(kWorkers);
  // Each of them blocks until all have begun: they need as many workers at the same time.
  for (int round = 0; round < 100; ++round) {
    class MeetingTask final : public TaskBase {
     public:
      explicit MeetingTask(std::atomic<std::uint32_t>& missing)
          : missing_(missing) {
      }

      void Run() noexcept override {
        --missing_;
        missing_.notify_all();
        for (std::uint32_t missing = missing_; missing != 0; missing = missing_) {
          missing_.wait(missing);
        }
      }

     private:
      std::atomic<std::uint32_t>& missing_;
    };
    std::atomic<std::uint32_t> missing = kWorkers;
    std::vector<std::unique_ptr<MeetingTask>> tasks;
    IntrusiveList<TaskBase> list;
    for (std::uint32_t i = 0; i < kWorkers; ++i) {
      list.PushBack(tasks.emplace_back(std::make_unique<MeetingTask>(missing)).get());
    }
    pool->SubmitAll(std::move(list), SchedulerHint::UpToYou);
    pool->WaitIdle();
  }
}

}  // namespace

}  // namespace schedbench::tests::completed_test
