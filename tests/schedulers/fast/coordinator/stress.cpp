#include "tests/support/stress.hpp"

#include "schedulers/fast/coordinator.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::schedulers::fast {

namespace {

using tests::HangGuard;
using tests::Seed;
using tests::StressTime;

// A pool reduced to its coordinator: the work is a number of tokens, which anybody may take.
class TokenPool {
 public:
  TokenPool(std::uint32_t workers, std::uint32_t max_searching)
      : coordinator_(workers, max_searching) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      threads_.emplace_back([this, i] {
        Work(i);
      });
    }
  }

  ~TokenPool() {
    coordinator_.RequestStop();
    threads_.clear();
  }

  void Submit(std::uint64_t count) {
    submitted_.fetch_add(count, std::memory_order_relaxed);
    for (std::uint64_t i = 0; i < count; ++i) {
      // Not stronger than a push to a queue: Notify() must do the rest.
      tokens_.fetch_add(1, std::memory_order_release);
      coordinator_.Notify();
    }
  }

  void WaitIdle() {
    coordinator_.WaitIdle([this] {
      return IsIdle();
    });
  }

  bool IsIdle() const {
    const std::uint64_t done = done_.load();
    return done == submitted_.load();
  }

  Coordinator& Coordination() {
    return coordinator_;
  }

 private:
  bool TryTake() {
    std::uint64_t tokens = tokens_.load(std::memory_order_relaxed);
    while (tokens > 0) {
      if (tokens_.compare_exchange_weak(tokens, tokens - 1, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  bool HasWork() const {
    return tokens_.load(std::memory_order_relaxed) > 0;
  }

  // The protocol of a worker, as in worker.cpp.
  void Work(std::uint32_t self) {
    bool searching = false;
    for (;;) {
      bool found = TryTake();
      if (!found && (searching || coordinator_.TryBeginSearch())) {
        searching = true;
        found = TryTake();
      }
      if (found) {
        if (searching) {
          searching = false;
          if (coordinator_.EndSearch() && HasWork()) {
            coordinator_.Notify();
          }
        }
        done_.fetch_add(1);
        continue;
      }
      const auto announced = coordinator_.AnnouncePark(self, searching);
      searching = false;
      if (announced.look_around && HasWork() && coordinator_.CancelPark(self)) {
        searching = true;
        continue;
      }
      if (announced.stop && coordinator_.TryLeave(self)) {
        return;
      }
      coordinator_.Park(self);
      searching = true;
    }
  }

  Coordinator coordinator_;
  std::atomic<std::uint64_t> tokens_{0};
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> done_{0};
  std::vector<std::jthread> threads_;
};

class CoordinatorStress : public testing::TestWithParam<std::uint32_t> {};

INSTANTIATE_TEST_SUITE_P(Workers, CoordinatorStress, testing::Values(1U, 2U, 4U),
                         testing::PrintToStringParamName());

TEST_P(CoordinatorStress, LosesNoWakeUpOfATokenAtATime) {
  const HangGuard guard("a token, or WaitIdle");
  TokenPool pool(GetParam(), (GetParam() + 1) / 2);
  const StressTime time(0.4);
  do {
    // One at a time: each finds all workers on their way to sleep, and nobody comes to the rescue.
    for (int i = 0; i < 100; ++i) {
      pool.Submit(1);
      while (!pool.IsIdle()) {
        std::this_thread::yield();
      }
    }
  } while (!time.IsOver());
}

TEST_P(CoordinatorStress, LosesNoWakeUpInBurstsOfSeveralThreads) {
  const HangGuard guard("a token, or WaitIdle");
  TokenPool pool(GetParam(), (GetParam() + 1) / 2);
  const StressTime time(0.4);
  std::vector<std::jthread> producers;
  for (std::uint64_t producer = 0; producer < 2; ++producer) {
    producers.emplace_back([&, producer] {
      std::mt19937_64 random(Seed() + producer);
      do {
        pool.Submit(1 + random() % 8);
        if (random() % 4 == 0) {
          pool.WaitIdle();
        }
      } while (!time.IsOver());
    });
  }
  producers.clear();
  pool.WaitIdle();
  EXPECT_TRUE(pool.IsIdle());
}

TEST_P(CoordinatorStress, StopsWhileWorkersParkAndWake) {
  const HangGuard guard("stop");
  const StressTime time(0.4);
  std::mt19937_64 random(Seed());
  do {
    TokenPool pool(GetParam(), 1);
    pool.Submit(random() % 4);
  } while (!time.IsOver());
}

TEST(CoordinatorStress, NeverLetsMoreSearchByTheirOwnDecisionThanTheLimit) {
  constexpr int kLimit = 2;
  Coordinator coordinator(8, kLimit);
  std::atomic<int> searching{0};
  std::atomic<int> too_many{0};
  const StressTime time(0.4);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      do {
        if (coordinator.TryBeginSearch()) {
          too_many += ++searching > kLimit ? 1 : 0;
          std::this_thread::yield();
          --searching;
          coordinator.EndSearch();
        }
      } while (!time.IsOver());
    });
  }
  threads.clear();
  EXPECT_EQ(too_many, 0);
}

}  // namespace

}  // namespace schedbench::schedulers::fast
