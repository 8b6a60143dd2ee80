#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <memory>
#include <vector>

namespace schedbench::fibers::wait_group_stress {

namespace {

class WaitGroupStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, WaitGroupStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(WaitGroupStress, ShowsEveryWaiterWhatWasWrittenBeforeEachDone) {
  const tests::StressTime time;
  do {
    constexpr std::size_t kWorkers = 6;
    constexpr std::size_t kWaiters = 3;
    WaitGroup group;
    WaitGroup waiters;
    std::vector<int> written(kWorkers, 0);  // plain: the group must order it
    std::atomic<int> wrong{0};
    group.Add(kWorkers);
    waiters.Add(kWaiters);
    for (std::size_t i = 0; i < kWorkers; ++i) {
      Go(scheduler_, [&, i] {
        written[i] = 1;
        group.Done();
      });
      if (i < kWaiters) {
        Go(scheduler_, [&] {
          group.Wait();
          for (const int each : written) {
            wrong += each == 1 ? 0 : 1;
          }
          waiters.Done();
        });
      }
    }
    waiters.Wait();
    ASSERT_EQ(wrong, 0);
  } while (!time.IsOver());
}

TEST_P(WaitGroupStress, IsDestroyedByItsWaiterWhileTheLastDoneReturns) {
  const tests::StressTime time;
  do {
    WaitGroup all;
    constexpr std::size_t kGroups = 20;
    all.Add(kGroups);
    for (std::size_t i = 0; i < kGroups; ++i) {
      auto* const group = new WaitGroup;
      group->Add(2);
      Go(scheduler_, [group, &all] {
        group->Wait();
        delete group;
        all.Done();
      });
      for (int done = 0; done < 2; ++done) {
        Go(scheduler_, [group] { group->Done(); });
      }
    }
    all.Wait();
  } while (!time.IsOver());
  scheduler_.WaitIdle();
}

}  // namespace

}  // namespace schedbench::fibers::wait_group_stress
