#include "platform/threads/mutex.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::platform::mutex_stress {

namespace {

using tests::HangGuard;
using tests::Seed;
using tests::StressTime;

TEST(MutexStress, LetsOneThreadInAtATime) {
  const HangGuard guard("a mutex");
  const StressTime time;
  Mutex mutex;
  std::uint64_t entered = 0;  // plain: guarded by mutex
  std::vector<std::uint64_t> own(4, 0);
  std::vector<std::jthread> threads;
  for (std::uint64_t& count : own) {
    threads.emplace_back([&] {
      do {
        for (int i = 0; i < 100; ++i) {
          if (i % 4 == 0 && mutex.TryLock()) {
            ++entered;
            ++count;
            mutex.Unlock();
          }
          const MutexLock lock(mutex);
          ++entered;
          ++count;
          if (i % 50 == 0) {
            std::this_thread::yield();  // with the lock held: others go to sleep
          }
        }
      } while (!time.IsOver());
    });
  }
  threads.clear();
  std::uint64_t sum = 0;
  for (const std::uint64_t count : own) {
    sum += count;
  }
  EXPECT_EQ(entered, sum);
}

TEST(ConditionVariableStress, LosesNoNotificationOfABoundedQueue) {
  const HangGuard guard("a bounded queue");
  const StressTime time;
  std::mt19937_64 random(Seed());
  do {
    Mutex mutex;
    ConditionVariable not_empty;
    ConditionVariable not_full;
    std::deque<int> queue;  // guarded by mutex
    constexpr int kPerThread = 500;
    const std::size_t capacity = 1 + random() % 3;
    std::vector<std::int64_t> sums(3, 0);
    {
      std::vector<std::jthread> threads;
      for (int producer = 0; producer < 3; ++producer) {
        threads.emplace_back([&] {
          for (int i = 1; i <= kPerThread; ++i) {
            const MutexLock lock(mutex);
            while (queue.size() == capacity) {
              not_full.Wait(mutex);
            }
            queue.push_back(i);
            not_empty.NotifyOne();
          }
        });
      }
      for (std::int64_t& sum : sums) {
        threads.emplace_back([&] {
          for (int i = 0; i < kPerThread; ++i) {
            mutex.Lock();
            while (queue.empty()) {
              not_empty.Wait(mutex);
            }
            sum += queue.front();
            queue.pop_front();
            mutex.Unlock();
            not_full.NotifyOne();  // without the mutex
          }
        });
      }
    }
    EXPECT_EQ(sums[0] + sums[1] + sums[2], 3 * kPerThread * (kPerThread + 1) / 2);
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::platform::mutex_stress
