#include "fibers/sync/cond_var.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/sched/go.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace schedbench::fibers::cond_var_test {

namespace {

using executors::ManualExecutor;

TEST(CondVar, GivesUpTheMutexWhileItWaitsAndOwnsItAfterwards) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  bool continued = false;
  Go(executor, [&] {
    UniqueLock lock(mutex);
    changed.Wait(lock);
    EXPECT_FALSE(mutex.TryLock());
    continued = true;
  });
  executor.Drain();
  EXPECT_TRUE(mutex.TryLock()) << "a waiting fiber does not hold it";
  changed.NotifyOne();
  executor.Drain();
  EXPECT_FALSE(continued) << "the mutex is taken";
  mutex.Unlock();
  executor.Drain();
  EXPECT_TRUE(continued);
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(CondVar, HandsTheMutexToTheNotifiedFiberAndNotToTheFirstThatTries) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  bool continued = false;
  Go(executor, [&] {
    const MutexLock lock(mutex);
    changed.Wait(mutex);
    EXPECT_EQ(Mutex::OwnerOf(&mutex), CurrentFiberId());
    continued = true;
  });
  executor.Drain();
  EXPECT_TRUE(mutex.TryLock());
  changed.NotifyOne();
  mutex.Unlock();
  EXPECT_FALSE(mutex.TryLock());
  executor.Drain();
  EXPECT_TRUE(continued);
}

TEST(CondVar, NotifiesOneAtATimeInTheOrderOfTheCalls) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  std::string order;
  for (const char name : {'a', 'b', 'c'}) {
    Go(executor, [&, name] {
      const MutexLock lock(mutex);
      changed.Wait(mutex);
      order += name;
    });
  }
  executor.Drain();
  changed.NotifyOne();
  executor.Drain();
  EXPECT_EQ(order, "a");
  changed.NotifyAll();
  executor.Drain();
  EXPECT_EQ(order, "abc");
  changed.NotifyAll();
  changed.NotifyOne();
}

TEST(CondVar, DoesNotRememberANotificationWithoutAWaiter) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  bool continued = false;
  changed.NotifyOne();
  Go(executor, [&] {
    const MutexLock lock(mutex);
    changed.Wait(mutex);
    continued = true;
  });
  executor.Drain();
  EXPECT_FALSE(continued);
  changed.NotifyOne();
  executor.Drain();
  EXPECT_TRUE(continued);
}

TEST(CondVar, ResumesANotifiedFiberOnceAndOnlyAsOwner) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  for (int i = 0; i < 5; ++i) {
    Go(executor, [&] {
      const MutexLock lock(mutex);
      changed.Wait(mutex);
    });
  }
  executor.Drain();
  mutex.TryLock();
  changed.NotifyAll();
  EXPECT_EQ(executor.Size(), 0) << "none can do anything yet";
  mutex.Unlock();
  EXPECT_EQ(executor.Drain(), 5);
}

TEST(CondVar, WaitsAgainUntilThePredicateHolds) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  int value = 0;
  bool continued = false;
  Go(executor, [&] {
    UniqueLock lock(mutex);
    changed.Wait(lock, [&] { return value == 2; });
    continued = true;
  });
  executor.Drain();
  for (int next : {1, 2}) {
    value = next;
    changed.NotifyOne();
    executor.Drain();
    EXPECT_EQ(continued, next == 2);
  }
}

TEST(CondVar, ThatIsPastItsDeadlineSaysWhetherThePredicateHolds) {
  ManualExecutor executor;
  Mutex mutex;
  CondVar changed;
  int asked = 0;
  Go(executor, [&] {
    UniqueLock lock(mutex);
    EXPECT_FALSE(changed.WaitFor(lock, std::chrono::nanoseconds(0), [] { return false; }));
    EXPECT_TRUE(changed.WaitFor(lock, std::chrono::nanoseconds(0), [&] { return ++asked == 2; }));
    EXPECT_TRUE(lock.OwnsLock());
  });
  while (asked < 2) {
    executor.Drain();
  }
  executor.Drain();
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(CondVar, MayBeDestroyedByTheLastThatWasNotified) {
  ManualExecutor executor;
  struct Shared {
    Mutex mutex;
    CondVar changed;
  };
  auto shared = std::make_unique<Shared>();
  Go(executor, [&] {
    shared->mutex.Lock();
    shared->changed.Wait(shared->mutex);
    shared->mutex.Unlock();
    shared.reset();
  });
  executor.Drain();
  shared->changed.NotifyAll();
  executor.Drain();
  EXPECT_EQ(shared, nullptr);
}

TEST(UniqueLock, HoldsTheMutexOrNot) {
  Mutex mutex;
  {
    UniqueLock lock(mutex, std::defer_lock);
    EXPECT_FALSE(lock.OwnsLock());
    EXPECT_TRUE(lock.TryLock());
    EXPECT_FALSE(UniqueLock(mutex, std::try_to_lock).OwnsLock());
    UniqueLock other(std::move(lock));
    EXPECT_TRUE(other.OwnsLock());
    other.Unlock();
    EXPECT_TRUE(mutex.TryLock());
    other = UniqueLock(mutex, std::adopt_lock);
  }
  EXPECT_TRUE(mutex.TryLock()) << "given back at the end of the scope";
  mutex.Unlock();
}

}  // namespace

}  // namespace schedbench::fibers::cond_var_test
