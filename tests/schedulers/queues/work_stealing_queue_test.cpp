#include "schedulers/queues/work_stealing_queue.hpp"

#include "tests/schedulers/queues/numbered_task.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <random>
#include <vector>

namespace schedbench::schedulers::work_stealing_queue_test {

namespace {

using tests::NumberedTask;
using tests::NumberedTasks;
using tests::NumberOf;

// Each test runs with production indices and with indices of 8 bits, which wrap all the time; with
// thieves and, where the test has none, without.
template <typename IndexAndSharing>
class WorkStealingQueueTest : public testing::Test {};

template <typename IndexType>
struct With {
  using Index = IndexType;
};

using Indices = testing::Types<With<std::uint64_t>, With<std::uint8_t>>;
TYPED_TEST_SUITE(WorkStealingQueueTest, Indices);

template <typename Queue>
void Push(Queue& queue, std::vector<NumberedTask>& tasks, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(queue.TryPush(&tasks[first + i]));
  }
}

std::vector<std::size_t> Numbers(const std::vector<TaskBase*>& tasks, std::size_t count) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(NumberOf(tasks[i]));
  }
  return numbers;
}

template <typename Queue>
std::vector<std::size_t> PopAll(Queue& queue) {
  std::vector<std::size_t> numbers;
  while (TaskBase* task = queue.TryPop()) {
    numbers.push_back(NumberOf(task));
  }
  return numbers;
}

TYPED_TEST(WorkStealingQueueTest, PopsInTheOrderOfThePushes) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  for (const auto sharing : {Sharing::kStealable, Sharing::kOwnerOnly}) {
    Queue queue(4, sharing);
    auto tasks = NumberedTasks(4);
    Push(queue, tasks, 0, 4);
    EXPECT_EQ(PopAll(queue), (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(queue.TryPop(), nullptr);
  }
}

TYPED_TEST(WorkStealingQueueTest, RefusesAPushWhenFullAndTakesItAfterAPop) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  for (const auto sharing : {Sharing::kStealable, Sharing::kOwnerOnly}) {
    Queue queue(2, sharing);
    auto tasks = NumberedTasks(4);
    Push(queue, tasks, 0, 2);
    EXPECT_FALSE(queue.TryPush(&tasks[2]));
    EXPECT_EQ(queue.TryPop(), &tasks[0]);
    EXPECT_TRUE(queue.TryPush(&tasks[2]));
    EXPECT_FALSE(queue.TryPush(&tasks[3]));
    EXPECT_EQ(PopAll(queue), (std::vector<std::size_t>{1, 2}));
  }
}

TYPED_TEST(WorkStealingQueueTest, KeepsItsOrderWhileIndicesWrap) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  Queue queue(4);
  auto tasks = NumberedTasks(3);
  for (int round = 0; round < 1000; ++round) {
    Push(queue, tasks, 0, 3);
    EXPECT_FALSE(queue.IsEmpty());
    ASSERT_EQ(PopAll(queue), (std::vector<std::size_t>{0, 1, 2})) << "round " << round;
    EXPECT_TRUE(queue.IsEmpty());
  }
}

TYPED_TEST(WorkStealingQueueTest, GivesAThiefTheOlderHalfRoundedUp) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  for (std::size_t size = 0; size <= 8; ++size) {
    Queue queue(8);
    auto tasks = NumberedTasks(size);
    Push(queue, tasks, 0, size);
    std::vector<TaskBase*> out(8);
    const std::size_t count = queue.Grab(out);
    ASSERT_EQ(count, (size + 1) / 2);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(out[i], &tasks[i]);
    }
    std::vector<std::size_t> rest;
    for (std::size_t i = count; i < size; ++i) {
      rest.push_back(i);
    }
    EXPECT_EQ(PopAll(queue), rest);
  }
}

TYPED_TEST(WorkStealingQueueTest, GivesAThiefNoMoreThanItHasRoomFor) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  Queue queue(16);
  auto tasks = NumberedTasks(16);
  Push(queue, tasks, 0, 16);
  std::vector<TaskBase*> out(3);
  EXPECT_EQ(queue.Grab(out), 3U);
  EXPECT_EQ(Numbers(out, 3), (std::vector<std::size_t>{0, 1, 2}));
  std::vector<TaskBase*> one(1);
  EXPECT_EQ(queue.Grab(one), 1U);
  EXPECT_EQ(one[0], &tasks[3]);
  EXPECT_EQ(PopAll(queue).size(), 12U);
}

TYPED_TEST(WorkStealingQueueTest, HasRoomAgainAfterATheft) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  Queue queue(4);
  auto tasks = NumberedTasks(7);
  Push(queue, tasks, 0, 4);
  EXPECT_FALSE(queue.TryPush(&tasks[4]));
  std::vector<TaskBase*> out(4);
  EXPECT_EQ(queue.Grab(out), 2U);
  Push(queue, tasks, 4, 2);
  EXPECT_FALSE(queue.TryPush(&tasks[6]));
  EXPECT_EQ(PopAll(queue), (std::vector<std::size_t>{2, 3, 4, 5}));
}

