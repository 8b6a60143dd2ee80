#include "fibers/sched/spawn.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/support/schedulers.hpp"

#include <cstdint>
#include <vector>

namespace schedbench::fibers::spawn_stress {

namespace {

class SpawnStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, SpawnStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

std::uint64_t Fibonacci(std::uint64_t n) {
  if (n < 2) {
    return n;
  }
  auto one = Spawn([n] { return Fibonacci(n - 1); });
  const std::uint64_t other = Fibonacci(n - 2);
  return one.Join() + other;
}

TEST_P(SpawnStress, JoinsATreeOfFibers) {
  const tests::StressTime time;
  do {
    ASSERT_EQ(Spawn(scheduler_, [] { return Fibonacci(12); }).Join(), 144);
  } while (!time.IsOver());
}

// The handle goes just when the fiber ends: one of the two frees what they share.
TEST_P(SpawnStress, EndsWithTheLastOfHandleAndFiber) {
  const tests::StressTime time;
  do {
    for (int i = 0; i < 100; ++i) {
      auto handle = Spawn(scheduler_, [i] { return std::vector<int>(10, i); });
      if (i % 3 == 0) {
        handle.Detach();
      } else if (i % 3 == 1) {
        ASSERT_EQ(handle.Join().front(), i);
      }
    }
    scheduler_.WaitIdle();
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::spawn_stress
