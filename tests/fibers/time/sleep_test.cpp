// Sleeps, and what a deadline does to each thing that fibers wait for. Where the clock is the real
// one, times are lower limits: no test expects that something happens in time.
#include "fibers/sched/sleep.hpp"

#include "base/attributes.hpp"
#include "executors/manual_executor.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/cond_var.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/semaphore.hpp"
#include "fibers/sync/wait_group.hpp"
#include "fibers/time/timer_queue.hpp"
#include "fibers/time/timer_service.hpp"
#include "platform/time/clock.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::fibers::sleep_test {

namespace {

using executors::ManualExecutor;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kShort(2);
constexpr hours kLong(1000);

// Runs `body` as a fiber by hand until it ends; the timer service makes it ready from outside.
void RunFiber(const std::function<void()>& body) {
  const tests::HangGuard guard("a fiber with a deadline");
  ManualExecutor executor;
  bool done = false;
  Go(executor, [&] {
    body();
    done = true;
  });
  while (!done) {
    executor.Drain();
  }
}

TEST(Sleep, LastsAtLeastAsLongAsRequested) {
  RunFiber([] {
    for (const nanoseconds time : {nanoseconds(1), nanoseconds(1000), nanoseconds(kShort)}) {
      const std::uint64_t begin = platform::NowNs();
      SleepFor(time);
      EXPECT_GE(platform::NowNs() - begin, static_cast<std::uint64_t>(time.count()));
    }
    const auto until = std::chrono::steady_clock::now() + kShort;
    SleepUntil(Deadline::At(until));
    EXPECT_GE(std::chrono::steady_clock::now(), until);
  });
}

TEST(Sleep, OfNoTimeDoesNotSuspend) {
  ManualExecutor executor;
  Go(executor, [] {
    SleepFor(nanoseconds(0));
    SleepFor(nanoseconds(-5));
    SleepUntil(Deadline::At(1));
  });
  EXPECT_EQ(executor.Drain(), 1);
}

// The deadlines are hours away, and the test chooses the time that the queue sees.
TEST(Sleep, WakesSleepersInTheOrderOfTheirDeadlines) {
  ManualExecutor executor;
  TimerGroup group(executor);
  TimerQueue queue(group);
  TimerQueue::SetCurrent(&queue);
  const std::uint64_t begin = platform::NowNs();
  const auto deadline = [begin](char name) {
    return begin + static_cast<std::uint64_t>(nanoseconds(hours(name - 'a' + 1)).count());
  };
  // A worker calls it on the scheduler's side.
  const auto run_due = [&queue](std::uint64_t now_ns) {
    const executors::SchedulerSide side;
    return queue.RunDue(now_ns);
  };
  std::string order;
  for (const char name : {'c', 'a', 'b'}) {
    Go(executor, [&, name] {
      SleepUntil(Deadline::At(deadline(name)));
      order += name;
    });
  }
  executor.Drain();
  EXPECT_EQ(run_due(deadline('a') - 1), 0U);
  EXPECT_EQ(run_due(deadline('b')), 2U);
  executor.Drain();
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(run_due(deadline('c')), 1U);
  executor.Drain();
  EXPECT_EQ(order, "abc");
  TimerQueue::SetCurrent(nullptr);
}

TEST(Sleep, LeavesTheThreadToOthers) {
  const tests::HangGuard guard("a sleeper and a worker");
  const auto scheduler = tests::MakeScheduler("fast", 1);
  WaitGroup done;
  done.Add(1);
  std::atomic<bool> released{false};
  Go(*scheduler, [&] {
    while (!released) {
      SleepFor(std::chrono::microseconds(50));
    }
    done.Done();
  });
  Go(*scheduler, [&] { released = true; });
  done.Wait();
}

TEST(Deadline, ThatNoClockWillShowIsNever) {
  EXPECT_TRUE(Deadline::In(nanoseconds::max()).Ns() > platform::NowNs());
  EXPECT_TRUE(Deadline::Never().IsNever());
  EXPECT_FALSE(Deadline::Never().HasPassed());
  EXPECT_TRUE(Deadline::In(nanoseconds::min()).HasPassed());
  EXPECT_FALSE(Deadline::In(kLong).HasPassed());
  EXPECT_GT(Deadline::In(kLong).Left(), kLong / 2);
  EXPECT_EQ(Deadline::At(5).Left(), nanoseconds(0));
}

TEST(Deadline, EndsWaitsForAChannelAndLeavesItAsItWas) {
  RunFiber([] {
    Channel<std::unique_ptr<int>> channel(0);
    EXPECT_FALSE(channel.ReceiveFor(kShort).has_value());
    auto value = std::make_unique<int>(4);
    EXPECT_FALSE(channel.SendFor(kShort, std::move(value)));
    ASSERT_NE(value, nullptr) << "what could not be sent is given back";
    EXPECT_FALSE(channel.TrySend(std::make_unique<int>(1))) << "no receiver is left behind";
    EXPECT_FALSE(channel.TryReceive().has_value()) << "no sender is left behind";
  });
}

TEST(Deadline, ThatDoesNotPassChangesNothing) {
  RunFiber([] {
    Channel<int> channel(1);
    Semaphore semaphore(0);
    Event event;
    Go([&] {
      EXPECT_TRUE(channel.SendFor(kLong, 5));
      semaphore.Release();
      event.Fire();
    });
    EXPECT_EQ(channel.ReceiveFor(kLong), 5);
    EXPECT_TRUE(semaphore.AcquireFor(kLong));
    EXPECT_TRUE(event.WaitFor(kLong));
    EXPECT_EQ(TimerService::PendingOfProcess(), 0) << "their timers are cancelled";
  });
}

TEST(Deadline, EndsASelect) {
  RunFiber([] {
    Channel<int> xs(0);
    Channel<int> ys(0);
    ReceiveCase from_xs(xs);
    SendCase to_ys(ys, 1);
    EXPECT_EQ(SelectFor(kShort, from_xs, to_ys), std::nullopt);
    EXPECT_FALSE(xs.TrySend(1));
    EXPECT_EQ(ys.TryReceive(), std::nullopt);
    EXPECT_EQ(SelectFor(nanoseconds(0), from_xs, to_ys), std::nullopt);
    EXPECT_EQ(SelectFor(kShort, std::span<SelectCase* const>{}), std::nullopt);
  });
}

TEST(Deadline, EndsWaitsForASemaphoreAndDoesNotTakeThePermitThatComesLater) {
  RunFiber([] {
    Semaphore semaphore(0);
    EXPECT_FALSE(semaphore.AcquireFor(kShort));
    semaphore.Release();
    EXPECT_TRUE(semaphore.TryAcquire());
  });
}

TEST(Deadline, EndsWaitsForAConditionWithTheMutexHeld) {
  RunFiber([] {
    Mutex mutex;
    CondVar changed;
    UniqueLock lock(mutex);
    EXPECT_FALSE(changed.WaitFor(lock, kShort));
    EXPECT_FALSE(mutex.TryLock());
    changed.NotifyAll();
  });
}

TEST(Deadline, EndsWaitsForAnEventInAnyOrder) {
  RunFiber([] {
    for (const std::string order : {"012", "021", "102", "120", "201", "210"}) {
      Event event;
      WaitGroup left;
      left.Add(3);
      // In the list in the order of their starts; out of it in the order of their deadlines.
      for (const char place : order) {
        Go([&event, &left, place] {
          EXPECT_FALSE(event.WaitFor(std::chrono::microseconds(500 + 500 * (place - '0'))));
          left.Done();
        });
      }
      left.Wait();
      event.Fire();
      EXPECT_TRUE(event.WaitFor(kLong));
      EXPECT_TRUE(event.WaitFor(nanoseconds(0)));
    }
  });
}

TEST(Deadline, EndsWaitsOfManyForAnEventAndLeavesTheOthersInIt) {
  constexpr int kFibers = 2000;
  Event event;
  WaitGroup left;
  WaitGroup fired;
  std::atomic<int> wrong{0};
  const auto pool = tests::MakeScheduler("fast", 2);
  const Deadline deadline = Deadline::In(kShort);
  left.Add(kFibers / 2);
  fired.Add(kFibers / 2);
  for (int i = 0; i < kFibers; ++i) {
    const bool stays = i % 2 == 0;
    Go(*pool, [&, stays] {
      if (stays) {
        event.Wait();
        fired.Done();
      } else {
        wrong += event.WaitUntil(deadline) ? 1 : 0;
        left.Done();
      }
    });
  }
  left.Wait();
  event.Fire();
  fired.Wait();
  pool->WaitIdle();
  EXPECT_EQ(wrong, 0);
}

TEST(Deadline, EndsWaitsOfThreads) {
  Event event;
  EXPECT_FALSE(event.WaitFor(kShort));
  WaitGroup group;
  group.Add(1);
  EXPECT_FALSE(group.WaitFor(kShort));
  group.Done();
  EXPECT_TRUE(group.WaitFor(kShort));
  event.Fire();
  EXPECT_TRUE(event.WaitFor(kShort));
}

TEST(Deadline, OfAnEventIsOvertakenByItsFiring) {
  RunFiber([] {
    Event event;
    Go([&] {
      SleepFor(kShort);
      event.Fire();
    });
    EXPECT_TRUE(event.WaitFor(kLong));
  });
}

#if !defined( \
    SB_ASAN)  // which calls fibers that never end a leak, and has its own exit code for that
