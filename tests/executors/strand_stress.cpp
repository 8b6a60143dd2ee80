// Strands on real threads: many clients, short lives, the last moment of a batch.
#include "executors/strand.hpp"
#include "executors/submit.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::executors::strand_stress {

namespace {

template <typename StrandType>
class StrandStress : public testing::Test {};

using BothKinds = testing::Types<Strand, MutexStrand>;
TYPED_TEST_SUITE(StrandStress, BothKinds);

TYPED_TEST(StrandStress, KeepsTheOrderOfEachOfManyClients) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("a strand with many clients");
    const tests::StressTime time;
    std::mt19937_64 random(tests::Seed());
    const auto scheduler = tests::MakeScheduler(name, 4);
    do {
      constexpr std::size_t kClients = 4;
      constexpr std::uint64_t kTasks = 2000;
      TypeParam strand(*scheduler, {.tasks_per_visit = 1 + random() % 100});
      std::uint64_t sum = 0;                         // plain: the strand's
      std::vector<std::uint64_t> next(kClients, 0);  // plain: the strand's
      bool in_order = true;                          // plain: the strand's
      std::vector<std::jthread> clients;
      for (std::size_t client = 0; client < kClients; ++client) {
        clients.emplace_back([&, client, rhythm = 1 + random() % 50] {
          for (std::uint64_t i = 0; i < kTasks; ++i) {
            Execute(strand, [&, client, i] {
              in_order = in_order && next[client]++ == i;
              ++sum;
            });
            if (i % rhythm == 0) {
              std::this_thread::yield();  // lets the strand fall idle
            }
          }
        });
      }
      // Meanwhile its numbers can be read, and only grow.
      std::uint64_t tasks = 0;
      bool grows = true;
      for (int i = 0; i < 1000; ++i) {
        const std::uint64_t now = strand.Read().tasks;
        grows = grows && now >= tasks && now <= kClients * kTasks;
        tasks = now;
      }
      clients.clear();
      scheduler->WaitIdle();
      ASSERT_TRUE(grows);
      ASSERT_TRUE(in_order);
      ASSERT_EQ(sum, kClients * kTasks);
      const StrandReading reading = strand.Read();
      ASSERT_EQ(reading.tasks, kClients * kTasks);
    } while (!time.IsOver());
  }
}

// Each task submits the next: the strand is about to fall idle all the time.
TYPED_TEST(StrandStress, LosesNoTaskThatComesAsTheLastOneEnds) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("a strand that falls idle");
    const tests::StressTime time;
    const auto scheduler = tests::MakeScheduler(name, 2);
    do {
      constexpr int kRounds = 2000;
      TypeParam strand(*scheduler);
      int runs = 0;  // plain: the strand's
      std::atomic<int> seen{0};
      for (int i = 0; i < kRounds; ++i) {
        Execute(strand, [&] { seen.store(++runs, std::memory_order_relaxed); });
        // From here on the visit ends, at the same time as the next submit.
        while (seen.load(std::memory_order_relaxed) <= i) {
          std::this_thread::yield();
        }
      }
      scheduler->WaitIdle();
      ASSERT_EQ(runs, kRounds);
    } while (!time.IsOver());
  }
}

TYPED_TEST(StrandStress, DiesAtAnyMomentAndRunsItsTasksAllTheSame) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("strands that die");
    const tests::StressTime time;
    std::mt19937_64 random(tests::Seed());
    const auto scheduler = tests::MakeScheduler(name, 4);
    do {
      constexpr int kStrands = 200;
      std::vector<int> runs(kStrands, 0);  // of each strand, plain
      int expected = 0;
      for (int i = 0; i < kStrands; ++i) {
        auto strand = std::make_unique<TypeParam>(
            *scheduler, StrandOptions{.tasks_per_visit = 1 + random() % 4});
        const int tasks = 1 + static_cast<int>(random() % 5);
        expected += tasks;
        for (int task = 0; task < tasks; ++task) {
          Execute(*strand, [&runs, i] { ++runs[static_cast<std::size_t>(i)]; });
        }
        for (std::uint64_t spin = random() % 300; spin > 0; --spin) {
          asm volatile("" ::: "memory");
        }
        strand.reset();
      }
      scheduler->WaitIdle();
      int total = 0;
      for (const int count : runs) {
        total += count;
      }
      ASSERT_EQ(total, expected);
    } while (!time.IsOver());
  }
}

TYPED_TEST(StrandStress, MayBeDestroyedByTheTaskThatRunsLast) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("strands that destroy themselves");
    const tests::StressTime time;
    const auto scheduler = tests::MakeScheduler(name, 4);
    do {
      for (int i = 0; i < 200; ++i) {
        auto* const strand = new TypeParam(*scheduler);
        // Which of the two is the last is found out on the strand.
        const auto left = std::make_shared<int>(2);
        for (int client = 0; client < 2; ++client) {
          Execute(*scheduler, [strand, left] {
            Execute(*strand, [strand, left] {
              if (--*left == 0) {
                delete strand;
              }
            });
          });
        }
      }
      scheduler->WaitIdle();
    } while (!time.IsOver());
  }
}

}  // namespace

}  // namespace schedbench::executors::strand_stress
