#include "platform/threads/mutex.hpp"

#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

namespace schedbench::platform::mutex_test {

namespace {

TEST(Mutex, IsTakenByOneAtATime) {
  Mutex mutex;
  EXPECT_TRUE(mutex.TryLock());
  EXPECT_FALSE(mutex.TryLock());
  mutex.Unlock();
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(MutexLock, HoldsTheMutexToTheEndOfTheScope) {
  Mutex mutex;
  {
    const MutexLock lock(mutex);
    EXPECT_FALSE(mutex.TryLock());
  }
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(MutexLock, ReportsWhetherItHadToWait) {
  const tests::HangGuard guard("no lock ever had to wait");
  Mutex mutex;
  EXPECT_FALSE(MutexLock(mutex).Waited());
  // When the other thread really tries, while this one holds the mutex, is not decided here: sooner
  // or later it does.
  std::atomic<bool> waited{false};
  std::jthread other([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const MutexLock lock(mutex);
      waited = waited || lock.Waited();
    }
  });
  while (!waited) {
    const MutexLock lock(mutex);
    std::this_thread::yield();
  }
}

TEST(Mutex, WakesTheThreadThatSleepsOnIt) {
  const tests::HangGuard guard("a mutex");
  for (int round = 0; round < 50; ++round) {
    Mutex mutex;
    mutex.Lock();
    std::vector<std::jthread> threads;
    int entered = 0;  // guarded by mutex
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        const MutexLock lock(mutex);
        ++entered;
      });
    }
    // Long enough that some spin out and go to sleep.
    for (int i = 0; i < 20; ++i) {
      std::this_thread::yield();
    }
    mutex.Unlock();
    threads.clear();
    EXPECT_EQ(entered, 3);
  }
}

TEST(ConditionVariable, WakesAWaiterWhoseConditionCameTrue) {
  const tests::HangGuard guard("a condition variable");
  Mutex mutex;
  ConditionVariable changed;
  int turn = 0;  // guarded by mutex
  constexpr int kTurns = tests::PlainOrSanitized(2000, 500);
  const auto play = [&](int side) {
    for (int i = 0; i < kTurns; ++i) {
      const MutexLock lock(mutex);
      while (turn % 2 != side) {
        changed.Wait(mutex);
      }
      ++turn;
      changed.NotifyOne();
    }
  };
  {
    std::jthread first(play, 0);
    std::jthread second(play, 1);
  }
  EXPECT_EQ(turn, 2 * kTurns);
}

TEST(ConditionVariable, WakesAllWaiters) {
  const tests::HangGuard guard("a condition variable");
  Mutex mutex;
  ConditionVariable changed;
  bool open = false;  // guarded by mutex
  int passed = 0;     // guarded by mutex
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&] {
        const MutexLock lock(mutex);
        while (!open) {
          changed.Wait(mutex);
        }
        ++passed;
      });
    }
    const MutexLock lock(mutex);
    open = true;
    changed.NotifyAll();
  }
  EXPECT_EQ(passed, 5);
}

}  // namespace

}  // namespace schedbench::platform::mutex_test
