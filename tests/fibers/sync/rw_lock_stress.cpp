#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/rw_lock.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <array>
#include <random>

namespace schedbench::fibers::rw_lock_stress {

namespace {

class RwLockStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, RwLockStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(RwLockStress, ShowsReadersAllThatAWriterWroteOrNothing) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  do {
    RwLock lock;
    std::array<std::uint64_t, 4> values{};
    bool torn = false;  // by readers, which only set it
    constexpr std::uint64_t kFibers = 10;
    constexpr std::uint64_t kEach = 40;
    const std::uint64_t writers = 1 + random() % 5;
    WaitGroup done;
    done.Add(kFibers);
    std::array<bool, kFibers> saw_torn{};
    for (std::uint64_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&, i] {
        for (std::uint64_t k = 0; k < kEach; ++k) {
          if (i < writers) {
            const ExclusiveLock held(lock);
            for (std::uint64_t& value : values) {
              ++value;
            }
          } else {
            const SharedLock held(lock);
            const std::uint64_t first = values.front();
            if (k % 8 == 0) {
              Yield();
            }
            saw_torn[i] = saw_torn[i] || values.back() != first;
          }
        }
        done.Done();
      });
    }
    done.Wait();
    for (const bool one : saw_torn) {
      torn = torn || one;
    }
    ASSERT_FALSE(torn);
    ASSERT_EQ(values.front(), writers * kEach);
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::rw_lock_stress
