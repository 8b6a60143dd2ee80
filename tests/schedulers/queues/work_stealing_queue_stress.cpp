#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <tuple>
#include <vector>

namespace schedbench::schedulers::work_stealing_queue_stress {

namespace {

using tests::kSanitized;
using tests::NotTakenOnce;
using tests::NumberedTasks;
using tests::NumberOf;
using tests::Seed;
using tests::StressTime;
using tests::Take;

using Case = std::tuple<std::size_t, std::size_t>;

class WorkStealingQueueStress : public testing::TestWithParam<Case> {
 protected:
  static std::size_t Capacity() {
    return std::get<0>(GetParam());
  }

  static std::size_t Thieves() {
    return std::get<1>(GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, WorkStealingQueueStress,
                         testing::Combine(testing::Values(2U, 4U, 256U),
                                          testing::Values(1U, 2U, 3U)),
                         [](const testing::TestParamInfo<Case>& info) {
                           return "capacity_" + std::to_string(std::get<0>(info.param)) +
                                  "_thieves_" + std::to_string(std::get<1>(info.param));
                         });

// What a worker does when its queue is full. Returns the number of tasks that left the queue.
void PushOrOffload(WorkStealingQueue& queue, TaskBase* task, TaskList& offloaded) {
  std::vector<TaskBase*> half(queue.Capacity() / 2);
  while (!queue.TryPush(task)) {
    if (queue.TryTakeNewerHalf(half)) {
      for (TaskBase* each : half) {
        offloaded.PushBack(each);
      }
      offloaded.PushBack(task);
      return;
    }
  }
}

TEST_P(WorkStealingQueueStress, HandsEachTaskToExactlyOneOfOwnerAndThieves) {
  constexpr std::size_t kTasks = kSanitized ? 2000 : 10000;
  std::mt19937_64 random(Seed());
  const StressTime time;
  do {
    WorkStealingQueue queue(Capacity());
    auto tasks = NumberedTasks(kTasks);
    std::atomic<bool> over{false};
    std::atomic<int> out_of_order{0};
    std::vector<std::jthread> thieves;
    for (std::size_t thief = 0; thief < Thieves(); ++thief) {
      thieves.emplace_back([&, room = 1 + random() % Capacity()] {
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
    TaskList offloaded;
    for (std::size_t next = 0; next < kTasks;) {
      for (std::size_t burst = random() % (2 * Capacity()); burst > 0 && next < kTasks; --burst) {
        PushOrOffload(queue, &tasks[next++], offloaded);
      }
      for (std::size_t burst = random() % Capacity(); burst > 0; --burst) {
        if (TaskBase* task = queue.TryPop()) {
          Take(task);
        }
      }
      for (std::size_t age = random() % 4; age > 0 && age <= next; --age) {
        if (queue.TryTakeBack(&tasks[next - age])) {
          Take(&tasks[next - age]);
        }
      }
    }
    while (TaskBase* task = queue.TryPop()) {
      Take(task);
    }
    EXPECT_TRUE(queue.IsEmpty());
    over = true;
    thieves.clear();
    while (TaskBase* task = offloaded.TryPopFront()) {
      Take(task);
    }
    ASSERT_EQ(NotTakenOnce(tasks), 0U);
    ASSERT_EQ(out_of_order, 0);
  } while (!time.IsOver());
}

TEST_P(WorkStealingQueueStress, LosesNothingWhereEveryOwnerIsAThiefToo) {
  // As in the scheduler: what one steals goes into its own queue, which others steal from.
  constexpr std::size_t kPerOwner = kSanitized ? 1000 : 5000;
  const std::size_t owners = Thieves() + 1;
  const StressTime time;
  std::uint64_t round = 0;
  do {
    ++round;
    auto tasks = NumberedTasks(kPerOwner * owners);
    std::vector<std::unique_ptr<WorkStealingQueue>> queues;
    for (std::size_t i = 0; i < owners; ++i) {
      queues.push_back(std::make_unique<WorkStealingQueue>(Capacity()));
    }
    GlobalQueue global;
    std::atomic<std::size_t> left{tasks.size()};
    std::vector<std::jthread> threads;
    for (std::size_t self = 0; self < owners; ++self) {
      threads.emplace_back([&, self] {
        std::mt19937_64 random(Seed() + 1000 * round + self);
        WorkStealingQueue& own = *queues[self];
        std::vector<TaskBase*> batch(std::max<std::size_t>(Capacity() / 2, 1));
        std::size_t next = self * kPerOwner;
        const std::size_t end = next + kPerOwner;
        const auto take = [&left](TaskBase* task) {
          Take(task);
          --left;
        };
        while (left > 0) {
          for (std::size_t burst = random() % (Capacity() + 1); burst > 0 && next < end; --burst) {
            TaskList offloaded;
            PushOrOffload(own, &tasks[next++], offloaded);
            global.Append(std::move(offloaded));
          }
          for (std::size_t burst = random() % (Capacity() + 1); burst > 0; --burst) {
            if (TaskBase* task = own.TryPop()) {
              take(task);
            }
          }
          // Only a worker with nothing steals, as PushMany() requires.
          while (TaskBase* task = random() % 2 == 0 ? own.TryPop() : nullptr) {
            take(task);
          }
          if (!own.IsEmpty()) {
            continue;
          }
          std::size_t count = queues[random() % owners]->Grab(batch);
          if (count == 0) {
            count = global.Grab(batch, owners);
          }
          if (count > 0) {
            take(batch[0]);
            own.PushMany(std::span(batch).subspan(1, count - 1));
          }
        }
      });
    }
    threads.clear();
    ASSERT_EQ(NotTakenOnce(tasks), 0U);
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::schedulers::work_stealing_queue_stress
