#include "fibers/sched/fiber_local.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace schedbench::fibers::fiber_local_test {

namespace {

using executors::ManualExecutor;

TEST(FiberLocal, IsEachFibersOwnAndStaysOverSwitches) {
  ManualExecutor executor;
  FiberLocal<int> number;
  std::string seen;
  for (int i = 1; i <= 3; ++i) {
    Go(executor, [&, i] {
      EXPECT_EQ(number.TryGet(), nullptr);
      EXPECT_EQ(*number, 0);
      *number = i;
      Yield();
      seen += std::to_string(*number);
    });
  }
  executor.Drain();
  EXPECT_EQ(seen, "123");
  EXPECT_EQ(*number, 0) << "the thread has its own";
}

TEST(FiberLocal, GoesWithItsFiberFromThreadToThread) {
  const tests::HangGuard guard("fiber-local values");
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4);
    FiberLocal<std::uint64_t> number;
    std::atomic<int> wrong{0};
    WaitGroup done;
    done.Add(50);
    for (std::uint64_t i = 0; i < 50; ++i) {
      Go(*scheduler, [&, i] {
        *number = i;
        for (int k = 0; k < 100; ++k) {
          Yield();
          wrong += *number == i ? 0 : 1;
        }
        done.Done();
      });
    }
    done.Wait();
    EXPECT_EQ(wrong.load(), 0) << name;
  }
}

struct Logged {
  ~Logged() {
    if (log != nullptr) {
      *log += name;
    }
  }

  std::string* log = nullptr;
  char name = ' ';
};

TEST(FiberLocal, IsDestroyedWhenTheFiberEndsTheNewestFirst) {
  ManualExecutor executor;
  FiberLocal<Logged> a;
  FiberLocal<Logged> b;
  std::string log;
  Go(executor, [&] {
    b->log = &log;
    b->name = 'b';
    a->log = &log;
    a->name = 'a';
    Yield();
    log += '.';
  });
  executor.Drain();
  EXPECT_EQ(log, ".ab");
}

struct Stubborn {
  ~Stubborn() {
    if (left > 0) {
      Yield();
      again->Get().again = again;
      again->Get().left = left - 1;
      ++*ended;
      again->Get().ended = ended;
    }
  }

  FiberLocal<Stubborn>* again = nullptr;
  int left = 0;
  int* ended = nullptr;
};

TEST(FiberLocal, MayAskForValuesAndSuspendWhileItIsDestroyed) {
  ManualExecutor executor;
  FiberLocal<Stubborn> stubborn;
  int ended = 0;
  Go(executor, [&] {
    stubborn->again = &stubborn;
    stubborn->left = 3;
    stubborn->ended = &ended;
  });
  executor.Drain();
  EXPECT_EQ(ended, 3);
}

TEST(FiberLocal, ThatIsGoneLeavesItsValuesToTheirFibersAndItsPlaceToOthers) {
  ManualExecutor executor;
  std::string log;
  std::optional<FiberLocal<Logged>> old(std::in_place);
  std::optional<FiberLocal<Logged>> fresh;
  Go(executor, [&] {
    (*old)->log = &log;
    (*old)->name = 'o';
    Yield();
    EXPECT_EQ(fresh->TryGet(), nullptr);
    (*fresh)->log = &log;
    (*fresh)->name = 'f';
    log += '.';
  });
  executor.RunNext();
  old.reset();
  EXPECT_EQ(log, "");
  fresh.emplace();
  executor.Drain();
  EXPECT_EQ(log.size(), 3);
  EXPECT_EQ(log.back(), 'f');
  EXPECT_NE(log.find('o'), std::string::npos);
}

// Asks for the value of another variable when it is destroyed.
struct Asking {
  ~Asking() {
    if (other != nullptr) {
      (*other)->name = 'a';
      asked = &**other;
    }
  }

  FiberLocal<Logged>* other = nullptr;
  static inline Logged* asked = nullptr;
};

TEST(FiberLocal, MayBeAskedForByTheOldValueInItsPlaceWhileThatIsDestroyed) {
  ManualExecutor executor;
  std::string log;
  Go(executor, [&] {
    std::optional<FiberLocal<Asking>> old(std::in_place);
    Asking& asking = **old;
    old.reset();
    FiberLocal<Logged> fresh;  // in the same place
    asking.other = &fresh;
    EXPECT_EQ(fresh->name, 'a');
    EXPECT_EQ(&*fresh, Asking::asked);
    fresh->log = &log;
    Asking::asked = nullptr;
  });
  executor.Drain();
  EXPECT_EQ(log, "a");
}

TEST(FiberLocal, OfAThreadEndsWithTheThread) {
  FiberLocal<Logged> value;
  std::string log;
  std::thread([&] {
    value->log = &log;
    value->name = 't';
  }).join();
  EXPECT_EQ(log, "t");
}

}  // namespace

}  // namespace schedbench::fibers::fiber_local_test
