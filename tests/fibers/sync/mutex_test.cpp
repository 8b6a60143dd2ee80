#include "fibers/sync/mutex.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace schedbench::fibers::mutex_test {

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

TEST(FiberMutex, SuspendsTheFiberThatHasToWaitAndLeavesTheThreadToOthers) {
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
  Go(executor, [&] { order += "-"; });
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

// Fibers that wait for a mutex, which the test holds at first, on an executor that runs only on
// request.
class ContendedFiberMutex : public testing::Test {
 protected:
  ContendedFiberMutex() {
    EXPECT_TRUE(mutex_.TryLock());
  }

  void Wait(int fibers) {
    for (int i = 0; i < fibers; ++i) {
      Go(executor_, [this, number = i] {
        ids_[static_cast<std::size_t>(number)] = CurrentFiberId();
        const MutexLock lock(mutex_);
        ++served_;
      });
    }
    executor_.Drain();
  }

  // Sections of others until the mutex is not to be had.
  std::uint32_t Overtake() {
    std::uint32_t sections = 0;
    while (mutex_.TryLock()) {
      ++sections;
      mutex_.Unlock();
    }
    return sections;
  }

  ManualExecutor executor_;
  Mutex mutex_;
  std::array<std::uint64_t, 8> ids_{};
  int served_ = 0;
};

TEST_F(ContendedFiberMutex, IsFreeUntilTheWokenWaiterRuns) {
  Wait(1);
  mutex_.Unlock();
  EXPECT_EQ(executor_.Size(), 1U);
  EXPECT_TRUE(mutex_.TryLock()) << "a running fiber need not wait for one that does not run yet";
  mutex_.Unlock();
  executor_.Drain();
  EXPECT_EQ(served_, 1);
}

TEST_F(ContendedFiberMutex, WakesNoFiberWhileAWokenOneHasNotRunYet) {
  Wait(4);
  mutex_.Unlock();
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(mutex_.TryLock());
    mutex_.Unlock();
    EXPECT_EQ(executor_.Size(), 1U);
  }
  executor_.Drain();
  EXPECT_EQ(served_, 4);
}

TEST_F(ContendedFiberMutex, IsHandedOverToAWokenWaiterThatCameTooLate) {
  Wait(2);
  mutex_.Unlock();
  ASSERT_TRUE(mutex_.TryLock());
  executor_.Drain();
  EXPECT_EQ(served_, 0);
  mutex_.Unlock();
  EXPECT_FALSE(mutex_.TryLock()) << "it belongs to the waiter, which has not run yet";
  EXPECT_TRUE(executor_.RunNext());
  EXPECT_EQ(served_, 1);
  executor_.Drain();
  EXPECT_EQ(served_, 2);
}

TEST_F(ContendedFiberMutex, IsReservedForTheWokenWaiterAfterSoManySections) {
  Wait(1);
  mutex_.Unlock();
  EXPECT_EQ(Overtake(), Mutex::kMaxOvertakes - 1);
  EXPECT_EQ(executor_.Size(), 1U);
  executor_.Drain();
  EXPECT_EQ(served_, 1);
  EXPECT_TRUE(mutex_.TryLock());
  mutex_.Unlock();
}

TEST_F(ContendedFiberMutex, LetsNoWaiterBeOvertakenMoreOftenThanItPromises) {
  constexpr int kWaiters = 5;
  Wait(kWaiters);
  mutex_.Unlock();
  for (int waiter = 0; waiter < kWaiters; ++waiter) {
    EXPECT_LE(Overtake(), Mutex::kMaxOvertakes);
    ASSERT_TRUE(executor_.RunNext());
    EXPECT_EQ(served_, waiter + 1);
  }
}

TEST_F(ContendedFiberMutex, LimitsHowOftenAWaiterThatIsAlwaysLateIsOvertaken) {
  constexpr int kWaiters = 5;
  Wait(kWaiters);
  std::uint32_t sections = 1;
  for (;;) {
    executor_.Drain();  // all tries are in vain: the mutex is held
    mutex_.Unlock();
    if (!mutex_.TryLock()) {
      executor_.RunNext();
      if (served_ == kWaiters) {
        break;
      }
      while (!mutex_.TryLock()) {
        ASSERT_TRUE(executor_.RunNext());
      }
    }
    ++sections;
  }
  EXPECT_LE(sections, 2U * kWaiters)
      << "the first section finds each asleep, the second hands over";
}

TEST_F(ContendedFiberMutex, WakesNoFiberAfterTheLastWaiterHasLeft) {
  Wait(8);
  mutex_.Unlock();
  executor_.Drain();
  EXPECT_EQ(served_, 8);
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(mutex_.TryLock());
    mutex_.Unlock();
    ASSERT_TRUE(executor_.IsEmpty());
  }
}

TEST_F(ContendedFiberMutex, NamesItsOwnerOrItsNextOwner) {
  EXPECT_EQ(Mutex::OwnerOf(&mutex_), 0U) << "no fiber";
  Wait(2);
  mutex_.Unlock();
  EXPECT_EQ(Mutex::OwnerOf(&mutex_), 0U) << "free";
  Overtake();
  EXPECT_EQ(Mutex::OwnerOf(&mutex_), ids_[0]) << "reserved";
  executor_.RunNext();
  ASSERT_TRUE(mutex_.TryLock());
  executor_.Drain();
  mutex_.Unlock();
  EXPECT_EQ(Mutex::OwnerOf(&mutex_), ids_[1]) << "handed over";
  executor_.Drain();
  EXPECT_EQ(Mutex::OwnerOf(&mutex_), 0U);
}

TEST(FiberMutex, ThatAllowsNoOvertakingServesFirstComeFirst) {
  ManualExecutor executor;
  Mutex mutex(1);
  int served = 0;
  mutex.TryLock();
  for (int i = 0; i < 3; ++i) {
    Go(executor, [&] {
      const MutexLock lock(mutex);
      ++served;
    });
  }
  executor.Drain();
  mutex.Unlock();
  for (int i = 1; i <= 3; ++i) {
    EXPECT_FALSE(mutex.TryLock()) << "it belongs to a waiter, which has not run yet";
    EXPECT_TRUE(executor.RunNext());
    EXPECT_EQ(served, i);
  }
  EXPECT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(FiberMutex, ServesAFiberThatComesDuringABatchOfWaitersAfterThem) {
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
  Go(executor, [&] { mutex.Lock(); });
  Go(executor, [&] { mutex.Unlock(); });
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

TEST(FiberMutex, MayBeDestroyedByTheWaiterThatItWasReservedFor) {
  ManualExecutor executor;
  auto mutex = std::make_unique<Mutex>();
  mutex->TryLock();
  Go(executor, [&] {
    mutex->Lock();
    mutex->Unlock();
    mutex.reset();
  });
  executor.Drain();
  do {
    mutex->Unlock();
  } while (mutex->TryLock());
  executor.Drain();
  EXPECT_EQ(mutex, nullptr);
}

}  // namespace

}  // namespace schedbench::fibers::mutex_test
