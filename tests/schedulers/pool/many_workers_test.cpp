// Pools as large as the config allows. Under sanitizers, whose threads cost more, of three words of
// idle workers.
#include "base/intrusive_list.hpp"
#include "schedulers/pool/worker_limits.hpp"
#include "tests/schedulers/conformance/conformance.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::tests::many_workers_test {

namespace {

constexpr std::uint32_t kWorkers = PlainOrSanitized(schedulers::kMaxWorkers, 130U);

class ManyWorkers : public testing::TestWithParam<std::string> {
 protected:
  // Tasks that wait for each other: as many workers have to be awake at a time.
  void Meet(std::uint32_t count, bool at_once) {
    ThreadBarrier barrier(count);
    std::vector<FunctionTask> tasks(count);
    IntrusiveList<executors::TaskBase> list;
    for (FunctionTask& task : tasks) {
      task.SetBody([&barrier] { barrier.ArriveAndWait(); });
      if (at_once) {
        list.PushBack(&task);
      } else {
        scheduler_->Submit(&task, SchedulerHint::UpToYou);
      }
    }
    if (at_once) {
      scheduler_->SubmitAll(std::move(list), SchedulerHint::UpToYou);
    }
    scheduler_->WaitIdle();
  }

  void AwaitIdle(std::uint32_t count) {
    while (scheduler_->State().idle != count) {
      std::this_thread::yield();
    }
  }

  const HangGuard hang_guard_{"a test of many workers"};
  std::unique_ptr<registry::IScheduler> scheduler_ = MakeScheduler(GetParam(), kWorkers);
};

TEST_P(ManyWorkers, AreAllWokenForTasksThatWaitForEachOther) {
  Meet(kWorkers, false);
  AwaitIdle(kWorkers);
  Meet(kWorkers, true);
}

TEST_P(ManyWorkers, RunEachTaskOnce) {
  std::vector<ProbeTask> probes(20'000);
  RandomHint hint(1);
  for (ProbeTask& probe : probes) {
    scheduler_->Submit(&probe, hint());
  }
  scheduler_->WaitIdle();
  EXPECT_EQ(NotRunOnce(probes), 0);
}

TEST_P(ManyWorkers, AreDeactivatedAndActivatedAgain) {
  AwaitIdle(kWorkers);
  for (const std::uint32_t count : {1U, 65U, 64U, kWorkers, 3U}) {
    ASSERT_TRUE(scheduler_->SetActiveWorkers(count));
    EXPECT_EQ(scheduler_->ActiveWorkers(), count);
    Meet(count, count % 2 == 0);
  }
}

TEST_P(ManyWorkers, EndWhileMostOfThemAreInactive) {
  ASSERT_TRUE(scheduler_->SetActiveWorkers(2));
  std::vector<ProbeTask> probes(100);
  for (ProbeTask& probe : probes) {
    scheduler_->Submit(&probe, SchedulerHint::UpToYou);
  }
  scheduler_.reset();
  EXPECT_EQ(NotRunOnce(probes), 0);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ManyWorkers, testing::Values("fast"), SchedulerNameOf);

}  // namespace

}  // namespace schedbench::tests::many_workers_test
