#include "tests/schedulers/queues/every_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <limits>
#include <random>
#include <vector>

// What every local queue promises (schedulers/queues/contracts.hpp), seen by one thread.
namespace schedbench::schedulers::local_queues_test {

namespace {

using tests::NumberedTasks;
using tests::NumberOf;

constexpr std::size_t kCapacity = 8;

template <typename Queue>
class LocalQueueTest : public testing::Test {
 protected:
  void Push(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      ASSERT_TRUE(queue_.TryPush(&tasks_[i]));
    }
  }

  std::vector<std::size_t> PopAll() {
    std::vector<std::size_t> numbers;
    while (TaskBase* const task = queue_.TryPop()) {
      numbers.push_back(NumberOf(task));
    }
    return numbers;
  }

  std::vector<std::size_t> Grab(std::size_t room) {
    std::vector<TaskBase*> out(room);
    out.resize(queue_.Grab(out));
    std::vector<std::size_t> numbers;
    for (const TaskBase* const task : out) {
      numbers.push_back(NumberOf(task));
    }
    return numbers;
  }

  std::vector<tests::NumberedTask> tasks_ = NumberedTasks(64);
  Queue queue_{kCapacity, Sharing::kStealable};
};

TYPED_TEST_SUITE(LocalQueueTest, tests::EveryLocalQueue, tests::QueueName);

TYPED_TEST(LocalQueueTest, PopsInTheOrderOfThePushes) {
  this->Push(0, 5);
  EXPECT_EQ(this->PopAll(), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(this->queue_.TryPop(), nullptr);
}

TYPED_TEST(LocalQueueTest, GivesTheOlderHalfRoundedUpToAThief) {
  this->Push(0, 5);
  EXPECT_EQ(this->Grab(64), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(this->PopAll(), (std::vector<std::size_t>{3, 4}));
}

TYPED_TEST(LocalQueueTest, GivesItsOnlyTaskToAThief) {
  this->Push(0, 1);
  EXPECT_EQ(this->Grab(64), std::vector<std::size_t>{0});
  EXPECT_TRUE(this->queue_.IsEmpty());
}

TYPED_TEST(LocalQueueTest, GivesAThiefNoMoreThanItHasRoomFor) {
  this->Push(0, 8);
  EXPECT_EQ(this->Grab(1), std::vector<std::size_t>{0});
  EXPECT_EQ(this->Grab(2), (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(this->Grab(0).empty());
  EXPECT_EQ(this->PopAll(), (std::vector<std::size_t>{3, 4, 5, 6, 7}));
}

TYPED_TEST(LocalQueueTest, ReportsHowManyTasksItHolds) {
  EXPECT_EQ(this->queue_.Size(), 0U);
  for (std::size_t round = 0; round < 3; ++round) {
    this->Push(0, kCapacity - 1);
    EXPECT_EQ(this->queue_.Size(), kCapacity - 1);
    EXPECT_EQ(this->Grab(2).size(), 2U);
    EXPECT_EQ(this->queue_.Size(), kCapacity - 3);
    this->PopAll();
    EXPECT_EQ(this->queue_.Size(), 0U);
  }
}

TYPED_TEST(LocalQueueTest, GivesNothingWhenEmpty) {
  EXPECT_TRUE(this->Grab(4).empty());
  EXPECT_EQ(this->queue_.TryPop(), nullptr);
  EXPECT_TRUE(this->queue_.IsEmpty());
}

TYPED_TEST(LocalQueueTest, TakesABatchBehindNothing) {
  std::array<TaskBase*, 3> batch{&this->tasks_[5], &this->tasks_[6], &this->tasks_[7]};
  this->queue_.PushMany(batch);
  EXPECT_FALSE(this->queue_.IsEmpty());
  EXPECT_EQ(this->PopAll(), (std::vector<std::size_t>{5, 6, 7}));
}

TYPED_TEST(LocalQueueTest, RefusesAPushExactlyWhenItIsFull) {
  const std::size_t capacity = this->queue_.Capacity();
  if (capacity == std::numeric_limits<std::size_t>::max()) {
    this->Push(0, this->tasks_.size());
    return;
  }
  EXPECT_EQ(capacity, kCapacity);
  this->Push(0, capacity);
  EXPECT_FALSE(this->queue_.TryPush(&this->tasks_[capacity]));
  EXPECT_NE(this->queue_.TryPop(), nullptr);
  EXPECT_TRUE(this->queue_.TryPush(&this->tasks_[capacity]));
}

TYPED_TEST(LocalQueueTest, HasRoomForAllThatAThiefTook) {
  for (int round = 0; round < 1000; ++round) {  // many times around
    for (std::size_t i = 0; i < kCapacity; ++i) {
      ASSERT_TRUE(this->queue_.TryPush(&this->tasks_[i])) << round;
    }
    EXPECT_EQ(this->Grab(kCapacity).size(), kCapacity / 2);
    EXPECT_EQ(this->Grab(kCapacity).size(), kCapacity / 4);
    EXPECT_EQ(this->PopAll().size(), kCapacity / 4);
  }
}

TYPED_TEST(LocalQueueTest, BehavesAsAQueueUnderRandomCalls) {
  std::mt19937_64 random(tests::Seed());
  std::deque<std::size_t> model;
  std::size_t next = 0;
  std::vector<TaskBase*> out(kCapacity);
  for (int step = 0; step < 20000; ++step) {
    ASSERT_EQ(this->queue_.IsEmpty(), model.empty());
    switch (random() % 3) {
      case 0:
        if (model.size() < kCapacity) {  // else the slot's task might be inside still
          ASSERT_TRUE(this->queue_.TryPush(&this->tasks_[next]));
          model.push_back(next);
          next = (next + 1) % this->tasks_.size();
        }
        break;
      case 1: {
        TaskBase* const task = this->queue_.TryPop();
        ASSERT_EQ(task == nullptr, model.empty());
        if (task != nullptr) {
          ASSERT_EQ(NumberOf(task), model.front());
          model.pop_front();
        }
        break;
      }
      default: {
        const std::size_t room = random() % (kCapacity + 1);
        const std::size_t count = this->queue_.Grab({out.data(), room});
        ASSERT_EQ(count, std::min(room, (model.size() + 1) / 2));
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(NumberOf(out[i]), model.front());
          model.pop_front();
        }
      }
    }
  }
}

}  // namespace

}  // namespace schedbench::schedulers::local_queues_test
