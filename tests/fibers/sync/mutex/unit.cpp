#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/mutex.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace schedbench::fibers {

namespace {

using executors::ManualExecutor;

TEST(FiberMutex, IsTakenByOneAtATime) {
  Mutex mutex;
  EXPECT_TRUE(mutex.TryLock());
  EXPECT_FALSE(mutex.TryLock());
  mutex.Unlock();
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(FiberMutex, SuspendsWhoHasToWaitAndLeavesTheThreadToOthers) {
  ManualExecutor executor;
  Mutex mutex;
  std::string order;
  Go(executor, [&] {
    const MutexLock lock(mutex);
    order += "a";
    Yield();
    order += "b";
  });
  Go(executor, [&] {
    const MutexLock lock(mutex);
    order += "c";
  });
  Go(executor, [&] {
    order += "-";
  });
  executor.Drain();
  EXPECT_EQ(order, "a-bc");
}

TEST(FiberMutex, ServesWaitersInTheOrderOfTheirCalls) {
  ManualExecutor executor;
  Mutex mutex;
  std::string order;
  mutex.TryLock();
  for (const char name : {'a', 'b', 'c', 'd'}) {
    Go(executor, [&, name] {
      const MutexLock lock(mutex);
      order += name;
    });
  }
  executor.Drain();
  EXPECT_EQ(order, "");
  mutex.Unlock();
  executor.Drain();
  EXPECT_EQ(order, "abcd");
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(FiberMutex, IsHandedOverSoThatNobodyCanSnatchIt) {
  ManualExecutor executor;
  Mutex mutex;
  mutex.TryLock();
  bool owned = false;
  Go(executor, [&] {
    mutex.Lock();
    owned = true;
  });
  executor.Drain();
  mutex.Unlock();
  EXPECT_FALSE(mutex.TryLock()) << "it belongs to the waiter, who has not run yet";
  executor.Drain();
  EXPECT_TRUE(owned);
  mutex.Unlock();
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(FiberMutex, ServesWhoComesWhileABatchOfWaitersIsServedAfterThem) {
  ManualExecutor executor;
  Mutex mutex;
  std::string order;
  mutex.TryLock();
  const auto waiter = [&](char name) {
    Go(executor, [&, name] {
      const MutexLock lock(mutex);
      order += name;
      Yield();
    });
  };
  waiter('a');
  waiter('b');
  executor.Drain();
  mutex.Unlock();  // the batch a, b is taken
  waiter('c');
  waiter('d');
  executor.Drain();
  EXPECT_EQ(order, "abcd");
}

TEST(FiberMutex, MayBeUnlockedByAnotherFiber) {
  ManualExecutor executor;
  Mutex mutex;
  Go(executor, [&] {
    mutex.Lock();
  });
  Go(executor, [&] {
    mutex.Unlock();
  });
  executor.Drain();
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(FiberMutex, MayBeDestroyedByTheLastOwner) {
  ManualExecutor executor;
  auto mutex = std::make_unique<Mutex>();
  mutex->TryLock();
  Go(executor, [&] {
    mutex->Lock();
    mutex->Unlock();
    mutex.reset();
  });
  executor.Drain();
  mutex->Unlock();
  executor.Drain();
  EXPECT_EQ(mutex, nullptr);
}

}  // namespace

}  // namespace schedbench::fibers
