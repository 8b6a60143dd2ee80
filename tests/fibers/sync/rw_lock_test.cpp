#include "fibers/sync/rw_lock.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace schedbench::fibers::rw_lock_test {

namespace {

using executors::ManualExecutor;

TEST(RwLock, IsSharedByReadersOrHeldByOneWriter) {
  RwLock lock;
  EXPECT_TRUE(lock.TryLockShared());
  EXPECT_TRUE(lock.TryLockShared());
  EXPECT_FALSE(lock.TryLock());
  lock.UnlockShared();
  EXPECT_FALSE(lock.TryLock());
  lock.UnlockShared();
  EXPECT_TRUE(lock.TryLock());
  EXPECT_FALSE(lock.TryLock());
  EXPECT_FALSE(lock.TryLockShared());
  lock.Unlock();
  EXPECT_TRUE(lock.TryLockShared());
  lock.UnlockShared();
}

TEST(RwLock, DoesNotLetNewReadersOvertakeAWriterThatWaits) {
  ManualExecutor executor;
  RwLock lock;
  std::string order;
  lock.TryLockShared();
  Go(executor, [&] {
    const ExclusiveLock held(lock);
    order += 'w';
  });
  executor.Drain();
  EXPECT_FALSE(lock.TryLockShared());
  Go(executor, [&] {
    const SharedLock held(lock);
    order += 'r';
  });
  executor.Drain();
  EXPECT_EQ(order, "");
  lock.UnlockShared();
  executor.Drain();
  EXPECT_EQ(order, "wr");
}

TEST(RwLock, LetsAllReadersThatWaitInBetweenTwoWriters) {
  ManualExecutor executor;
  RwLock lock;
  std::string order;
  lock.TryLock();
  const auto writer = [&](char name) {
    Go(executor, [&, name] {
      const ExclusiveLock held(lock);
      order += name;
    });
  };
  const auto reader = [&](char name) {
    Go(executor, [&, name] {
      const SharedLock held(lock);
      order += name;
      Yield();
      order += name;
    });
  };
  writer('A');
  reader('r');
  writer('B');
  reader('s');
  executor.Drain();
  EXPECT_EQ(order, "");
  lock.Unlock();
  executor.Drain();
  EXPECT_EQ(order, "rsrsAB");
  EXPECT_TRUE(lock.TryLock());
  lock.Unlock();
}

TEST(RwLock, MayBeDestroyedByTheLastThatIsServed) {
  for (const bool shared : {false, true}) {
    ManualExecutor executor;
    auto lock = std::make_unique<RwLock>();
    lock->TryLock();
    Go(executor, [&] {
      if (shared) {
        lock->LockShared();
        lock->UnlockShared();
      } else {
        lock->Lock();
        lock->Unlock();
      }
      lock.reset();
    });
    executor.Drain();
    lock->Unlock();
    executor.Drain();
    EXPECT_EQ(lock, nullptr);
  }
}

}  // namespace

}  // namespace schedbench::fibers::rw_lock_test
