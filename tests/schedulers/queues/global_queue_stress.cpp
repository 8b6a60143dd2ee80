#include "schedulers/queues/global_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace schedbench::schedulers::global_queue_stress {

namespace {

using tests::kSanitized;
using tests::NotTakenOnce;
using tests::NumberedTasks;
using tests::NumberOf;
using tests::Seed;
using tests::StressTime;
using tests::Take;

constexpr std::size_t kPerProducer = kSanitized ? 1000 : 5000;

void Produce(GlobalQueue& queue, std::vector<tests::NumberedTask>& tasks, std::size_t first,
             std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t next = first; next < first + kPerProducer;) {
    switch (random() % 3) {
      case 0:
        queue.Push(&tasks[next++]);
        break;
      case 1:
        queue.PushExternal(&tasks[next++]);
        break;
      default: {
        TaskList batch;
        for (std::size_t i = random() % 20; i > 0 && next < first + kPerProducer; --i) {
          batch.PushBack(&tasks[next++]);
        }
        queue.Append(std::move(batch));
      }
    }
  }
}

TEST(GlobalQueueStress, HandsEachTaskToExactlyOneConsumer) {
  constexpr std::size_t kProducers = 3;
  constexpr std::size_t kConsumers = 3;
  const StressTime time;
  std::uint64_t round = 0;
  do {
    round += 100;
    GlobalQueue queue;
    auto tasks = NumberedTasks(kProducers * kPerProducer);
    std::atomic<std::size_t> left{tasks.size()};
    std::vector<std::jthread> threads;
    for (std::size_t producer = 0; producer < kProducers; ++producer) {
      threads.emplace_back([&, producer] {
        Produce(queue, tasks, producer * kPerProducer, Seed() + round + producer);
      });
    }
    for (std::size_t consumer = 0; consumer < kConsumers; ++consumer) {
      threads.emplace_back([&, consumer] {
        std::mt19937_64 random(Seed() + round + 10 + consumer);
        std::vector<TaskBase*> out(16);
        while (left > 0) {
          if (random() % 2 == 0) {
            if (TaskBase* task = queue.TryPop()) {
              Take(task);
              --left;
            }
          } else {
            const std::size_t count = queue.Grab(out, kConsumers);
            for (std::size_t i = 0; i < count; ++i) {
              Take(out[i]);
            }
            left -= count;
          }
        }
      });
    }
    threads.clear();
    ASSERT_EQ(NotTakenOnce(tasks), 0U);
    ASSERT_TRUE(queue.Counts().IsEmpty());
  } while (!time.IsOver());
}

TEST(GlobalQueueStress, KeepsTheOrderOfEachProducer) {
  constexpr std::size_t kProducers = 3;
  const StressTime time;
  std::uint64_t round = 0;
  do {
    round += 100;
    GlobalQueue queue;
    auto tasks = NumberedTasks(kProducers * kPerProducer);
    std::vector<std::jthread> producers;
    for (std::size_t producer = 0; producer < kProducers; ++producer) {
      producers.emplace_back([&, producer] {
        Produce(queue, tasks, producer * kPerProducer, Seed() + round + producer);
      });
    }
    std::vector<std::size_t> next(kProducers, 0);
    for (std::size_t left = tasks.size(); left > 0;) {
      if (const TaskBase* task = queue.TryPop()) {
        const std::size_t producer = NumberOf(task) / kPerProducer;
        ASSERT_EQ(NumberOf(task) % kPerProducer, next[producer]++);
        --left;
      }
    }
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::schedulers::global_queue_stress
