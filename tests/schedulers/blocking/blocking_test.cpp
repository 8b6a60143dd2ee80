#include "fibers/sched/blocking.hpp"

#include "executors/submit.hpp"
#include "fibers/net/pipe.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace schedbench::tests::blocking_test {

namespace {

using executors::SchedulerHint;
using platform::ThreadEvent;

class BlockingCalls : public testing::Test {
 protected:
  // A pool that hands off workers. The monitor retakes nothing unless `spec` says so.
  registry::IScheduler& Make(
      std::uint32_t workers,
      const std::string& spec = "fast:blocking=hand_off,syscall_retake_us=0") {
    owned_ = MakeScheduler(spec, workers);
    return *owned_;
  }

  std::uint64_t Read(std::string_view metric) const {
    static const auto& list = metrics::PoolMetricList();
    const metrics::MetricValues values = owned_->ReadPool();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].name == metric) {
        return values[i];
      }
    }
    ADD_FAILURE() << "no metric " << metric;
    return 0;
  }

 private:
  const HangGuard hang_guard_{"a test of blocking calls"};
  std::unique_ptr<registry::IScheduler> owned_;
};

TEST_F(BlockingCalls, ACallWaitsForAFiberOfTheSameOnlyWorker) {
  auto& pool = Make(1);
  ThreadEvent event;
  bool returned = false;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { event.Set(); });
    fibers::Blocking([&] { event.Wait(); });
    returned = true;
  });
  pool.WaitIdle();
  EXPECT_TRUE(returned);
  EXPECT_EQ(Read("handoffs"), 1);
}

TEST_F(BlockingCalls, ATaskThatIsSubmittedDuringTheCallRuns) {
  auto& pool = Make(1);
  ThreadEvent begun;
  ThreadEvent event;
  fibers::Go(pool, [&] {
    fibers::Blocking([&] {
      begun.Set();
      event.Wait();
    });
  });
  begun.Wait();
  executors::Submit(pool, [&] { event.Set(); });
  pool.WaitIdle();
  EXPECT_TRUE(event.IsSet());
}

TEST_F(BlockingCalls, TheMonitorTakesOverTheWorkerOfAShortCallThatIsLong) {
  auto& pool = Make(1, "fast:blocking=hand_off,syscall_retake_us=20");
  ThreadEvent event;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { event.Set(); });
    fibers::Syscall([&] { event.Wait(); });
  });
  pool.WaitIdle();
  EXPECT_EQ(Read("retakes"), 1);
  EXPECT_EQ(Read("handoffs"), 1);
}

TEST_F(BlockingCalls, ShortCallsStartNoThreads) {
  auto& pool = Make(1, "fast:blocking=hand_off,syscall_retake_us=1000000");
  constexpr int kCalls = 10'000;
  int calls = 0;
  fibers::Go(pool, [&] {
    for (int i = 0; i < kCalls; ++i) {
      calls += fibers::Syscall([] { return 1; });
    }
  });
  pool.WaitIdle();
  EXPECT_EQ(calls, kCalls);
  EXPECT_EQ(Read("threads_created"), 1);
  EXPECT_EQ(Read("handoffs"), 0);
  EXPECT_EQ(Totals(pool)["blocking_calls"], kCalls);
}

TEST_F(BlockingCalls, ThreadsDrawTheCaseOfASelectOnTheirWay) {
  auto& pool = Make(1);
  constexpr int kSelects = 200;
  int first = 0;
  fibers::Go(pool, [&] {
    fibers::Channel<int> a(1);
    fibers::Channel<int> b(1);
    for (int i = 0; i < kSelects; ++i) {
      a.TrySend(1);
      b.TrySend(2);
      fibers::Blocking([] {});  // the worker leaves the thread, and a thread gets it again
      fibers::ReceiveCase<int> from_a(a);
      fibers::ReceiveCase<int> from_b(b);
      first += fibers::Select(from_a, from_b) == 0 ? 1 : 0;
    }
  });
  pool.WaitIdle();
  // A fair coin shows one side only with a probability of 2^-199.
  EXPECT_GT(first, 0);
  EXPECT_LT(first, kSelects);
}

