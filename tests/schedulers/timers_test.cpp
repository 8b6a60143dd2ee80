// Timers of the fibers of a pool: which threads run them. None of these tests expects that
// something happens in time.
#include "base/attributes.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "fibers/time/timer_service.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace schedbench::tests::pool_timers_test {

namespace {

using std::chrono::hours;
using std::chrono::microseconds;

class TimersOfPools : public testing::TestWithParam<std::string> {
 protected:
  const HangGuard hang_guard_{"a test of timers"};
};

TEST_P(TimersOfPools, AreRunByTheWorkerThatHasTasks) {
  const auto pool = MakeScheduler(GetParam(), 1);
  std::atomic<bool> over{false};
  fibers::Go(*pool, [&] {
    while (!over) {
      fibers::Yield();
    }
  });
  fibers::Go(*pool, [&] {
    // The thread of the service may run some of them.
    while (Totals(*pool)["timers_run"] == 0) {
      fibers::SleepFor(microseconds(20));
    }
    over = true;
  });
  pool->WaitIdle();
  EXPECT_GT(Totals(*pool)["timers_run"], 0U);
  EXPECT_EQ(Totals(*pool)["timers_stolen"], 0U);
}

TEST_P(TimersOfPools, AreRunByOtherThreadsWhileTheirWorkerIsBusy) {
  const auto pool = MakeScheduler(GetParam(), 2);
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> slept{false};
    fibers::WaitGroup done;
    done.Add(1);
    fibers::Go(*pool, [&] {
      // Runs next on this worker, and leaves it only when the other fiber has continued: on the
      // other worker.
      fibers::Go(*pool, [&] {
        while (!slept) {
        }
        done.Done();
      });
      fibers::SleepFor(microseconds(100));
      slept = true;
    });
    done.Wait();
  }
  pool->WaitIdle();
}

TEST_P(TimersOfPools, AreStolenByAWorkerThatHasTasks) {
  const auto pool = MakeScheduler(GetParam(), 2);
  std::atomic<bool> over{false};
  for (int fiber = 0; fiber < 2; ++fiber) {
    fibers::Go(*pool, [&] {
      while (!over) {
        fibers::Yield();
      }
    });
  }
  for (int fiber = 0; fiber < 8; ++fiber) {
    fibers::Go(*pool, [&] {
      while (Totals(*pool)["timers_stolen"] == 0) {
        fibers::SleepFor(microseconds(20));
      }
      over = true;
    });
  }
  pool->WaitIdle();
  EXPECT_GT(Totals(*pool)["timers_stolen"], 0U);
}

#if !defined(SB_ASAN)  // which reports the memory of fibers that never end
TEST_P(TimersOfPools, AreTakenOutWhenTheirPoolEnds) {
  for (int round = 0; round < 10; ++round) {
    fibers::WaitGroup begun;
    begun.Add(20);
    auto pool = MakeScheduler(GetParam(), 2);
    for (int fiber = 0; fiber < 20; ++fiber) {
      fibers::Go(*pool, [&begun, fiber] {
        begun.Done();
        // Some are due while the pool ends.
        fibers::SleepFor(fiber % 2 == 0 ? std::chrono::nanoseconds(hours(1))
                                        : std::chrono::nanoseconds(microseconds(10 * fiber)));
      });
    }
    begun.Wait();
    pool.reset();
  }
  EXPECT_EQ(fibers::TimerService::PendingOfProcess(), 0U);
}
#endif

TEST_P(TimersOfPools, AreCancelledByFibersOnOtherWorkers) {
  const auto pool = MakeScheduler(GetParam(), 2);
  constexpr int kFibers = 200;
  fibers::WaitGroup begun;
  fibers::WaitGroup done;
  begun.Add(kFibers);
  done.Add(kFibers);
  fibers::Event event;
  std::atomic<int> fired{0};
  for (int fiber = 0; fiber < kFibers; ++fiber) {
    fibers::Go(*pool, [&] {
      begun.Done();
      fired += event.WaitFor(hours(1)) ? 1 : 0;
      done.Done();
    });
  }
  begun.Wait();
  event.Fire();
  done.Wait();
  EXPECT_EQ(fired, kFibers);
  pool->WaitIdle();
  EXPECT_EQ(fibers::TimerService::PendingOfProcess(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, TimersOfPools,
                         testing::Values("fast", "fast:blocking=hand_off", "work_stealing"),
                         SchedulerNameOf);

}  // namespace

}  // namespace schedbench::tests::pool_timers_test
