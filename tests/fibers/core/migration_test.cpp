// A fiber that continues on another thread must see that thread's things, though compilers keep
// addresses of thread-local variables across calls. Meant for the release build: at -O0 there is
// nothing to keep.
#include "executors/manual_executor.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <semaphore>
#include <thread>

namespace schedbench::fibers::migration_test {

namespace {

using executors::ManualExecutor;

using Mine = platform::ThreadLocalPtr<int, class MigrationTag>;

// Two threads run the tasks of one executor in turn, one task each, until none is left.
class TwoThreads {
 public:
  explicit TwoThreads(ManualExecutor& executor)
      : executor_(executor) {
  }

  // `before`: called on each thread before it runs its first task.
  template <typename Before>
  void RunInTurn(Before before) {
    std::jthread other([&] {
      before();
      TakeTurns(others_turn_, my_turn_);
    });
    my_turn_.release();
    before();
    TakeTurns(my_turn_, others_turn_);
  }

 private:
  using Turn = std::binary_semaphore;

  void TakeTurns(Turn& own, Turn& next) {
    for (;;) {
      own.acquire();
      // Guarded by the turn.
      over_ = over_ || !executor_.RunNext();
      const bool over = over_;
      next.release();
      if (over) {
        return;
      }
    }
  }

  ManualExecutor& executor_;
  Turn my_turn_{0};
  Turn others_turn_{0};
  bool over_ = false;
};

TEST(Migration, LeavesNoStaleThreadLocalPointer) {
  ManualExecutor executor;
  int numbers[2] = {0, 0};
  std::atomic<int> threads{0};
  int wrong = 0;
  int moved = 0;
  Go(executor, [&] {
    int* last = nullptr;
    for (int i = 0; i < 1000; ++i) {
      int* const here = Mine::Get();
      moved += here != last ? 1 : 0;
      last = here;
      wrong += *here == 1 ? 0 : 1;
      ++*here;
      wrong += Mine::Get() == here ? 0 : 1;
      --*Mine::Get();
      Yield();
    }
  });
  TwoThreads(executor).RunInTurn([&] {
    Mine::Set(&numbers[threads++]);
    *Mine::Get() = 1;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(moved, 1000) << "the fiber did not change threads each time";
}

TEST(Migration, LeavesNoStaleFiberThreadAndNoStaleCurrentFiber) {
  ManualExecutor executor;
  int wrong = 0;
  int rounds = 0;
  Go(executor, [&] {
    Fiber* const self = FiberThread::CurrentFiber();
    for (; rounds < 1000; ++rounds) {
      const FiberThread* const before = FiberThread::Current();
      wrong += FiberThread::CurrentFiber() == self ? 0 : 1;
      Yield();
      wrong += FiberThread::Current() != before ? 0 : 1;
      wrong += FiberThread::CurrentFiber() == self ? 0 : 1;
    }
  });
  TwoThreads(executor).RunInTurn([] {});
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(rounds, 1000);
}

TEST(Migration, KeepsTheCurrentFiberRightOnEveryScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4);
    std::atomic<int> wrong{0};
    for (int fiber = 0; fiber < 16; ++fiber) {
      Go(*scheduler, [&] {
        Fiber* const self = FiberThread::CurrentFiber();
        for (int i = 0; i < tests::PlainOrSanitized(2000, 300); ++i) {
          Yield();
          if (FiberThread::CurrentFiber() != self) {
            ++wrong;
          }
        }
      });
    }
    scheduler->WaitIdle();
    EXPECT_EQ(wrong, 0) << name;
  }
}

// errno is the thread's, and user code reads it right after a failed call: here no switch comes
// between. What must hold is that the switch itself leaves the errno of the thread it arrives on
// alone.
SB_NOINLINE int ReadErrno() {
  asm volatile("" ::: "memory");
  return errno;
}

SB_NOINLINE void WriteErrno(int value) {
  asm volatile("" ::: "memory");
  errno = value;
}

TEST(Migration, LeavesErrnoOfEachThreadAlone) {
  ManualExecutor executor;
  Go(executor, [] {
    for (int i = 0; i < 10; ++i) {
      WriteErrno(1000 + i);
      Yield();
    }
  });
  executor.RunNext();
  EXPECT_EQ(ReadErrno(), 1000);
  int of_other = 0;
  std::thread([&] {
    WriteErrno(7);
    executor.RunNext();
    of_other = ReadErrno();
  }).join();
  EXPECT_EQ(of_other, 1001);
  executor.Drain();
}

}  // namespace

}  // namespace schedbench::fibers::migration_test
