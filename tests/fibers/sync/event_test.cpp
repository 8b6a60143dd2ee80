#include "fibers/sync/event.hpp"

#include "executors/manual_executor.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "tests/support/noting_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::fibers::event_test {

namespace {

using executors::ManualExecutor;
using executors::SchedulerHint;

TEST(Event, HoldsFibersUntilItFires) {
  ManualExecutor executor;
  Event event;
  bool continued = false;
  Go(executor, [&] {
    event.Wait();
    continued = true;
  });
  executor.Drain();
  EXPECT_FALSE(continued);
  EXPECT_FALSE(event.IsFired());
  event.Fire();
  EXPECT_TRUE(event.IsFired());
  EXPECT_FALSE(continued) << "Fire makes ready, the executor runs";
  executor.Drain();
  EXPECT_TRUE(continued);
}

TEST(Event, DoesNotSuspendOnceItHasFired) {
  ManualExecutor executor;
  Event event;
  event.Fire();
  bool continued = false;
  Go(executor, [&] {
    event.Wait();
    event.Wait();
    continued = true;
  });
  EXPECT_EQ(executor.Drain(), 1U);
  EXPECT_TRUE(continued);
}

TEST(Event, MayBeFiredFromTheBeginning) {
  Event event(Event::State::kFired);
  EXPECT_TRUE(event.IsFired());
  event.Wait();
}

TEST(Event, ResumesFibersOldestFirst) {
  ManualExecutor executor;
  Event event;
  std::string order;
  for (const char name : {'a', 'b', 'c', 'd'}) {
    Go(executor, [&, name] {
      event.Wait();
      order += name;
    });
  }
  executor.Drain();
  event.Fire();
  executor.Drain();
  EXPECT_EQ(order, "abcd");
}

TEST(Event, PassesTheHintToTheExecutor) {
  ManualExecutor manual;
  tests::NotingExecutor executor(manual);
  Event event;
  Go(executor, [&] { event.Wait(); });
  manual.Drain();
  event.Fire(SchedulerHint::Next);
  EXPECT_EQ(executor.Hints().back(), SchedulerHint::Next);
  manual.Drain();
}

TEST(Event, IsHarmedByNoSecondFire) {
  ManualExecutor executor;
  Event event;
  int continued = 0;
  Go(executor, [&] {
    event.Wait();
    ++continued;
  });
  executor.Drain();
  event.Fire();
  event.Fire();
  executor.Drain();
  event.Fire();
  EXPECT_EQ(executor.Drain(), 0U);
  EXPECT_EQ(continued, 1);
}

TEST(Event, HoldsAgainAfterReset) {
  ManualExecutor executor;
  Event event;
  event.Fire();
  event.Reset();
  EXPECT_FALSE(event.IsFired());
  int continued = 0;
  Go(executor, [&] {
    event.Wait();
    ++continued;
  });
  executor.Drain();
  EXPECT_EQ(continued, 0);
  event.Fire();
  executor.Drain();
  EXPECT_EQ(continued, 1);
}

TEST(Event, IsFiredByAFiberForAFiber) {
  ManualExecutor executor;
  Event event;
  std::string order;
  Go(executor, [&] {
    order += "waits ";
    event.Wait();
    order += "continues";
  });
  Go(executor, [&] {
    order += "fires ";
    event.Fire();
  });
  executor.Drain();
  EXPECT_EQ(order, "waits fires continues");
}

TEST(Event, BlocksAThreadUntilItFiresAndShowsWhatWasWrittenBefore) {
  for (int round = 0; round < 200; ++round) {
    Event event;
    int value = 0;  // plain: the event must order it
    std::jthread waiter([&] {
      event.Wait();
      EXPECT_EQ(value, 42);
    });
    value = 42;
    event.Fire();
  }
}

TEST(Event, LetsThreadsAndFibersWaitForTheSame) {
  ManualExecutor executor;
  Event event;
  std::atomic<int> continued{0};
  for (int i = 0; i < 3; ++i) {
    Go(executor, [&] {
      event.Wait();
      ++continued;
    });
  }
  executor.Drain();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        event.Wait();
        ++continued;
      });
    }
    event.Fire();
  }
  EXPECT_EQ(continued, 3);
  executor.Drain();
  EXPECT_EQ(continued, 6);
}

TEST(Event, BlocksTheThreadOfAPlainTaskOfAWorker) {
  const auto scheduler = tests::MakeScheduler("fast", 2);
  Event event;
  std::atomic<bool> continued{false};
  executors::Submit(*scheduler, [&] {
    event.Wait();
    continued = true;
  });
  executors::Submit(*scheduler, [&] { event.Fire(); });
  scheduler->WaitIdle();
  EXPECT_TRUE(continued);
}

TEST(Event, MayBeDestroyedByTheWaiter) {
  ManualExecutor executor;
  auto event = std::make_unique<Event>();
  Go(executor, [&] {
    event->Wait();
    event.reset();
  });
  executor.Drain();
  event->Fire();
  executor.Drain();
  EXPECT_EQ(event, nullptr);
}

}  // namespace

}  // namespace schedbench::fibers::event_test
