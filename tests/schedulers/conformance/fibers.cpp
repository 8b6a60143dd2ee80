#include "fibers/core/suspend.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "tests/schedulers/conformance/conformance.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace schedbench::tests::fibers_test {

namespace {

using fibers::Go;
using fibers::WaitGroup;
using fibers::Yield;

TEST_P(Conformance, LetsYieldingFibersOfOneWorkerRunInTurn) {
  const auto pool = MakeScheduler(Name(), 1);
  const int yields = Repeat(1000);
  constexpr int kMaxAhead = 10;
  std::atomic<int> turns[2] = {0, 0};
  int max_ahead[2] = {0, 0};
  WaitGroup done;
  done.Add(2);
  Go(*pool, [&] {
    for (int self = 0; self < 2; ++self) {
      Go([&, self] {
        for (int i = 0; i < yields; ++i) {
          ++turns[self];
          // A fiber that has ended needs no turns.
          if (turns[1 - self] < yields) {
            max_ahead[self] = std::max(max_ahead[self], std::abs(turns[0] - turns[1]));
          }
          Yield();
        }
        done.Done();
      });
    }
  });
  done.Wait();
  EXPECT_LE(std::max(max_ahead[0], max_ahead[1]), kMaxAhead);
  EXPECT_EQ(turns[0], yields);
  EXPECT_EQ(turns[1], yields);
}

TEST_P(Conformance, LetsAFiberYieldToATaskFromOutside) {
  std::atomic<bool> stop{false};
  WaitGroup done;
  const std::size_t fibers = std::size_t{2} * Workers();
  done.Add(fibers);
  for (std::size_t i = 0; i < fibers; ++i) {
    Go(scheduler_, [&] {
      while (!stop) {
        Yield();
      }
      done.Done();
    });
  }
  FunctionTask last([&] { stop = true; });
  scheduler_.Submit(&last, SchedulerHint::UpToYou);
  done.Wait();
}

TEST_P(Conformance, LetsALoneFiberYield) {
  WaitGroup done;
  done.Add(1);
  int yields = 0;
  Go(scheduler_, [&] {
    for (; yields < 1000; ++yields) {
      Yield();
    }
    done.Done();
  });
  done.Wait();
  EXPECT_EQ(yields, 1000);
}

// The two starvations that the Scalable Scheduler task names.

TEST_P(Conformance, RunsAFiberFromOutsideAlthoughFibersContinueToStartOthers) {
  std::atomic<bool> stop{false};
  const std::function<void()> spawner = [&] {
    if (!stop) {
      Go(spawner);
    }
  };
  for (std::size_t i = 0; i < std::size_t{2} * Workers(); ++i) {
    Go(scheduler_, spawner);
  }
  Go(scheduler_, [&] { stop = true; });
  scheduler_.WaitIdle();  // ends only if the last one runs
  EXPECT_TRUE(stop);
}

TEST_P(Conformance, RunsAQueuedFiberAlthoughTwoOthersWakeEachOtherAsNext) {
  // On one worker others run only because of the limit of the slot.
  const auto pool = MakeScheduler(Name(), 1);
  fibers::Channel<int> there(0, SchedulerHint::Next);
  fibers::Channel<int> back(0, SchedulerHint::Next);
  std::atomic<bool> stop{false};
  WaitGroup done;
  done.Add(3);
  Go(*pool, [&] {
    Go([&] {
      for (int message = 1; message != 0; message = there.Receive()) {
        back.Send(message);
      }
      done.Done();
    });
    Go([&] {
      while (!stop) {
        back.Receive();
        there.Send(1);
      }
      back.Receive();
      there.Send(0);
      done.Done();
    });
    Go([&] {
      stop = true;
      done.Done();
    });
  });
  done.Wait();
}

TEST_P(Conformance, HasNoWorkWithSuspendedFibersHoweverManyTheyAre) {
  const auto count = Repeat(PlainOrSanitized<std::size_t>(5000, 500));
  constexpr std::size_t kTasks = 100;
  fibers::Event event;
  WaitGroup suspended;
  WaitGroup done;
  suspended.Add(count);
  done.Add(count);
  for (std::size_t i = 0; i < count; ++i) {
    Go(scheduler_, [&] {
      suspended.Done();
      event.Wait();
      done.Done();
    });
  }
  suspended.Wait();
  scheduler_.WaitIdle();
  const Totals before(scheduler_);
  std::vector<ProbeTask> tasks(kTasks);
  for (ProbeTask& task : tasks) {
    scheduler_.Submit(&task, SchedulerHint::UpToYou);
  }
  scheduler_.WaitIdle();
  const Totals after(scheduler_);
  EXPECT_EQ(after["tasks_run"] - before["tasks_run"], kTasks);
  EXPECT_EQ(after["tasks_submitted"], before["tasks_submitted"]);
  const std::uint64_t cpu = platform::ProcessCpuNs();
  // What is tested: the pause itself.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(platform::ProcessCpuNs() - cpu, 20'000'000U);
  event.Fire();
  done.Wait();
}

TEST_P(Conformance, DoesNotWaitIdleForASuspendedFiber) {
  fibers::Event event;
  WaitGroup done;
  bool continued = false;
  done.Add(1);
  Go(scheduler_, [&] {
    event.Wait();
    continued = true;
    done.Done();
  });
  scheduler_.WaitIdle();
  EXPECT_FALSE(continued);
  event.Fire();
  done.Wait();
  EXPECT_TRUE(continued);
}

TEST_P(Conformance, DoesNotWaitIdleForAFiberThatJoinsASuspendedOne) {
  fibers::Event event;
  WaitGroup done;
  done.Add(1);
  Go(scheduler_, [&] {
    fibers::Yield();  // the poll at the first pick is over
    fibers::Spawn([&] { event.Wait(); }).Join();
    done.Done();
  });
  scheduler_.WaitIdle();
  event.Fire();
  done.Wait();
  scheduler_.WaitIdle();
}

TEST_P(Conformance, WaitsForAFiberThatIsScheduledAgainAtOnce) {
  // Its next task is submitted by the very suspension that ends the one before.
  // Each suspension may start or wake a thread, which on a busy machine takes milliseconds.
  const int rounds = Repeat(kCostly ? 60 : 300);
  const int all_suspensions =
      ParallelismOf(Name()) == Parallelism::kAny ? (kCostly ? 10 : 20) : (kCostly ? 100 : 500);
  for (int round = 0; round < rounds; ++round) {
    std::atomic<bool> begun{false};
    int suspensions = 0;  // by one thread at a time
    Go(scheduler_, [&] {
      begun.store(true, std::memory_order_relaxed);
      for (; suspensions < all_suspensions; ++suspensions) {
        fibers::Suspend([](fibers::FiberHandle fiber) { fiber.Schedule(); });
      }
    });
    while (!begun.load(std::memory_order_relaxed)) {
      std::this_thread::yield();
    }
    scheduler_.WaitIdle();
    ASSERT_EQ(suspensions, all_suspensions) << "round " << round;
  }
}

// A tree of fibers: each waits for its two children.
int CountLeaves(int depth) {
  if (depth == 0) {
    return 1;
  }
  int leaves[2] = {0, 0};
  WaitGroup children;
  children.Add(2);
  for (int& of_child : leaves) {
    Go([depth, &of_child, &children] {
      of_child = CountLeaves(depth - 1);
      children.Done();
    });
  }
  children.Wait();
  return leaves[0] + leaves[1];
}

TEST_P(Conformance, JoinsATreeOfFibers) {
  // A tenth of the leaves are three levels less.
  const int depth = Repeat(10) == 10 ? PlainOrSanitized(12, 9) : PlainOrSanitized(9, 6);
  int leaves = 0;
  WaitGroup done;
  done.Add(1);
  Go(scheduler_, [&] {
    leaves = CountLeaves(depth);
    done.Done();
  });
  done.Wait();
  EXPECT_EQ(leaves, 1 << depth);
}

TEST_P(Conformance, JoinsAChainOfFibers) {
  // Each starts the next one and waits for it: as many suspended fibers as the chain is long.
  const int all = Repeat(PlainOrSanitized(3000, 500));
  struct Chain {
    static int Lengthen(int left) {
      if (left == 0) {
        return 0;
      }
      int rest = 0;
      WaitGroup done;
      done.Add(1);
      Go([&, left] {
        rest = Lengthen(left - 1);
        done.Done();
      });
      done.Wait();
      return rest + 1;
    }
  };
  int length = 0;
  WaitGroup done;
  done.Add(1);
  Go(scheduler_, [&] {
    length = Chain::Lengthen(all);
    done.Done();
  });
  done.Wait();
  EXPECT_EQ(length, all);
}

TEST_P(Conformance, KeepsFibersOutOfEachOthersCriticalSections) {
  constexpr int kFibers = 20;
  constexpr int kSections = PlainOrSanitized(200, 50);
  fibers::Mutex mutex;
  int sections = 0;  // guarded by mutex
  bool inside = false;
  WaitGroup done;
  done.Add(kFibers);
  for (int fiber = 0; fiber < kFibers; ++fiber) {
    Go(scheduler_, [&, fiber] {
      for (int i = 0; i < kSections; ++i) {
        const fibers::MutexLock lock(mutex);
        EXPECT_FALSE(std::exchange(inside, true));
        if ((i + fiber) % 3 == 0) {
          Yield();
        }
        ++sections;
        inside = false;
      }
      done.Done();
    });
  }
  done.Wait();
  EXPECT_EQ(sections, kFibers * kSections);
}

TEST_P(Conformance, CarriesValuesThroughAPipelineOfChannels) {
  constexpr std::size_t kStages = 10;
  const int values = Repeat(PlainOrSanitized(500, 100));
  for (const SchedulerHint wake : {SchedulerHint::UpToYou, SchedulerHint::Next}) {
    std::vector<std::unique_ptr<fibers::Channel<int>>> channels;
    for (std::size_t i = 0; i <= kStages; ++i) {
      channels.push_back(std::make_unique<fibers::Channel<int>>(i % 3, wake));
    }
    WaitGroup done;
    done.Add(kStages + 2);
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      Go(scheduler_, [&, stage] {
        for (int i = 0; i < values; ++i) {
          channels[stage + 1]->Send(channels[stage]->Receive() + 1);
        }
        done.Done();
      });
    }
    Go(scheduler_, [&] {
      for (int i = 0; i < values; ++i) {
        channels[0]->Send(i);
      }
      done.Done();
    });
    int wrong = 0;
    Go(scheduler_, [&] {
      for (int i = 0; i < values; ++i) {
        wrong += channels[kStages]->Receive() == i + static_cast<int>(kStages) ? 0 : 1;
      }
      done.Done();
    });
    done.Wait();
    EXPECT_EQ(wrong, 0);
  }
}

