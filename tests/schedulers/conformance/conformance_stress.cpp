#include "tests/schedulers/conformance/conformance.hpp"

namespace schedbench::tests::conformance_stress {

namespace {

class ConformanceStress : public Conformance {};

INSTANTIATE_TEST_SUITE_P(Schedulers, ConformanceStress,
                         testing::ValuesIn(EveryCase({4U}, {2U, 4U})), CaseName);

// Work conservation while everything is on the move: short tasks keep the workers searching,
// parking, waking and moving batches between queues; among them are as many tasks as workers which
// all must have begun before one of them ends. A worker that sleeps through it is a deadlock.
TEST_P(ConformanceStress, LetsNoWorkerSleepWhileATaskWaits) {
  const StressTime time;
  std::mt19937_64 random(Seed());
  std::vector<ProbeTask> shorts(64);
  std::vector<FunctionTask> blocking(Workers());
  do {
    ThreadBarrier barrier(Workers());
    for (FunctionTask& task : blocking) {
      task.SetBody([&] { barrier.ArriveAndWait(); });
    }
    const std::uint64_t shape = random();
    const std::size_t before = shape % shorts.size();
    const std::size_t external_submissions = shape / 64 % (blocking.size() + 1);
    const bool yield = shape / 1024 % 2 == 0;
    FunctionTask root([&] {
      for (std::size_t i = 0; i < before; ++i) {
        scheduler_.Submit(&shorts[i], static_cast<SchedulerHint>((shape + i) % 3));
      }
      for (std::size_t i = external_submissions; i < blocking.size(); ++i) {
        scheduler_.Submit(&blocking[i], yield ? SchedulerHint::Yield : SchedulerHint::UpToYou);
      }
    });
    scheduler_.Submit(&root, SchedulerHint::UpToYou);
    for (std::size_t i = 0; i < external_submissions; ++i) {
      scheduler_.Submit(&blocking[i], SchedulerHint::UpToYou);
    }
    for (std::size_t i = before; i < shorts.size(); i += 3) {
      scheduler_.Submit(&shorts[i], SchedulerHint::UpToYou);
    }
    scheduler_.WaitIdle();
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::tests::conformance_stress
