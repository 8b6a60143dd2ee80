#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <memory>
#include <random>
#include <vector>

namespace schedbench::fibers::mutex_stress {

namespace {

class FiberMutexStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, FiberMutexStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(FiberMutexStress, LetsOneFiberInAtATime) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  do {
    constexpr int kFibers = 12;
    constexpr int kSections = 100;
    Mutex mutex;
    int sections = 0;  // plain: guarded by mutex
    int tries = 0;     // plain: guarded by mutex
    WaitGroup done;
    done.Add(kFibers);
    for (int fiber = 0; fiber < kFibers; ++fiber) {
      Go(scheduler_, [&, rhythm = 1 + random() % 7] {
        for (std::uint64_t i = 0; i < kSections; ++i) {
          if (i % 3 == 0 && mutex.TryLock()) {
            ++tries;
          } else {
            mutex.Lock();
          }
          ++sections;
          if (i % rhythm == 0) {
            Yield();
          }
          mutex.Unlock();
          if (i % (rhythm + 2) == 0) {
            Yield();
          }
        }
        done.Done();
      });
    }
    done.Wait();
    ASSERT_EQ(sections, kFibers * kSections);
  } while (!time.IsOver());
}

TEST_P(FiberMutexStress, IsDestroyedByItsLastOwnerWhileTheOneBeforeReturns) {
  const tests::StressTime time;
  struct Shared {
    Mutex mutex;
    int left = 3;  // guarded by mutex
  };
  do {
    WaitGroup done;
    constexpr std::size_t kGroups = 20;
    done.Add(3 * kGroups);
    for (std::size_t group = 0; group < kGroups; ++group) {
      auto* const shared = new Shared;
      for (int fiber = 0; fiber < 3; ++fiber) {
        Go(scheduler_, [shared, &done] {
          shared->mutex.Lock();
          const bool last = --shared->left == 0;
          shared->mutex.Unlock();
          if (last) {
            delete shared;
          }
          done.Done();
        });
      }
    }
    done.Wait();
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::mutex_stress
