#include "schedulers/queues/global_queue.hpp"

#include "tests/schedulers/queues/numbered_task.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace schedbench::schedulers::global_queue_test {

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

TEST(GlobalQueue, PopsInTheOrderOfThePushesOfAllThreads) {
  GlobalQueue queue;
  auto tasks = NumberedTasks(5);
  queue.Push(&tasks[0]);
  queue.PushExternal(&tasks[1]);
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
  queue.PushExternal(&tasks[1]);
  EXPECT_FALSE(queue.Counts().IsEmpty());
  EXPECT_NE(queue.TryPop(), nullptr);
  EXPECT_FALSE(queue.Counts().IsEmpty());
  std::vector<TaskBase*> out(4);
  EXPECT_EQ(queue.Grab(out, 1), 1U);
  EXPECT_TRUE(queue.Counts().IsEmpty());
}

TEST(GlobalQueue, GivesEachSharerItsPartRoundedUp) {
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

TEST(GlobalQueue, GivesASharerNoMoreThanItHasRoomFor) {
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
  queue.PushExternal(&tasks[0]);
  queue.Push(&tasks[1]);
  queue.PushExternal(&tasks[2]);
  TaskList batch;
  batch.PushBack(&tasks[3]);
  queue.Append(std::move(batch));
  EXPECT_EQ(queue.Counts().external.Submissions(), 2U);
  PopAll(queue);
  EXPECT_EQ(queue.Counts().external.Submissions(), 2U);
}

// ---- What is done under the lock ----

// Tasks on pages of their own, which can be locked away.
class LockableTasks {
 public:
  static constexpr std::size_t kCount = 32;

  LockableTasks()
      : bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    for (std::size_t i = 0; i < kCount; ++i) {
      new (&Task(i)) tests::NumberedTask();
    }
  }

  ~LockableTasks() {
    munmap(memory_, bytes_);
  }

  LockableTasks(const LockableTasks&) = delete;
  LockableTasks& operator=(const LockableTasks&) = delete;

  tests::NumberedTask& Task(std::size_t i) {
    return static_cast<tests::NumberedTask*>(memory_)[i];
  }

  void Forbid() {
    mprotect(memory_, bytes_, PROT_NONE);
  }

  void Permit() {
    mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
  }

 private:
  const std::size_t bytes_;
  void* const memory_;
};

// A thread that touches one of these tasks while it holds the lock is ended by the signal of a bad
// access.
LockableTasks* forbidden_under_lock = nullptr;

struct NoMutex {};

class ForbiddingLock {
 public:
  explicit ForbiddingLock(NoMutex& /*mutex*/) {
    forbidden_under_lock->Forbid();
  }

  ~ForbiddingLock() {
    forbidden_under_lock->Permit();
  }

  ForbiddingLock(const ForbiddingLock&) = delete;
  ForbiddingLock& operator=(const ForbiddingLock&) = delete;

  bool Waited() const noexcept {
    return false;
  }
};

TEST(GlobalQueue, TouchesOnlyTheEndsOfABatchWhileItHoldsTheLock) {
  LockableTasks inner;
  forbidden_under_lock = &inner;
  std::array<tests::NumberedTask, 4> ends;
  const auto batch = [&](std::size_t number) {
    TaskList list;
    list.PushBack(&ends[2 * number]);
    for (std::size_t i = 0; i < LockableTasks::kCount / 2; ++i) {
      list.PushBack(&inner.Task(number * LockableTasks::kCount / 2 + i));
    }
    list.PushBack(&ends[2 * number + 1]);
    return list;
  };
  BasicGlobalQueue<NoMutex, ForbiddingLock> queue;
  queue.Append(batch(0));
  queue.AppendExternal(batch(1));
  TaskList all = queue.GrabAll();
  EXPECT_EQ(all.Size(), LockableTasks::kCount + 4);
  std::size_t taken = 0;
  while (all.TryPopFront() != nullptr) {
    ++taken;
  }
  EXPECT_EQ(taken, LockableTasks::kCount + 4);
}

// Reports each time that another thread held the lock.
class BusyLock {
 public:
  explicit BusyLock(NoMutex& /*mutex*/) {
  }

  bool Waited() const noexcept {
    return true;
  }
};

TEST(GlobalQueue, CountsEachTimeThatItsLockWasTaken) {
  std::vector<tests::NumberedTask> tasks = tests::NumberedTasks(2);
  BasicGlobalQueue<NoMutex, BusyLock> busy;
  busy.Push(&tasks[0]);
  EXPECT_EQ(busy.LockWaits(), 1U);
  busy.PushExternal(&tasks[1]);
  EXPECT_EQ(busy.LockWaits(), 2U);
  busy.TryPop();
  busy.TryPop();
  EXPECT_EQ(busy.LockWaits(), 4U);
  busy.TryPop();
  EXPECT_EQ(busy.LockWaits(), 4U) << "an empty queue is not locked";
  GlobalQueue alone;
  alone.Push(&tasks[0]);
  alone.TryPop();
  EXPECT_EQ(alone.LockWaits(), 0U);
}

}  // namespace

}  // namespace schedbench::schedulers::global_queue_test