TEST(TimerServiceDeathTest, LetsTheProcessExitWhileFibersSleep) {
  for (const nanoseconds time : {nanoseconds(kLong), nanoseconds(1000)}) {
    EXPECT_EXIT(
        {
          auto* const executor = new ManualExecutor;
          for (int i = 0; i < 1000; ++i) {
            Go(*executor, [time] {
              for (;;) {
                SleepFor(time);
              }
            });
          }
          for (int i = 0; i < 1500; ++i) {
            executor->RunNext();
          }
          std::exit(3);
        },
        testing::ExitedWithCode(3), "");
  }
}

TEST(TimerService, DoesNotResumeFibersOfASchedulerThatHasGone) {
  for (const std::string& name : tests::SchedulerNames()) {
    {
      const auto scheduler = tests::MakeScheduler(name, 2);
      for (int i = 0; i < 100; ++i) {
        // Left behind on purpose, as by a run that is given up.
        Go(*scheduler, [] { SleepFor(kLong); });
      }
      scheduler->WaitIdle();
      EXPECT_EQ(TimerService::PendingOfProcess(), 100) << name;
    }
    EXPECT_EQ(TimerService::PendingOfProcess(), 0) << name;
  }
}
#endif

}  // namespace

}  // namespace schedbench::fibers::sleep_test
