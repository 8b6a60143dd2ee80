#include "schedulers/queues/global_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace schedbench::schedulers {

namespace {

using tests::NumberedTasks;
using tests::NumberOf;

std::vector<std::size_t> PopAll(GlobalQueue& queue) {
  std::vector<std::size_t> numbers;
  while (TaskBase* task = queue.TryPop()) {
    numbers.push_back(NumberOf(task));
  }
  return numbers;
}

TEST(GlobalQueue, PopsInTheOrderOfThePushesWhoeverPushed) {
  GlobalQueue queue;
  auto tasks = NumberedTasks(5);
  queue.Push(&tasks[0]);
  queue.PushFromOutside(&tasks[1]);
  TaskList batch;
  batch.PushBack(&tasks[2]);
  batch.PushBack(&tasks[3]);
  queue.Append(std::move(batch));
  queue.Push(&tasks[4]);
  EXPECT_EQ(PopAll(queue), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(queue.TryPop(), nullptr);
}

TEST(GlobalQueue, KnowsWhetherItIsEmpty) {
  GlobalQueue queue;
  auto tasks = NumberedTasks(2);
  EXPECT_TRUE(queue.Counts().IsEmpty());
  queue.Append(TaskList());
  EXPECT_TRUE(queue.Counts().IsEmpty());
  queue.Push(&tasks[0]);
  queue.PushFromOutside(&tasks[1]);
  EXPECT_FALSE(queue.Counts().IsEmpty());
  EXPECT_NE(queue.TryPop(), nullptr);
  EXPECT_FALSE(queue.Counts().IsEmpty());
  std::vector<TaskBase*> out(4);
  EXPECT_EQ(queue.Grab(out, 1), 1U);
  EXPECT_TRUE(queue.Counts().IsEmpty());
}

TEST(GlobalQueue, GivesEachSharerHisPartRoundedUp) {
  for (const auto& [size, sharers, share] : std::vector<std::array<std::size_t, 3>>{
           {0, 4, 0}, {1, 4, 1}, {4, 4, 1}, {5, 4, 2}, {100, 4, 25}, {100, 1, 100}, {7, 3, 3}}) {
    GlobalQueue queue;
    auto tasks = NumberedTasks(size);
    for (auto& task : tasks) {
      queue.Push(&task);
    }
    std::vector<TaskBase*> out(200);
    ASSERT_EQ(queue.Grab(out, sharers), share) << size << " for " << sharers;
    for (std::size_t i = 0; i < share; ++i) {
      EXPECT_EQ(out[i], &tasks[i]);
    }
    EXPECT_EQ(PopAll(queue).size(), size - share);
  }
}

TEST(GlobalQueue, GivesASharerNoMoreThanHeHasRoomFor) {
  GlobalQueue queue;
  auto tasks = NumberedTasks(10);
  for (auto& task : tasks) {
    queue.Push(&task);
  }
  std::vector<TaskBase*> out(3);
  EXPECT_EQ(queue.Grab(out, 1), 3U);
  EXPECT_EQ(PopAll(queue), (std::vector<std::size_t>{3, 4, 5, 6, 7, 8, 9}));
}

TEST(GlobalQueue, CountsTheTasksFromOutsideOnly) {
  GlobalQueue queue;
  auto tasks = NumberedTasks(4);
  queue.PushFromOutside(&tasks[0]);
  queue.Push(&tasks[1]);
  queue.PushFromOutside(&tasks[2]);
  TaskList batch;
  batch.PushBack(&tasks[3]);
  queue.Append(std::move(batch));
  EXPECT_EQ(queue.Counts().FromOutside(), 2U);
  PopAll(queue);
  EXPECT_EQ(queue.Counts().FromOutside(), 2U);
}

}  // namespace

}  // namespace schedbench::schedulers
