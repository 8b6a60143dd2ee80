// What is counted and timed of fibers that continue. Each thread is held where the fiber must not
// go.
#include "executors/manual_executor.hpp"
#include "executors/submit.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

namespace schedbench::tests::fibers_test {

namespace {

using executors::Submit;
using platform::ThreadEvent;

// Calls `resume`, which makes a fiber of `scheduler` ready whose end fires `ended`, while the only
// one of its two threads that is free is another than `begun_on`. Expects that to be one migration.
void ExpectAMigration(registry::IScheduler& scheduler, std::uint64_t begun_on,
                      const std::function<void()>& resume, ThreadEvent& ended) {
  struct Holder {
    std::uint64_t thread = 0;
    ThreadEvent held;
    ThreadEvent release;
  };
  std::array<Holder, 2> holders;
  for (Holder& holder : holders) {
    Submit(scheduler, [&holder] {
      holder.thread = platform::ThreadNumber();
      holder.held.Set();
      holder.release.Wait();
    });
  }
  for (Holder& holder : holders) {
    holder.held.Wait();
  }
  const std::uint64_t before = Totals(scheduler)["migrations"];
  resume();
  const bool first_began = holders[0].thread == begun_on;
  (first_began ? holders[1] : holders[0]).release.Set();
  ended.Wait();
  EXPECT_EQ(Totals(scheduler)["migrations"] - before, 1U);
  (first_began ? holders[0] : holders[1]).release.Set();
  scheduler.WaitIdle();
}

TEST(Migrations, AreFibersThatContinueOnAnotherThread) {
  const HangGuard guard("a fiber goes to the other thread");
  for (const char* const name : {"fast", "work_stealing", "global_fifo", "bounded_pool"}) {
    SCOPED_TRACE(name);
    const auto pool = MakeScheduler(name, 2);
    fibers::FiberHandle handle;
    ThreadEvent suspended;
    ThreadEvent ended;
    std::uint64_t begun_on = 0;
    std::uint64_t ended_on = 0;
    fibers::Go(*pool, [&] {
      begun_on = platform::ThreadNumber();
      fibers::Suspend([&](fibers::FiberHandle fiber) {
        handle = std::move(fiber);
        suspended.Set();
      });
      ended_on = platform::ThreadNumber();
      ended.Set();
    });
    suspended.Wait();
    ExpectAMigration(*pool, begun_on, [&handle] { handle.Schedule(); }, ended);
    EXPECT_NE(begun_on, ended_on);
  }
}

TEST(Migrations, AreAlsoFibersOfAnExecutorThatTasksOfTheSchedulerRun) {
  const HangGuard guard("a fiber goes to the other thread");
  for (const char* const name : {"fast", "global_fifo", "bounded_pool"}) {
    SCOPED_TRACE(name);
    const auto pool = MakeScheduler(name, 2);
    executors::ManualExecutor manual;
    fibers::Go(manual, [] { fibers::Yield(); });
    std::uint64_t begun_on = 0;
    ThreadEvent begun;
    Submit(*pool, [&] {
      manual.RunNext();
      begun_on = platform::ThreadNumber();
      begun.Set();
    });
    begun.Wait();
    ThreadEvent ended;
    ExpectAMigration(
        *pool, begun_on,
        [&] {
          Submit(*pool, [&] {
            manual.RunNext();
            ended.Set();
          });
        },
        ended);
  }
}

TEST(RunTimes, EndWhereAFiberYieldsAndContinuesAtOnce) {
  for (const char* const name : {"fast", "work_stealing", "single_thread", "cached_pool"}) {
    SCOPED_TRACE(name);
    const auto pool = MakeScheduler(name, 1);
    constexpr std::uint64_t kTicks = 50'000'000;
    std::uint64_t took = 0;
    // The first task that a thread submits is in the sample.
    std::jthread([&] {
      fibers::Go(*pool, [&took] {
        fibers::Yield();
        const std::uint64_t begin = platform::TickClock::Now();
        while (took < kTicks) {
          took = platform::TickClock::Now() - begin;
        }
      });
    }).join();
    pool->Stop();
    metrics::HistogramSnapshot runs;
    for (const registry::WorkerReading& reading : pool->ReadWorkers()) {
      runs.Add(reading.run_ticks);
    }
    EXPECT_EQ(runs.Total(), 1U);
    EXPECT_EQ(Totals(*pool)["tasks_run"], 2U) << "what follows the yield is a run of its own";
    EXPECT_LT(runs.Max().value_or(0), static_cast<double>(took));
  }
}

}  // namespace

}  // namespace schedbench::tests::fibers_test