TEST_F(BlockingCalls, AFiberReturnsToItsOwnWorkerIfThatIsIdle) {
  auto& pool = Make(1);
  fibers::Go(pool, [&] {
    for (int i = 0; i < 100; ++i) {
      fibers::Blocking([] {});
    }
  });
  pool.WaitIdle();
  EXPECT_EQ(Read("returns_to_own"), 100);
  EXPECT_EQ(Read("returns_to_queue"), 0);
  EXPECT_EQ(Read("threads_created"), 1)
      << "nothing waited, so that no thread had to run the worker";
}

TEST_F(BlockingCalls, AFiberWaitsInTheQueueIfNoWorkerIsIdle) {
  auto& pool = Make(1);
  ThreadEvent busy;
  ThreadEvent returned;
  bool ran = false;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] {
      busy.Set();
      returned.Wait();  // keeps the worker
    });
    fibers::Blocking([&] {
      busy.Wait();
      std::thread([&] {
        while (Read("returns_to_queue") == 0) {
          std::this_thread::yield();
        }
        returned.Set();
      }).detach();
    });
    ran = true;
  });
  pool.WaitIdle();
  EXPECT_TRUE(ran);
  EXPECT_EQ(Read("returns_to_queue"), 1);
  EXPECT_EQ(Read("threads_created"), 2);
  EXPECT_EQ(Read("tasks_outside"), 1) << "its part up to the queue";
}

TEST_F(BlockingCalls, AFiberContinuesOnAnyIdleWorkerIfItsOwnIsBusy) {
  auto& pool = Make(2);
  while (Read("returns_to_idle") == 0) {
    ThreadEvent busy;
    ThreadEvent returned;
    fibers::Go(pool, [&] {
      // On this worker, or the other one, which then is the one that is busy.
      fibers::Go(pool, [&] {
        busy.Set();
        returned.Wait();
      });
      fibers::Blocking([&] { busy.Wait(); });
      returned.Set();
    });
    pool.WaitIdle();
  }
}

TEST_F(BlockingCalls, TheMonitorSeesHowLongATaskRuns) {
  auto& pool = Make(1, "fast:blocking=hand_off");
  fibers::Go(pool, [&] {
    while (Read("longest_run") < 2'000'000 || Read("sysmon_cpu") == 0) {
    }
  });
  pool.WaitIdle();
  EXPECT_GE(Read("longest_run"), 2'000'000);
  EXPECT_GT(Read("sysmon_cpu"), 0);
}

TEST_F(BlockingCalls, TheMonitorEmptiesTheSlotOfABusyWorker) {
  auto& pool = Make(2, "fast:blocking=hand_off,lifo_limit=3");
  // An idle worker would do it, too, if one of these fibers had not begun yet.
  while (Read("slots_emptied") == 0) {
    std::atomic<bool> ran{false};
    fibers::Go(pool, [&] {
      fibers::Go(pool, [&] {
        while (!ran) {
          fibers::Yield();
        }
      });
      fibers::Go(pool, [&] { ran = true; }, {.name = {}, .hint = SchedulerHint::Next});
      while (!ran) {
      }
    });
    pool.WaitIdle();
  }
}

TEST_F(BlockingCalls, ThreadsOfThePoolPollTheNetwork) {
  auto& pool = Make(1, "fast:netpoll=epoll");
  auto pipe = fibers::Pipe::Open().Take();
  while (Read("net_ready") == 0) {
    fibers::WaitGroup done;
    done.Add(1);
    fibers::Go(pool, [&] {
      std::array<std::byte, 1> buffer{};
      EXPECT_EQ(pipe.reader.ReadSome(buffer).bytes, 1);
      done.Done();
    });
    pool.WaitIdle();  // it waits for the pipe
    EXPECT_TRUE(pipe.writer.WriteSome(std::as_bytes(std::span("x", 1))).Ok());
    done.Wait();
  }
  EXPECT_GE(Read("net_polls"), Read("net_ready"));
}

