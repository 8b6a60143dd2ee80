#include "tests/schedulers/queues/every_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::schedulers::local_queues_stress {

namespace {

using tests::NotTakenOnce;
using tests::NumberedTasks;
using tests::NumberOf;
using tests::Seed;
using tests::StressTime;
using tests::Take;

template <typename Queue>
class LocalQueueStress : public testing::Test {};

// Without narrow indices: a thief that loses its CPU between its look and its exchange while 256
// tasks go by would take an old one for the new. What wraps is for the unit tests and the models.
TYPED_TEST_SUITE(LocalQueueStress, tests::LocalQueues<testing::Types>, tests::QueueName);

TYPED_TEST(LocalQueueStress, HandsEachTaskToExactlyOneOfOwnerAndThieves) {
  constexpr std::size_t kTasks = tests::PlainOrSanitized<std::size_t>(10000, 2000);
  constexpr std::size_t kThieves = 3;
  std::mt19937_64 random(Seed());
  const StressTime time;
  do {
    const std::size_t capacity = std::size_t{2} << random() % 4;
    TypeParam queue(capacity, Sharing::kStealable);
    auto tasks = NumberedTasks(kTasks);
    std::atomic<bool> over{false};
    std::atomic<int> out_of_order{0};
    std::vector<std::jthread> thieves;
    for (std::size_t thief = 0; thief < kThieves; ++thief) {
      thieves.emplace_back([&, room = 1 + random() % capacity] {
        std::vector<TaskBase*> out(room);
        while (!over) {
          const std::size_t count = queue.Grab(out);
          for (std::size_t i = 0; i < count; ++i) {
            // First in, first out: what one grab takes, lay one behind the other.
            out_of_order += i > 0 && NumberOf(out[i]) <= NumberOf(out[i - 1]) ? 1 : 0;
            Take(out[i]);
          }
        }
      });
    }
    std::vector<TaskBase*> half(capacity / 2);
    for (std::size_t next = 0; next < kTasks;) {
      for (std::size_t burst = random() % (2 * capacity); burst > 0 && next < kTasks; --burst) {
        while (!queue.TryPush(&tasks[next])) {
          // What a worker does when its queue is full.
          for (std::size_t count = queue.Grab(half); count > 0; --count) {
            Take(half[count - 1]);
          }
        }
        ++next;
      }
      for (std::size_t burst = random() % capacity; burst > 0; --burst) {
        if (TaskBase* const task = queue.TryPop()) {
          Take(task);
        }
      }
    }
    while (TaskBase* const task = queue.TryPop()) {
      Take(task);
    }
    EXPECT_TRUE(queue.IsEmpty());
    over = true;
    thieves.clear();
    ASSERT_EQ(NotTakenOnce(tasks), 0U);
    ASSERT_EQ(out_of_order, 0);
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::schedulers::local_queues_stress
