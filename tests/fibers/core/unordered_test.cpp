#include "base/attributes.hpp"
#include "executors/submit.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/fibers/serving_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace schedbench::fibers::unordered_test {

namespace {

template <std::size_t Bytes>
SB_NOINLINE void WriteToTheStack() {
  char block[Bytes];
  std::memset(block, 1, sizeof(block));
  asm volatile("" : : "r"(block) : "memory");
}

// Its frames lie where those of the fiber were that has just ended.
TEST(SignalHandler, RacesWithNoFiberWhenItRunsInTheLoop) {
  struct sigaction action{};
  action.sa_handler = [](int) { WriteToTheStack<1024>(); };
  struct sigaction former{};
  sigaction(SIGUSR1, &action, &former);
  StackPool pool{StackConfig{}};
  tests::ServingExecutor executor(pool);
  executor.on_task_done = [] { std::raise(SIGUSR1); };
  Go(executor, [] { WriteToTheStack<32768>(); });
  executor.RunUntilEmpty();
  EXPECT_EQ(executor.tasks_done, 1U);
  sigaction(SIGUSR1, &former, nullptr);
}

// Tasks of one worker that share a plain variable. That nothing but the worker orders some of them
// is seen by a strict ThreadSanitizer and nowhere else; that the others are ordered is seen in all
// builds.
class Unordered : public testing::TestWithParam<std::string> {
 protected:
  using Pool = registry::IScheduler;

  // Runs `program(pool, shared)` in a process of its own.
  template <typename F>
  void ExpectRaceOnlyWhenStrict(F program) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto run = [&] {
      RunOrdered(program);
      std::exit(0);
    };
#if defined(SB_TSAN)
    if (executors::TasksAreUnordered()) {
      constexpr int kExitCodeOfThreadSanitizer = 66;
      EXPECT_EXIT(run(), testing::ExitedWithCode(kExitCodeOfThreadSanitizer),
                  "data race.*unordered");
      return;
    }
#endif
    EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
  }

  // The same in this process, which a report ends with another exit code than 0.
  template <typename F>
  void RunOrdered(F program) {
    const auto pool = tests::MakeScheduler(GetParam(), 1);
    int shared = 0;
    program(*pool, shared);
    pool->WaitIdle();
    EXPECT_EQ(shared, 2);
  }
};

class UnorderedDeathTest : public Unordered {};

TEST_P(UnorderedDeathTest, FibersOfOneWorkerRaceWhenTheyTakeTurns) {
  ExpectRaceOnlyWhenStrict([](Pool& pool, int& shared) {
    for (int i = 0; i < 2; ++i) {
      Go(pool, [&shared] {
        Yield();
        ++shared;
        Yield();
      });
    }
  });
}

TEST_P(UnorderedDeathTest, FibersRaceWhenOneBeginsOnTheStackOfTheOther) {
  ExpectRaceOnlyWhenStrict([](Pool& pool, int& shared) {
    for (int i = 0; i < 2; ++i) {
      Go(pool, [&shared] { ++shared; });
    }
  });
}

TEST_P(UnorderedDeathTest, FibersRaceAlthoughTheirSchedulerHasLocks) {
  ExpectRaceOnlyWhenStrict([](Pool& pool, int& shared) {
    for (int i = 0; i < 2; ++i) {
      Go(pool, [&shared] {
        Go([] {});
        ++shared;
        Go([] {});
        Yield();
      });
    }
  });
}

TEST_P(UnorderedDeathTest, FibersRaceAlthoughOthersWaitForEachOther) {
  Event events[2];
  ExpectRaceOnlyWhenStrict([&events](Pool& pool, int& shared) {
    for (Event& event : events) {
      Go(pool, [&shared, &event] {
        ++shared;
        event.Wait();
      });
    }
    for (Event& event : events) {
      Go(pool, [&event] { event.Fire(); });
    }
  });
}

TEST_P(UnorderedDeathTest, PlainTasksRace) {
  ExpectRaceOnlyWhenStrict([](Pool& pool, int& shared) {
    for (int i = 0; i < 2; ++i) {
      executors::Submit(pool, [&shared] { ++shared; });
    }
  });
}

TEST_P(Unordered, AFiberComesAfterAllThatItsMakerDidBefore) {
  RunOrdered([](Pool& pool, int& shared) {
    ++shared;
    Go(pool, [&shared] { Go([&shared] { ++shared; }); });
  });
}

TEST_P(Unordered, AFiberComesAfterItsOwnPartBeforeAYield) {
  RunOrdered([](Pool& pool, int& shared) {
    Go(pool, [&shared] {
      ++shared;
      Yield();
      ++shared;
    });
    Go(pool, [] { Yield(); });
  });
}

TEST_P(Unordered, AFiberContinuesAfterTheOneThatResumesIt) {
  RunOrdered([](Pool& pool, int& shared) {
    Go(pool, [&shared] {
      Suspend([&shared](FiberHandle self) {
        ++shared;
        self.Schedule();
      });
      ++shared;
    });
  });
}

TEST_P(Unordered, AMutexOrdersItsOwners) {
  Mutex mutex;
  RunOrdered([&mutex](Pool& pool, int& shared) {
    for (int i = 0; i < 2; ++i) {
      Go(pool, [&shared, &mutex] {
        const MutexLock lock(mutex);
        Yield();
        ++shared;
      });
    }
  });
}

TEST_P(Unordered, AChannelOrdersASenderAndTheReceiver) {
  for (const std::size_t capacity : {0, 1}) {
    Channel<int> channel(capacity);
    RunOrdered([&channel](Pool& pool, int& shared) {
      Go(pool, [&shared, &channel] {
        channel.Receive();
        ++shared;
      });
      Go(pool, [&shared, &channel] {
        ++shared;
        channel.Send(0);
      });
    });
  }
}

TEST_P(Unordered, AWaitGroupOrdersTheWorkAndTheWaiter) {
  WaitGroup group;
  group.Add(1);
  RunOrdered([&group](Pool& pool, int& shared) {
    Go(pool, [&shared, &group] {
      group.Wait();
      ++shared;
    });
    Go(pool, [&shared, &group] {
      ++shared;
      group.Done();
    });
  });
}

TEST_P(Unordered, AnEventOrdersTheOneThatFiresAndTheWaiter) {
  Event event;
  RunOrdered([&event](Pool& pool, int& shared) {
    Go(pool, [&shared, &event] {
      event.Wait();
      ++shared;
    });
    Go(pool, [&shared, &event] {
      ++shared;
      event.Fire();
    });
  });
}

TEST_P(Unordered, WaitIdleComesAfterEachTask) {
  RunOrdered([](Pool& pool, int& shared) {
    Go(pool, [&shared] {
      Yield();
      ++shared;
    });
    pool.WaitIdle();
    executors::Submit(pool, [&shared] { ++shared; });
  });
}

TEST_P(Unordered, StopComesAfterEachTask) {
  const auto pool = tests::MakeScheduler(GetParam(), 1);
  int shared = 0;
  Go(*pool, [&shared] { ++shared; });
  pool->Stop();
  EXPECT_EQ(shared, 1);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, UnorderedDeathTest, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);
INSTANTIATE_TEST_SUITE_P(Schedulers, Unordered, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

}  // namespace

}  // namespace schedbench::fibers::unordered_test
