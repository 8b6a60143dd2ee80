#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/select.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/steps.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// The steps of the Go article, one after the other.
namespace schedbench::tests::threads_test {

namespace {

using executors::Submit;

// A task that has begun, and ends when the test ends it.
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
      Submit(*pool, [&] { all_have_begun.arrive_and_wait(); });
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
  std::atomic<bool> yields{true};
  fibers::Go(*pool, [&] {
    fibers::Go([&] { yields = false; });
    while (yields) {
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

std::unique_ptr<registry::IScheduler> MakeSingleThread(const std::string& order,
                                                       std::uint64_t seed) {
  const registry::SchedulerEntry& entry = *registry::FindScheduler("single_thread");
  config::Settings settings(entry.schema());
  settings.Set("order", order, {});
  return entry.make(settings, seed);
}

// One fiber starts `fibers` others, of which each notes its number and yields, ten times. Returns
// the numbers in their order.
std::string TraceOfYields(registry::IScheduler& scheduler, int fibers) {
  RunOrder trace;
  fibers::Go(scheduler, [&] {
    for (int fiber = 0; fiber < fibers; ++fiber) {
      fibers::Go([&trace, fiber] {
        for (int i = 0; i < 10; ++i) {
          trace.Add(std::to_string(fiber));
          fibers::Yield();
        }
      });
    }
  });
  scheduler.WaitIdle();
  return trace.Text();
}

std::string TraceOfYields(const std::string& order, std::uint64_t seed) {
  return TraceOfYields(*MakeSingleThread(order, seed), 8);
}

// The same of a fiber that starts seven others: four wait for a lock, two at a channel, one selects
// of two that are ready.
std::string TraceOfWaits(std::uint64_t seed) {
  const auto pool = MakeSingleThread("random", seed);
  RunOrder trace;
  fibers::Mutex mutex;
  fibers::Channel<int> channel(1);
  fibers::Go(*pool, [&] {
    for (int fiber = 0; fiber < 4; ++fiber) {
      fibers::Go([&, fiber] {
        for (int i = 0; i < 10; ++i) {
          const fibers::MutexLock lock(mutex);
          trace.Add(std::to_string(fiber));
          fibers::Yield();
        }
      });
    }
    fibers::Go([&] {
      for (int i = 0; i < 20; ++i) {
        trace.Add("send");
        channel.Send(i);
      }
    });
    fibers::Go([&] {
      for (int i = 0; i < 20; ++i) {
        channel.Receive();
        trace.Add("receive");
      }
    });
    fibers::Go([&] {
      fibers::Channel<int> left(20);
      fibers::Channel<int> right(20);
      for (int i = 0; i < 20; ++i) {
        left.Send(i);
        right.Send(i);
      }
      for (int i = 0; i < 20; ++i) {
        fibers::ReceiveCase from_left(left);
        fibers::ReceiveCase from_right(right);
        trace.Add(fibers::Select(from_left, from_right) == 0 ? "left" : "right");
      }
    });
  });
  pool->WaitIdle();
  return trace.Text();
}

TEST_F(ThreadSchedulers, SingleThreadInRandomOrderRepeatsTheOrderOfFibersForTheSameSeed) {
  EXPECT_EQ(TraceOfYields("random", 7), TraceOfYields("random", 7));
  EXPECT_EQ(TraceOfWaits(7), TraceOfWaits(7));
}

TEST_F(ThreadSchedulers, SingleThreadInRandomOrderHasAnotherOrderForAnotherSeed) {
  EXPECT_NE(TraceOfYields("random", 7), TraceOfYields("random", 8));
  EXPECT_NE(TraceOfWaits(7), TraceOfWaits(8));
}

TEST_F(ThreadSchedulers, SingleThreadInRandomOrderRepeatsASeriesOfRoundsForTheSameSeed) {
  const auto series = [](std::uint64_t seed) {
    const auto pool = MakeSingleThread("random", seed);
    std::vector<std::string> traces;
    for (int round = 0; round < 5; ++round) {
      traces.push_back(TraceOfYields(*pool, 8));
    }
    return traces;
  };
  const std::vector<std::string> first = series(7);
  EXPECT_EQ(first, series(7));
  EXPECT_NE(first[0], first[1]) << "each round draws anew";
}

TEST_F(ThreadSchedulers, SingleThreadInFifoOrderRunsFibersThatYieldByTurns) {
  std::string expected;
  for (int i = 0; i < 10; ++i) {
    expected += (i == 0 ? "" : " ") + std::string("0 1 2 3 4 5 6 7");
  }
  EXPECT_EQ(TraceOfYields("fifo", 7), expected);
  EXPECT_EQ(TraceOfYields("fifo", 8), expected);
  EXPECT_EQ(TraceOfYields(*MakeScheduler("single_thread", 1), 8), expected) << "the default";
}

TEST_F(ThreadSchedulers, SingleThreadInLifoOrderRunsTheNewestFirstAndAYieldedTaskLast) {
  const auto pool = MakeSingleThread("lifo", 7);
  RunOrder order;
  const auto note = [&](const char* name, executors::SchedulerHint hint) {
    Submit(*pool, [&order, name] { order.Add(name); }, hint);
  };
  RunOutsideThenInside(
      *pool, [] {},
      [&] {
        note("1", executors::SchedulerHint::UpToYou);
        note("Y1", executors::SchedulerHint::Yield);
        note("2", executors::SchedulerHint::Next);
        note("Y2", executors::SchedulerHint::Yield);
        note("3", executors::SchedulerHint::UpToYou);
      });
  EXPECT_EQ(order.Text(), "3 2 1 Y1 Y2");
}

TEST_F(ThreadSchedulers, SingleThreadLetsFibersThatYieldWaitForAnOlderOneInAnyOrder) {
  for (const std::string order : {"fifo", "lifo", "random"}) {
    const auto pool = MakeSingleThread(order, 7);
    std::atomic<bool> yields{true};
    fibers::Go(*pool, [&] {
      fibers::Go([&] { yields = false; });
      for (int i = 0; i < 3; ++i) {
        fibers::Go([&] {
          while (yields) {
            fibers::Yield();
          }
        });
      }
    });
    pool->WaitIdle();  // ends only if the oldest runs
    EXPECT_FALSE(yields) << order;
  }
}

// More than there is room for at first.
TEST_F(ThreadSchedulers, SingleThreadRunsEveryTaskBeforeItStopsInAnyOrder) {
  constexpr int kTasks = 5000;
  for (const std::string order : {"fifo", "lifo", "random"}) {
    const auto pool = MakeSingleThread(order, 7);
    std::atomic<int> runs{0};
    for (int i = 0; i < 2; ++i) {
      Submit(*pool, [&] {
        for (int task = 0; task < kTasks; ++task) {
          Submit(*pool, [&] { ++runs; });
        }
      });
    }
    pool->Stop();
    EXPECT_EQ(runs, 2 * kTasks) << order;
  }
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

}  // namespace schedbench::tests::threads_test
