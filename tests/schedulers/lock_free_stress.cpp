#include "base/attributes.hpp"
#include "executors/task.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include <pthread.h>

// The Scalable Scheduler task's bonus: with global_queue=moodycamel no worker of `fast` ever waits
// for another that was stopped, wherever that was: it holds no lock. What a stopped worker has in
// its hands, or in its slot, waits with it; all else continues.
namespace schedbench::tests::lock_free_stress {

// Not under sanitizers: a stopped thread may hold one of their locks.
#if !defined(SB_ASAN) && !defined(SB_TSAN)

namespace {

using executors::SchedulerHint;
using executors::TaskBase;

constexpr std::uint32_t kWorkers = 3;

std::atomic<bool> stopped{false};
std::atomic<bool> may_continue{false};

// In the signal handler of the worker: it stays where it was.
void StopHere(int /*signal*/) {
  stopped.store(true);
  while (!may_continue.load()) {
    std::this_thread::yield();
  }
  stopped.store(false);
}

// A task that submits itself again, by each hint in turn, until the test stops it: workers that run
// some never sleep, and use all their queues.
class Treadmill final : public TaskBase {
 public:
  Treadmill(executors::IExecutor& executor, const std::atomic<bool>& stop)
      : executor_(executor),
        stop_(stop) {
  }

  void Run() noexcept override {
    threads_.store(::pthread_self());
    if (!stop_.load(std::memory_order_relaxed)) {
      executor_.Submit(this, static_cast<SchedulerHint>(++turns_ % 3));
    }
  }

  // Of the worker that ran it last.
  ::pthread_t Thread() const {
    return threads_.load();
  }

 private:
  executors::IExecutor& executor_;
  const std::atomic<bool>& stop_;
  std::atomic<::pthread_t> threads_{};
  unsigned turns_ = 0;
};

// Submits another task when it runs; both count down.
class Parent final : public TaskBase {
 public:
  Parent(executors::IExecutor& executor, std::atomic<int>& left)
      : executor_(executor),
        left_(left),
        child_(left) {
  }

  void Run() noexcept override {
    executor_.Submit(&child_, SchedulerHint::UpToYou);
    --left_;
  }

 private:
  class Child final : public TaskBase {
   public:
    explicit Child(std::atomic<int>& left)
        : left_(left) {
    }

    void Run() noexcept override {
      --left_;
    }

   private:
    std::atomic<int>& left_;
  };

  executors::IExecutor& executor_;
  std::atomic<int>& left_;
  Child child_;
};

TEST(LockFreeFast, ContinuesWhileOneOfItsWorkersIsStoppedAnywhere) {
  const HangGuard hang_guard("a scheduler with a stopped worker");
  struct sigaction action{};
  action.sa_handler = &StopHere;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  ASSERT_EQ(::sigaction(SIGUSR2, &action, nullptr), 0);

  const auto pool = MakeScheduler(
      "fast", kWorkers,
      {{"global_queue", std::string("moodycamel")}, {"local_queue_capacity", std::uint64_t{4}}});
  std::atomic<bool> stop{false};
  std::vector<std::unique_ptr<Treadmill>> treadmills;
  for (std::uint32_t i = 0; i < 8 * kWorkers; ++i) {
    pool->Submit(treadmills.emplace_back(std::make_unique<Treadmill>(*pool, stop)).get(),
                 SchedulerHint::UpToYou);
  }
  constexpr int kTasks = 20;
  std::atomic<int> left{0};
  std::deque<Parent> parents;
  for (int i = 0; i < kTasks; ++i) {
    parents.emplace_back(*pool, left);
  }
  const StressTime time;
  std::uint64_t rounds = 0;
  do {
    const ::pthread_t worker = treadmills[rounds % treadmills.size()]->Thread();
    if (worker == ::pthread_t{}) {
      std::this_thread::yield();
      continue;
    }
    may_continue = false;
    ASSERT_EQ(::pthread_kill(worker, SIGUSR2), 0);
    while (!stopped) {
      std::this_thread::yield();
    }
    // From outside, and what follows from it: through the global queue, which the stopped worker
    // may be in the middle of. Whatever it has taken is not among these. They are there already:
    // the stopped worker may hold a lock of the allocator.
    left = 2 * kTasks;
    for (Parent& parent : parents) {
      pool->Submit(&parent, SchedulerHint::UpToYou);
    }
    while (left > 0) {
      std::this_thread::yield();
    }
    may_continue = true;
    while (stopped) {
      std::this_thread::yield();
    }
    ++rounds;
  } while (!time.IsOver());
  stop = true;
  pool->WaitIdle();
  EXPECT_GT(rounds, 0U);
}

}  // namespace

#endif

}  // namespace schedbench::tests::lock_free_stress
