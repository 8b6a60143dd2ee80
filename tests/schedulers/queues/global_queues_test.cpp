#include "tests/schedulers/queues/every_queue.hpp"
#include "tests/schedulers/queues/numbered_task.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

// What every global queue promises (schedulers/queues/contracts.hpp), seen by one thread.
namespace schedbench::schedulers::global_queues_test {

namespace {

using tests::NumberedTasks;
using tests::NumberOf;
using Numbers = std::vector<std::size_t>;

template <typename Queue>
class GlobalQueuesTest : public testing::Test {
 protected:
  Numbers GrabAll() {
    TaskList all = queue_.GrabAll();
    Numbers numbers;
    while (TaskBase* const task = all.TryPopFront()) {
      numbers.push_back(NumberOf(task));
    }
    return numbers;
  }

  Numbers Grab(std::size_t room, std::size_t sharers)
    requires tests::kGivesSingleTasks<Queue>
  {
    std::vector<TaskBase*> out(room);
    out.resize(queue_.Grab(out, sharers));
    Numbers numbers;
    for (const TaskBase* const task : out) {
      numbers.push_back(NumberOf(task));
    }
    return numbers;
  }

  TaskList List(std::size_t first, std::size_t count) {
    TaskList list;
    for (std::size_t i = first; i < first + count; ++i) {
      list.PushBack(&tasks_[i]);
    }
    return list;
  }

  std::vector<tests::NumberedTask> tasks_ = NumberedTasks(300);
  Queue queue_;
};

TYPED_TEST_SUITE(GlobalQueuesTest, tests::EveryGlobalQueue, tests::QueueName);

TYPED_TEST(GlobalQueuesTest, GivesAllInTheOrderInWhichOneThreadPushed) {
  this->queue_.Push(&this->tasks_[0]);
  this->queue_.Append(this->List(1, 3));
  this->queue_.PushExternal(&this->tasks_[4]);
  EXPECT_EQ(this->GrabAll(), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_TRUE(this->GrabAll().empty());
}

TYPED_TEST(GlobalQueuesTest, TakesAndGivesABatchOfAnySize) {
  this->queue_.Append(this->List(0, 300));
  EXPECT_EQ(this->queue_.Counts().Pushed(), 300U);
  EXPECT_EQ(this->GrabAll().size(), 300U);
  this->queue_.Append(TaskList());
  EXPECT_TRUE(this->GrabAll().empty());
}

TYPED_TEST(GlobalQueuesTest, CountsWhatWentInAndCameOut) {
  const TaskCounts& counts = this->queue_.Counts();
  EXPECT_TRUE(counts.IsEmpty());
  this->queue_.PushExternal(&this->tasks_[0]);
  this->queue_.Push(&this->tasks_[1]);
  EXPECT_FALSE(counts.IsEmpty());
  EXPECT_EQ(counts.Pushed(), 2U);
  EXPECT_EQ(counts.external.Submissions(), 1U);
  EXPECT_EQ(counts.Taken(), 0U);
  EXPECT_EQ(this->GrabAll().size(), 2U);
  EXPECT_EQ(counts.Taken(), 2U);
  EXPECT_TRUE(counts.IsEmpty());
}

TYPED_TEST(GlobalQueuesTest, GivesSingleTasksOldestFirst) {
  if constexpr (tests::kGivesSingleTasks<TypeParam>) {
    this->queue_.Append(this->List(0, 3));
    for (std::size_t i = 0; i < 3; ++i) {
      TaskBase* const task = this->queue_.TryPop();
      ASSERT_NE(task, nullptr);
      EXPECT_EQ(NumberOf(task), i);
    }
    EXPECT_EQ(this->queue_.TryPop(), nullptr);
    EXPECT_EQ(this->queue_.Counts().Taken(), 3U);
  } else {
    EXPECT_EQ(this->queue_.Counts().Taken(), 0U);
  }
}

TYPED_TEST(GlobalQueuesTest, GivesAShareRoundedUpAndNoMoreThanThereIsRoomFor) {
  if constexpr (tests::kGivesSingleTasks<TypeParam>) {
    this->queue_.Append(this->List(0, 10));
    EXPECT_EQ(this->Grab(64, 4), (Numbers{0, 1, 2}));
    EXPECT_EQ(this->Grab(2, 1), (Numbers{3, 4}));
    EXPECT_EQ(this->Grab(64, 100), Numbers{5});
    EXPECT_EQ(this->Grab(64, 1), (Numbers{6, 7, 8, 9}));
    EXPECT_TRUE(this->Grab(64, 1).empty());
  } else {
    EXPECT_TRUE(this->GrabAll().empty());
  }
}

// Fibers that yield through the global queue keep it filled forever: a task of another thread must
// have its turn.
TYPED_TEST(GlobalQueuesTest, GivesWhatCameFirstAlthoughAnotherThreadAlwaysHasMore) {
  if constexpr (tests::kGivesSingleTasks<TypeParam>) {
    constexpr std::size_t kLater = 100;
    constexpr std::size_t kTurn = 10;  // a few: some models have a queue for each thread
    this->queue_.Push(&this->tasks_[0]);
    std::vector<std::size_t> taken;
    std::jthread([&] {
      this->queue_.Push(&this->tasks_[1]);
      for (std::size_t i = 2; i < kLater; ++i) {
        this->queue_.Push(&this->tasks_[i]);
        taken.push_back(NumberOf(this->queue_.TryPop()));
      }
    }).join();
    EXPECT_LT(std::ranges::find(taken, 0U) - taken.begin(), kTurn);
  }
  EXPECT_LE(this->GrabAll().size(), 2U);
}

}  // namespace

}  // namespace schedbench::schedulers::global_queues_test
