#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

// The steps of document 003, one after the other.
namespace schedbench::tests {

namespace {

using executors::Submit;

// A task that has begun, and ends when it is told to.
class Held {
 public:
  explicit Held(executors::IExecutor& executor) {
    Submit(executor, [this] {
      begun_.count_down();
      end_.wait();
      ended_.count_down();
    });
  }

  void AwaitBegin() {
    begun_.wait();
  }

  bool HasBegun() const {
    return begun_.try_wait();
  }

  void End() {
    end_.count_down();
    ended_.wait();
  }

 private:
  std::latch begun_{1};
  std::latch end_{1};
  std::latch ended_{1};
};

class ThreadSchedulers : public testing::Test {
 protected:
  const HangGuard hang_guard_{"a test of threads"};
};

TEST_F(ThreadSchedulers, BoundedPoolStartsAThreadForATaskWhileThereAreFewerThanItsLimit) {
  const auto pool = MakeScheduler("bounded_pool", 2);
  EXPECT_EQ(Totals(*pool)["threads_started"], 0U);
  Held first(*pool);
  first.AwaitBegin();
  EXPECT_EQ(Totals(*pool)["threads_started"], 1U);
  Held second(*pool);
  second.AwaitBegin();
  EXPECT_EQ(Totals(*pool)["threads_started"], 2U);
  first.End();
  second.End();
}

TEST_F(ThreadSchedulers, BoundedPoolKeepsATaskInTheQueueWhileAllItsThreadsAreBusy) {
  const auto pool = MakeScheduler("bounded_pool", 1);
  Held first(*pool);
  first.AwaitBegin();
  Held second(*pool);
  Held third(*pool);
  EXPECT_FALSE(second.HasBegun());
  first.End();
  second.AwaitBegin();
  EXPECT_FALSE(third.HasBegun());
  second.End();
  third.AwaitBegin();
  third.End();
  pool->WaitIdle();
  const Totals totals(*pool);
  EXPECT_EQ(totals["threads_started"], 1U);
  EXPECT_EQ(totals["from_local"], 1U);
  EXPECT_EQ(totals["from_global"], 2U);
}

TEST_F(ThreadSchedulers, BoundedPoolGivesATaskToAnIdleThreadBeforeItStartsAnother) {
  const auto pool = MakeScheduler("bounded_pool", 8);
  for (int i = 0; i < 100; ++i) {
    Held task(*pool);
    task.End();
    pool->WaitIdle();
  }
  const Totals totals(*pool);
  EXPECT_EQ(totals["threads_started"], 1U);
  EXPECT_EQ(totals["from_local"], 100U);
  EXPECT_EQ(totals["from_global"], 0U);
}

TEST_F(ThreadSchedulers, CachedPoolStartsAThreadForEachTaskThatFindsNoneIdle) {
  const auto pool = MakeScheduler("cached_pool", 4);
  constexpr int kTasks = 50;
  for (int round = 0; round < 2; ++round) {
    std::latch all_have_begun(kTasks);
    for (int i = 0; i < kTasks; ++i) {
      Submit(*pool, [&] {
        all_have_begun.arrive_and_wait();
      });
    }
    pool->WaitIdle();
  }
  const Totals totals(*pool);
  EXPECT_EQ(totals["threads_started"], std::uint64_t{kTasks});
  EXPECT_EQ(totals["threads_peak"], std::uint64_t{kTasks});
  EXPECT_EQ(totals["from_global"], 0U);
}

TEST_F(ThreadSchedulers, CachedPoolLetsAThreadGoThatHasBeenIdleForItsTime) {
  const auto pool = MakeScheduler("cached_pool", 4, {{"keep_alive_ms", std::uint64_t{1}}});
  // Ends when the second thread is seen: the first was idle for longer than a millisecond then.
  while (Totals(*pool)["threads_started"] < 2) {
    Held task(*pool);
    task.End();
    pool->WaitIdle();
    std::this_thread::yield();
    const std::uint64_t parked = Totals(*pool)["park_ns"];
    while (Totals(*pool)["park_ns"] < parked + 2'000'000 && Totals(*pool)["parks"] > 0) {
      const std::uint64_t before = Totals(*pool)["park_ns"];
      std::this_thread::yield();
      if (Totals(*pool)["park_ns"] == before) {
        break;  // it has gone
      }
    }
  }
  EXPECT_EQ(Totals(*pool)["threads_peak"], 1U);
}

TEST_F(ThreadSchedulers, ThreadPerTaskRunsEachTaskInANewThread) {
  const auto pool = MakeScheduler("thread_per_task", 4);
  constexpr int kTasks = 200;
  for (int i = 0; i < kTasks; ++i) {
    Held task(*pool);
    task.End();
  }
  pool->WaitIdle();
  EXPECT_EQ(Totals(*pool)["threads_started"], std::uint64_t{kTasks});
  EXPECT_EQ(Totals(*pool)["parks"], 0U);
}

TEST_F(ThreadSchedulers, ThreadPerTaskLetsTasksWaitThatHaveNoThread) {
  const auto pool = MakeScheduler("thread_per_task", 1);
  constexpr int kTasks = 100;
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  for (int i = 0; i < kTasks; ++i) {
    Submit(*pool, [&] {
      most = std::max(most.load(), ++running);
      --running;
    });
  }
  pool->WaitIdle();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(Totals(*pool)["threads_started"], std::uint64_t{kTasks});
}

TEST_F(ThreadSchedulers, ThreadPerTaskLetsAFiberThatYieldsGiveItsPlaceToATaskThatWaits) {
  const auto pool = MakeScheduler("thread_per_task", 1);
  std::atomic<bool> go_on{true};
  fibers::Go(*pool, [&] {
    fibers::Go([&] {
      go_on = false;
    });
    while (go_on) {
      fibers::Yield();
    }
  });
  pool->WaitIdle();  // ends only if the other fiber runs
  // One for the first fiber, one for the other, one for the rest of the first.
  EXPECT_EQ(Totals(*pool)["threads_started"], 3U);
}

TEST_F(ThreadSchedulers, SingleThreadRunsEverythingInOneThread) {
  const auto pool = MakeScheduler("single_thread", 1);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const auto note = [&] {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  for (int i = 0; i < 100; ++i) {
    Submit(*pool, [&] {
      note();
      Submit(*pool, note);
    });
  }
  pool->WaitIdle();
  EXPECT_EQ(threads.size(), 1U);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST_F(ThreadSchedulers, RefuseMoreThreadsThanTheMachinePermitsAndSayWhy) {
  for (const auto& [name, field] : {std::pair{"thread_per_task", "max_threads"},
                                    {"cached_pool", "max_threads"},
                                    {"bounded_pool", "limit"}}) {
    try {
      MakeScheduler(name, 2, {{field, std::uint64_t{1'000'000}}});
      FAIL() << name;
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with(std::string(field) + "=1000000 threads: the machine permits "))
          << what;
      EXPECT_NE(what.find(" = "), std::string::npos) << what;
    }
  }
}

}  // namespace

}  // namespace schedbench::tests