TEST_F(BlockingCalls, ThreadsAreReused) {
  auto& pool = Make(1);
  fibers::Go(pool, [&] {
    for (int i = 0; i < 200; ++i) {
      ThreadEvent event;
      fibers::Go(pool, [&] { event.Set(); });
      fibers::Blocking([&] { event.Wait(); });
    }
  });
  pool.WaitIdle();
  EXPECT_EQ(Read("handoffs"), 200);
  // Two would do, but a thread that is on its way to the list of idle ones cannot be reused yet.
  EXPECT_LE(Read("threads_created"), 20);
}

TEST_F(BlockingCalls, CallsBeyondTheLimitWaitAndOtherFibersRun) {
  auto& pool = Make(1, "fast:blocking=hand_off,syscall_retake_us=0,max_threads=2,wait_idle=fibers");
  ThreadEvent event;
  std::atomic<int> returned{0};
  fibers::Go(pool, [&] {
    for (int i = 0; i < 3; ++i) {
      fibers::Go(pool, [&] {
        fibers::Blocking([&] { event.Wait(); });
        ++returned;
      });
    }
    fibers::Go(pool, [&] { event.Set(); }, {.name = {}, .hint = SchedulerHint::Yield});
  });
  pool.WaitIdle();
  EXPECT_EQ(returned, 3);
  EXPECT_EQ(Read("blocking_waits"), 2);
  EXPECT_LE(Read("threads_most"), 2);
}

TEST_F(BlockingCalls, ErrnoIsThatOfTheCall) {
  auto& pool = Make(1);
  int after = 0;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { errno = 1; });
    fibers::Blocking([] { errno = 4711; });
    after = platform::ThreadErrno();
  });
  pool.WaitIdle();
  EXPECT_EQ(after, 4711);
}

TEST_F(BlockingCalls, AnExceptionLeavesTheCall) {
  auto& pool = Make(1);
  std::string caught;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [] { fibers::Yield(); });
    try {
      fibers::Blocking([]() -> int { throw std::runtime_error("from the call"); });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
  });
  pool.WaitIdle();
  EXPECT_EQ(caught, "from the call");
}

TEST_F(BlockingCalls, AFiberMaySuspendInTheCall) {
  for (const bool is_long : {true, false}) {
    auto& pool = Make(1);
    bool ended = false;
    fibers::Go(pool, [&] {
      const auto suspends = [&] {
        fibers::WaitGroup group;
        group.Add(1);
        fibers::Go(pool, [&] { group.Done(); });
        group.Wait();
        return true;
      };
      ended = is_long ? fibers::Blocking(suspends) : fibers::Syscall(suspends);
    });
    pool.WaitIdle();
    EXPECT_TRUE(ended);
  }
}

TEST_F(BlockingCalls, StopWaitsForCalls) {
  auto& pool = Make(2);
  ThreadEvent begun;
  ThreadEvent event;
  std::atomic<bool> ended{false};
  fibers::Go(pool, [&] {
    fibers::Blocking([&] {
      begun.Set();
      event.Wait();
    });
    fibers::Yield();
    ended = true;
  });
  begun.Wait();
  std::thread setter([&] { event.Set(); });
  pool.Stop();
  EXPECT_TRUE(ended);
  setter.join();
}

TEST_F(BlockingCalls, OutsideOfFibersTheCallIsMade) {
  auto& pool = Make(1);
  EXPECT_EQ(fibers::Blocking([] { return 1; }), 1);
  int result = 0;
  executors::Submit(pool, [&] { result = fibers::Syscall([] { return 2; }); });
  pool.WaitIdle();
  EXPECT_EQ(result, 2);
  EXPECT_EQ(Read("handoffs"), 0);
}

TEST_F(BlockingCalls, OtherSchedulersMakeTheCallOnTheWorker) {
  for (const char* const spec : {"fast", "work_stealing", "global_fifo", "cached_pool"}) {
    auto& pool = Make(2, spec);
    int result = 0;
    fibers::Go(pool, [&] { result = fibers::Blocking([] { return 3; }); });
    pool.WaitIdle();
    EXPECT_EQ(result, 3) << spec;
  }
}

}  // namespace

}  // namespace schedbench::tests::blocking_test
