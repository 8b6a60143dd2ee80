#include "tests/schedulers/queues/every_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::schedulers::global_queues_stress {

namespace {

using tests::NotTakenOnce;
using tests::NumberedTasks;
using tests::NumberOf;
using tests::Seed;
using tests::StressTime;
using tests::Take;

template <typename Queue>
class GlobalQueuesStress : public testing::Test {};

TYPED_TEST_SUITE(GlobalQueuesStress, tests::EveryGlobalQueue, tests::QueueName);

// Takes some, in one of the ways that the queue has.
template <typename Queue>
std::vector<TaskBase*> TakeSome(Queue& queue, std::mt19937_64& random) {
  std::vector<TaskBase*> taken;
  if constexpr (tests::kGivesSingleTasks<Queue>) {
    if (random() % 2 == 0) {
      taken.resize(1 + random() % 8);
      taken.resize(queue.Grab(taken, 1 + random() % 4));
      return taken;
    }
    if (random() % 4 != 0) {
      if (TaskBase* const task = queue.TryPop()) {
        taken.push_back(task);
      }
      return taken;
    }
  }
  TaskList all = queue.GrabAll();
  while (TaskBase* const task = all.TryPopFront()) {
    taken.push_back(task);
  }
  return taken;
}

TYPED_TEST(GlobalQueuesStress, HandsEachTaskToExactlyOneTakerInTheOrderOfEachProducer) {
  constexpr std::size_t kProducers = 3;
  constexpr std::size_t kTakers = 2;
  constexpr std::size_t kEach = tests::PlainOrSanitized<std::size_t>(4000, 800);
  std::mt19937_64 random(Seed());
  const StressTime time;
  do {
    TypeParam queue;
    auto tasks = NumberedTasks(kProducers * kEach);
    std::atomic<std::size_t> left{tasks.size()};
    std::atomic<int> out_of_order{0};
    {
      std::vector<std::jthread> threads;
      for (std::size_t producer = 0; producer < kProducers; ++producer) {
        threads.emplace_back([&, producer, seed = random()] {
          std::mt19937_64 own(seed);
          std::size_t next = producer * kEach;
          const std::size_t end = next + kEach;
          while (next < end) {
            TaskList batch;
            for (std::size_t burst = own() % 5; burst > 0 && next < end; --burst) {
              batch.PushBack(&tasks[next++]);
            }
            if (batch.Size() == 1) {
              queue.PushExternal(batch.TryPopFront());
            } else {
              queue.Append(std::move(batch));
            }
          }
        });
      }
      for (std::size_t taker = 0; taker < kTakers; ++taker) {
        threads.emplace_back([&, seed = random()] {
          std::mt19937_64 own(seed);
          std::array<std::size_t, kProducers> seen{};  // of each producer, one more than the last
          while (left > 0) {
            const std::vector<TaskBase*> taken = TakeSome(queue, own);
            left -= taken.size();
            for (TaskBase* const task : taken) {
              std::size_t& last = seen[NumberOf(task) / kEach];
              out_of_order += NumberOf(task) + 1 <= last ? 1 : 0;
              last = NumberOf(task) + 1;
              Take(task);
            }
          }
        });
      }
    }
    ASSERT_EQ(NotTakenOnce(tasks), 0U);
    ASSERT_EQ(out_of_order, 0);
    ASSERT_TRUE(queue.Counts().IsEmpty());
    ASSERT_EQ(queue.Counts().Taken(), tasks.size());
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::schedulers::global_queues_stress
