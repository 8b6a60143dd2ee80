#include "fibers/sync/semaphore.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace schedbench::fibers::semaphore_test {

namespace {

using executors::ManualExecutor;

TEST(Semaphore, LetsAsManyInAsThereArePermits) {
  ManualExecutor executor;
  Semaphore semaphore(2);
  int in = 0;
  for (int i = 0; i < 5; ++i) {
    Go(executor, [&] {
      semaphore.Acquire();
      ++in;
    });
  }
  executor.Drain();
  EXPECT_EQ(in, 2);
  semaphore.Release();
  executor.Drain();
  EXPECT_EQ(in, 3);
  semaphore.Release(5);
  executor.Drain();
  EXPECT_EQ(in, 5);
  EXPECT_EQ(semaphore.Permits(), 3);
}

TEST(Semaphore, ServesWaitersInTheOrderOfTheirCallsWithoutOvertaking) {
  ManualExecutor executor;
  Semaphore semaphore(0);
  std::string order;
  for (const char name : {'a', 'b', 'c'}) {
    Go(executor, [&, name] {
      semaphore.Acquire();
      order += name;
    });
  }
  executor.Drain();
  semaphore.Release(2);
  EXPECT_FALSE(semaphore.TryAcquire()) << "both permits have owners, which have not run yet";
  executor.Drain();
  EXPECT_EQ(order, "ab");
  semaphore.Release();
  executor.Drain();
  EXPECT_EQ(order, "abc");
}

TEST(Semaphore, TriesWithoutWaiting) {
  ManualExecutor executor;
  Semaphore semaphore(1);
  EXPECT_TRUE(semaphore.TryAcquire());
  EXPECT_FALSE(semaphore.TryAcquire());
  bool tried = false;
  Go(executor, [&] {
    EXPECT_FALSE(semaphore.AcquireFor(std::chrono::nanoseconds(0)));
    tried = true;
  });
  executor.Drain();
  EXPECT_TRUE(tried);
  semaphore.Release();
  EXPECT_TRUE(semaphore.TryAcquire());
}

TEST(Semaphore, MayBeDestroyedByTheLastThatIsServed) {
  ManualExecutor executor;
  auto semaphore = std::make_unique<Semaphore>(0);
  Go(executor, [&] {
    semaphore->Acquire();
    semaphore.reset();
  });
  executor.Drain();
  semaphore->Release();
  executor.Drain();
  EXPECT_EQ(semaphore, nullptr);
}

}  // namespace

}  // namespace schedbench::fibers::semaphore_test