TYPED_TEST(WorkStealingQueueTest, GivesUpItsNewerHalfOnlyWhenFull) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  for (const std::size_t capacity : {2U, 4U, 16U}) {
    Queue queue(capacity);
    auto tasks = NumberedTasks(capacity);
    std::vector<TaskBase*> out(capacity / 2);
    Push(queue, tasks, 0, capacity - 1);
    EXPECT_FALSE(queue.TryTakeNewerHalf(out));
    Push(queue, tasks, capacity - 1, 1);
    ASSERT_TRUE(queue.TryTakeNewerHalf(out));
    std::vector<std::size_t> newer;
    std::vector<std::size_t> older;
    for (std::size_t i = 0; i < capacity; ++i) {
      (i < capacity / 2 ? older : newer).push_back(i);
    }
    EXPECT_EQ(Numbers(out, capacity / 2), newer);
    EXPECT_EQ(PopAll(queue), older);
  }
}

TYPED_TEST(WorkStealingQueueTest, GivesBackATaskOfTheNewestAndKeepsTheOrderOfTheOthers) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  for (const auto sharing : {Sharing::kStealable, Sharing::kOwnerOnly}) {
    for (std::size_t taken = 0; taken < 5; ++taken) {
      Queue queue(8, sharing);
      auto tasks = NumberedTasks(6);
      Push(queue, tasks, 0, 5);
      EXPECT_TRUE(queue.TryTakeBack(&tasks[taken]));
      EXPECT_FALSE(queue.TryTakeBack(&tasks[taken])) << "it is not there any more";
      Push(queue, tasks, 5, 1);
      std::vector<std::size_t> others{0, 1, 2, 3, 4, 5};
      std::erase(others, taken);
      EXPECT_EQ(PopAll(queue), others);
      EXPECT_TRUE(queue.IsEmpty());
    }
  }
}

TYPED_TEST(WorkStealingQueueTest, GivesBackNoTaskOfAFullRingAndNoneOlderThanThe16Newest) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  Queue queue(32);
  auto tasks = NumberedTasks(32);
  Push(queue, tasks, 0, 31);
  EXPECT_FALSE(queue.TryTakeBack(&tasks[14]));
  EXPECT_TRUE(queue.TryTakeBack(&tasks[15]));
  Push(queue, tasks, 15, 1);
  Push(queue, tasks, 31, 1);
  EXPECT_FALSE(queue.TryTakeBack(&tasks[31])) << "full";
  EXPECT_EQ(PopAll(queue).size(), 32U);
}

TYPED_TEST(WorkStealingQueueTest, TakesManyTasksAtOnceWhenEmpty) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  Queue queue(4);
  auto tasks = NumberedTasks(4);
  for (std::size_t count = 0; count <= 4; ++count) {
    std::vector<TaskBase*> batch;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < count; ++i) {
      batch.push_back(&tasks[i]);
      numbers.push_back(i);
    }
    queue.PushMany(batch);
    EXPECT_EQ(queue.TryPush(&tasks[0]), count < 4);
    numbers.resize(count < 4 ? count + 1 : count, 0);
    EXPECT_EQ(PopAll(queue), numbers);
  }
}

// A model of what the queue means, driven by the same random calls.
TYPED_TEST(WorkStealingQueueTest, DoesWhatADequeWouldDoUnderRandomCalls) {
  using Queue = BasicWorkStealingQueue<typename TypeParam::Index>;
  std::mt19937_64 random(tests::Seed());
  for (const std::size_t capacity : {2U, 4U, 16U}) {
    Queue queue(capacity);
    std::deque<TaskBase*> model;
    auto tasks = NumberedTasks(64);
    for (int step = 0; step < 20000; ++step) {
      const auto take_front = [&](std::size_t count) {
        std::vector<TaskBase*> taken(model.begin(),
                                     model.begin() + static_cast<std::ptrdiff_t>(count));
        model.erase(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(count));
        return taken;
      };
      switch (random() % 7) {
        case 0:
        case 1:
        case 2: {
          TaskBase* const task = &tasks[random() % tasks.size()];
          ASSERT_EQ(queue.TryPush(task), model.size() < capacity);
          if (model.size() < capacity) {
            model.push_back(task);
          }
          break;
        }
        case 3: {
          TaskBase* const expected = model.empty() ? nullptr : model.front();
          ASSERT_EQ(queue.TryPop(), expected);
          take_front(model.empty() ? 0 : 1);
          break;
        }
        case 4: {
          std::vector<TaskBase*> out(1 + random() % capacity);
          const std::size_t count = queue.Grab(out);
          ASSERT_EQ(count, std::min((model.size() + 1) / 2, out.size()));
          out.resize(count);
          ASSERT_EQ(out, take_front(count));
          break;
        }
        case 5: {
          TaskBase* const task = &tasks[random() % tasks.size()];
          // A task may be there several times. The newest one goes.
          const auto found = std::find(model.rbegin(), model.rend(), task);
          const bool given = found != model.rend() && model.size() < capacity;
          ASSERT_EQ(queue.TryTakeBack(task), given);
          if (given) {
            model.erase(std::next(found).base());
          }
          break;
        }
        default: {
          std::vector<TaskBase*> out(capacity / 2);
          const bool full = model.size() == capacity;
          ASSERT_EQ(queue.TryTakeNewerHalf(out), full);
          if (full) {
            const std::vector<TaskBase*> older = take_front(capacity / 2);
            ASSERT_EQ(out, std::vector<TaskBase*>(model.begin(), model.end()));
            model.assign(older.begin(), older.end());
          }
          break;
        }
      }
      ASSERT_EQ(queue.IsEmpty(), model.empty());
    }
  }
}

TEST(WorkStealingQueueDeathTest, InsistsOnACapacityThatIsAPowerOfTwo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(WorkStealingQueue queue(3), "power of two");
  EXPECT_DEATH(WorkStealingQueue queue(1), "power of two");
}

}  // namespace

}  // namespace schedbench::schedulers::work_stealing_queue_test
