#include "fibers/core/fiber.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/fibers/serving_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::fibers::fiber_test {

namespace {

using executors::ManualExecutor;
using tests::ServingExecutor;

TEST(Fiber, HasTheNameThatItWasGivenOrNone) {
  ManualExecutor executor;
  std::vector<std::string> names;
  const auto note = [&] { names.emplace_back(FiberThread::CurrentFiber()->Name()); };
  Go(executor, note, {.name = "reader", .hint = executors::SchedulerHint::UpToYou});
  Go(executor, note);
  executor.Drain();
  EXPECT_EQ(names, (std::vector<std::string>{"reader", ""}));
}

TEST(Fiber, HasANumberOfItsOwnWhicheverThreadStartsIt) {
  ManualExecutor executors[2];  // one thread uses each
  std::set<std::uint64_t> ids;
  constexpr std::size_t kPerThread = 3000;  // more than a thread takes at a time
  const auto spawn = [&ids](ManualExecutor& executor) {
    for (std::size_t i = 0; i < kPerThread; ++i) {
      Go(executor, [&ids] { ids.insert(FiberThread::CurrentFiber()->Id()); });
    }
  };
  {
    std::jthread first(spawn, std::ref(executors[0]));
    std::jthread second(spawn, std::ref(executors[1]));
  }
  for (ManualExecutor& executor : executors) {
    executor.Drain();
  }
  EXPECT_EQ(ids.size(), 2 * kPerThread);
  EXPECT_EQ(ids.count(0), 0U);
}

TEST(Fiber, DestroysItsFunctionWhenItEnds) {
  ManualExecutor executor;
  const auto captured = std::make_shared<int>(0);
  Go(executor, [captured] { Yield(); });
  executor.RunNext();
  EXPECT_EQ(captured.use_count(), 2);
  executor.RunNext();
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(Fiber, RunsAFunctionThatCanOnlyBeMoved) {
  ManualExecutor executor;
  int seen = 0;
  Go(executor, [value = std::make_unique<int>(7), &seen] { seen = *value; });
  executor.Drain();
  EXPECT_EQ(seen, 7);
}

TEST(Fiber, KeepsWhatLiesOnItsStackWhileOthersRun) {
  ManualExecutor executor;
  int wrong = 0;
  for (int fiber = 0; fiber < 20; ++fiber) {
    Go(executor, [fiber, &wrong] {
      std::vector<int> numbers(200, fiber);
      int local[200];
      std::fill(std::begin(local), std::end(local), fiber);
      for (int turn = 0; turn < 5; ++turn) {
        Yield();
        for (const int number : local) {
          wrong += number == fiber ? 0 : 1;
        }
        for (const int number : numbers) {
          wrong += number == fiber ? 0 : 1;
        }
      }
    });
  }
  executor.Drain();
  EXPECT_EQ(wrong, 0);
}

TEST(Fiber, TakesNoStackOfItsOwnUnlessItSuspends) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  std::size_t ended = 0;
  constexpr std::size_t kFibers = tests::PlainOrSanitized<std::size_t>(100000, 20000);
  Go(executor, [&] {
    for (std::size_t i = 0; i < kFibers; ++i) {
      Go([&] { ++ended; });
    }
  });
  executor.RunUntilEmpty();
  EXPECT_EQ(ended, kFibers);
  // One batch from the pool serves them all.
  EXPECT_LE(pool.Created(), 16U);
}

TEST(Fiber, LeavesItsStackToTheNextWhenItEnds) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  constexpr std::size_t kFibers = tests::PlainOrSanitized<std::size_t>(100000, 20000);
  std::size_t ended = 0;
  // Each suspends, but never more than three are alive.
  std::function<void()> next = [&] {
    if (++ended < kFibers) {
      Go(next);
    }
    Yield();
  };
  Go(executor, next);
  Go(executor, [&] {
    while (ended < kFibers) {
      Yield();
    }
  });
  executor.RunUntilEmpty();
  EXPECT_EQ(ended, kFibers);
  EXPECT_LE(pool.Created(), 16U);
}

TEST(Fiber, SuspendsByTheThousands) {
  // ThreadSanitizer bears about 8000 fibers in all.
  constexpr std::size_t kFibers = tests::PlainOrSanitized<std::size_t>(10000, 4000);
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  Event event;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kFibers; ++i) {
    Go(executor, [&, i] {
      event.Wait();
      sum += i;
    });
  }
  executor.RunUntilEmpty();
  EXPECT_GE(pool.Created(), kFibers);
  EXPECT_LE(pool.Created(), kFibers + 16);
  EXPECT_EQ(sum, 0U);
  event.Fire();
  executor.RunUntilEmpty();
  EXPECT_EQ(sum, kFibers * (kFibers - 1) / 2);
}

TEST(Fiber, OutlivesADrainOfTheQueueThatItWasStartedFrom) {
  StackPool pool{StackConfig{}};
  ServingExecutor executor(pool);
  Event event;
  int ended = 0;
  for (int round = 0; round < 3; ++round) {
    Go(executor, [&] {
      event.Wait();
      ++ended;
    });
    executor.RunUntilEmpty();
  }
  event.Fire();
  executor.RunUntilEmpty();
  EXPECT_EQ(ended, 3);
}

// The chain of frame pointers is what profilers and debuggers walk.
#if defined(__x86_64__) || defined(__aarch64__)
SB_NOINLINE int FramesToTheBase() {
  constexpr int kMost = 64;
  constexpr std::uintptr_t kStackBytes = StackConfig::kDefaultBytes;
  auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t lowest = frame;
  for (int frames = 1; frames <= kMost; ++frames) {
    const std::uintptr_t next = *reinterpret_cast<const std::uintptr_t*>(frame);
    if (next == 0) {
      return frames;
    }
    // Towards the base, and never off the stack.
    if (next <= frame || next - lowest > kStackBytes || next % sizeof(void*) != 0) {
      return -frames;
    }
    frame = next;
  }
  return -kMost;
}

TEST(Fiber, EndsTheChainOfFramePointersAtItsEntry) {
  const auto expect_clean = [](const char* where) {
    const int frames = FramesToTheBase();
    EXPECT_GT(frames, 1) << where;
    EXPECT_LT(frames, 20) << where;
  };
  const auto body = [&] {
    expect_clean("before it was ever suspended");
    Yield();
    expect_clean("after a switch");
    Yield();
    expect_clean("after another");
  };
  ManualExecutor manual;
  StackPool pool{StackConfig{}};
  ServingExecutor serving(pool);
  for (int i = 0; i < 2; ++i) {
    Go(manual, body);
    Go(serving, body);
  }
  manual.Drain();
  serving.RunUntilEmpty();
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    for (int i = 0; i < 10; ++i) {
      Go(*scheduler, body);
    }
    scheduler->WaitIdle();
  }
}
#endif

}  // namespace

}  // namespace schedbench::fibers::fiber_test
