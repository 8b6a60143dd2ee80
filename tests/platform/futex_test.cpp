#include "platform/threads/futex.hpp"

#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace schedbench::platform::futex_test {

namespace {

using namespace std::chrono_literals;

TEST(Futex, DoesNotWaitWhereTheWordDiffers) {
  const tests::HangGuard guard("FutexWait on another value");
  Atomic<std::uint32_t> word{1};
  FutexWait(word, 0);
}

TEST(Futex, WakesTheThreadThatWaits) {
  const tests::HangGuard guard("FutexWake");
  for (int round = 0; round < 200; ++round) {
    Atomic<std::uint32_t> word{0};
    std::jthread waiter([&] {
      while (word.Load(memory_order_acquire) == 0) {
        FutexWait(word, 0);
      }
    });
    word.Store(1, memory_order_release);
    FutexWake(word, 1);
  }
}

TEST(Futex, WakesAllThreadsThatWait) {
  const tests::HangGuard guard("FutexWake of all");
  Atomic<std::uint32_t> word{0};
  std::vector<std::jthread> waiters;
  for (int i = 0; i < 5; ++i) {
    waiters.emplace_back([&] {
      while (word.Load(memory_order_acquire) == 0) {
        FutexWait(word, 0);
      }
    });
  }
  word.Store(1, memory_order_release);
  FutexWake(word, kWakeAll);
}

TEST(Futex, ReportsThatTheTimeRanOut) {
  const Atomic<std::uint32_t> word{0};
  const auto begin = std::chrono::steady_clock::now();
  // A signal or a stray wake may end a wait early; then the time has not run out.
  while (FutexWaitFor(word, 0, 20ms)) {
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
}

TEST(Futex, ReportsAtOnceThatNoTimeWasGiven) {
  const tests::HangGuard guard("FutexWaitFor without time");
  const Atomic<std::uint32_t> word{0};
  EXPECT_FALSE(FutexWaitFor(word, 0, 0ns));
}

TEST(Futex, ReportsAtOnceThatATimeHasRunOutAlready) {
  // What is left of a deadline that has passed. A loop until the time has run out would spin
  // forever.
  const Atomic<std::uint32_t> word{0};
  EXPECT_FALSE(FutexWaitFor(word, 0, -1ns));
}

TEST(Futex, DoesNotSayThatTheTimeRanOutWhereTheWordDiffers) {
  const Atomic<std::uint32_t> word{1};
  EXPECT_TRUE(FutexWaitFor(word, 0, 10s));
}

}  // namespace

}  // namespace schedbench::platform::futex_test
