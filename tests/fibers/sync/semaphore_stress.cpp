#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/semaphore.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <atomic>
#include <random>

namespace schedbench::fibers::semaphore_stress {

namespace {

class SemaphoreStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, SemaphoreStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(SemaphoreStress, NeverLetsMoreInThanItHasPermitsAndLosesNone) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  do {
    const std::uint64_t permits = 1 + random() % 3;
    const auto patience = std::chrono::nanoseconds(random() % 50000);
    Semaphore semaphore(permits);
    std::atomic<std::uint64_t> in{0};
    std::atomic<bool> too_many{false};
    WaitGroup done;
    constexpr std::uint64_t kFibers = 12;
    done.Add(kFibers);
    for (std::uint64_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&, i] {
        for (int k = 0; k < 60; ++k) {
          if (i % 3 == 0 && !semaphore.AcquireFor(patience)) {
            continue;
          }
          if (i % 3 != 0) {
            semaphore.Acquire();
          }
          if (in.fetch_add(1) >= permits) {
            too_many = true;
          }
          if (k % 5 == 0) {
            Yield();
          }
          in.fetch_sub(1);
          semaphore.Release();
        }
        done.Done();
      });
    }
    done.Wait();
    ASSERT_FALSE(too_many.load());
    ASSERT_EQ(semaphore.Permits(), permits);
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::semaphore_stress