TEST_P(Conformance, ResumesAFiberOnItsOwnPoolFromAnyThread) {
  const auto other = Make();
  fibers::Channel<int> there(0);
  fibers::Channel<int> back(0);
  const int rounds = Repeat(PlainOrSanitized(1000, 200));
  WaitGroup done;
  done.Add(2);
  Go(scheduler_, [&] {
    for (int i = 0; i < rounds; ++i) {
      there.Send(i);
      EXPECT_EQ(back.Receive(), i);
    }
    done.Done();
  });
  Go(*other, [&] {
    for (int i = 0; i < rounds; ++i) {
      back.Send(there.Receive());
    }
    done.Done();
  });
  done.Wait();
  scheduler_.WaitIdle();
  other->WaitIdle();
  const Totals of_this(scheduler_);
  const Totals of_other(*other);
  EXPECT_EQ(of_this["tasks_run"], of_this["tasks_submitted"] + scheduler_.ExternalSubmissions());
  EXPECT_EQ(of_other["tasks_run"], of_other["tasks_submitted"] + other->ExternalSubmissions());
  // In each round one of the two has to wait for the other.
  EXPECT_GE(of_this["tasks_run"] + of_other["tasks_run"], static_cast<std::uint64_t>(rounds));
}

TEST_P(Conformance, RunsFibersBetweenPlainTasks) {
  const int count = Repeat(PlainOrSanitized(2000, 400));
  std::vector<ProbeTask> tasks(static_cast<std::size_t>(count));
  std::atomic<int> fibers{0};
  WaitGroup done;
  done.Add(static_cast<std::uint64_t>(count));
  for (int i = 0; i < count; ++i) {
    Go(scheduler_, [&, i] {
      scheduler_.Submit(&tasks[static_cast<std::size_t>(i)], static_cast<SchedulerHint>(i % 3));
      if (i % 2 == 0) {
        Yield();
      }
      ++fibers;
      done.Done();
    });
  }
  done.Wait();
  scheduler_.WaitIdle();
  EXPECT_EQ(fibers, count);
  EXPECT_EQ(NotRunOnce(tasks), 0U);
}

}  // namespace

}  // namespace schedbench::tests::fibers_test
