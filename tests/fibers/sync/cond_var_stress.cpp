#include "fibers/sched/go.hpp"
#include "fibers/sync/cond_var.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <deque>
#include <memory>
#include <random>

namespace schedbench::fibers::cond_var_stress {

namespace {

class CondVarStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, CondVarStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

// A bounded queue with two conditions, some of whose users have deadlines.
TEST_P(CondVarStress, LosesNoNotificationOfABoundedQueue) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  constexpr std::uint64_t kFibers = 6;
  constexpr std::uint64_t kEach = 50;
  do {
    Mutex mutex;
    CondVar has_room;
    CondVar has_value;
    std::deque<std::uint64_t> queue;
    std::uint64_t received = 0;
    const std::size_t room = 1 + random() % 3;
    const auto patience = std::chrono::microseconds(1 + random() % 100);
    WaitGroup done;
    done.Add(2 * kFibers);
    for (std::uint64_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&, i] {
        for (std::uint64_t k = 0; k < kEach; ++k) {
          UniqueLock lock(mutex);
          while (!has_room.WaitFor(lock, patience, [&] { return queue.size() < room; })) {
          }
          queue.push_back(i * kEach + k);
          has_value.NotifyOne();
        }
        done.Done();
      });
      Go(scheduler_, [&, i] {
        for (std::uint64_t k = 0; k < kEach; ++k) {
          UniqueLock lock(mutex);
          has_value.Wait(lock, [&] { return !queue.empty(); });
          received += queue.front();
          queue.pop_front();
          lock.Unlock();
          if (i % 2 == 0) {
            has_room.NotifyOne();
          } else {
            has_room.NotifyAll();
          }
        }
        done.Done();
      });
    }
    done.Wait();
    constexpr std::uint64_t kValues = kFibers * kEach;
    const UniqueLock lock(mutex, std::try_to_lock);
    ASSERT_TRUE(lock.OwnsLock());
    ASSERT_EQ(received, kValues * (kValues - 1) / 2);
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::cond_var_stress
