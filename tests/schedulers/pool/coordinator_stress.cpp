#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace schedbench::schedulers::coordinator_stress {

namespace {

using tests::HangGuard;
using tests::Seed;
using tests::StressTime;

// A pool reduced to its coordinator: the work is a number of tokens, which any worker may take. One
// thread submits.
class TokenPool {
 public:
  TokenPool(std::uint32_t workers, std::uint32_t max_searching)
      : coordinator_(workers, max_searching) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      threads_.emplace_back([this, i] { Work(i); });
    }
  }

  ~TokenPool() {
    coordinator_.RequestStop();
    threads_.clear();
  }

  void Submit() {
    // As weak as a push to a queue, a plain store: Notify() must do the rest. Behind stores to cold
    // memory, as when a task has just been made: then it takes long until others see it.
    for (int i = 0; i < 4; ++i) {
      cold_[random_() % cold_.size()] = 1;
    }
    submitted_.store(submitted_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    coordinator_.Notify();
  }

  void WaitIdle() {
    coordinator_.WaitIdle([this] { return IsIdle(); });
  }

  bool IsIdle() const {
    const std::uint64_t done = done_.load();
    return done == submitted_.load();
  }

 private:
  bool TryTake() {
    std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    while (taken < submitted_.load(std::memory_order_acquire)) {
      if (taken_.compare_exchange_weak(taken, taken + 1, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  bool HasWork() const {
    return taken_.load(std::memory_order_relaxed) < submitted_.load(std::memory_order_relaxed);
  }

  // The protocol of a worker, as in run_loop.hpp.
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
      searching = true;
      if (announced.recheck && HasWork()) {
        if (coordinator_.CancelPark(self)) {
          continue;
        }
      } else if (announced.last && coordinator_.TryEnd(self)) {
        return;
      }
      if (coordinator_.Park(self) == Coordinator::Slept::kEnded) {
        return;
      }
    }
  }

  Coordinator coordinator_;
  // Of the submitter. More than a core's own caches hold.
  std::mt19937_64 random_{Seed()};
  std::vector<char> cold_ = std::vector<char>(std::size_t{32} << 20U);
  alignas(kCacheLine) std::atomic<std::uint64_t> submitted_{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> taken_{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> done_{0};
  std::vector<std::jthread> threads_;
};

class CoordinatorStress : public testing::TestWithParam<std::uint32_t> {};

INSTANTIATE_TEST_SUITE_P(Workers, CoordinatorStress, testing::Values(1U, 2U, 4U, 130U),
                         testing::PrintToStringParamName());

TEST_P(CoordinatorStress, LosesNoWakeUpOfATokenAtATime) {
  const HangGuard guard("a token");
  TokenPool pool(GetParam(), (GetParam() + 1) / 2);
  const StressTime time;
  std::mt19937_64 random(Seed());
  do {
    for (int i = 0; i < 1000; ++i) {
      // Each token comes when the worker of the one before is somewhere on its way to sleep, and no
      // other comes to the rescue.
      for (std::uint64_t pause = random() % 8; pause > 0; --pause) {
        CpuRelax();
      }
      pool.Submit();
      for (SpinWait spin; !pool.IsIdle(); spin.Spin()) {
      }
    }
  } while (!time.IsOver());
}

TEST_P(CoordinatorStress, LosesNoWakeUpInBursts) {
  const HangGuard guard("a token, or WaitIdle");
  TokenPool pool(GetParam(), (GetParam() + 1) / 2);
  const StressTime time;
  std::mt19937_64 random(Seed());
  do {
    for (std::uint64_t burst = 1 + random() % 8; burst > 0; --burst) {
      pool.Submit();
    }
    if (random() % 2 == 0) {
      pool.WaitIdle();
      ASSERT_TRUE(pool.IsIdle());
    }
  } while (!time.IsOver());
  pool.WaitIdle();
}

TEST_P(CoordinatorStress, StopsWhileWorkersParkAndWake) {
  const HangGuard guard("stop");
  const StressTime time;
  std::mt19937_64 random(Seed());
  do {
    TokenPool pool(GetParam(), 1);
    for (std::uint64_t burst = random() % 4; burst > 0; --burst) {
      pool.Submit();
    }
  } while (!time.IsOver());
}

TEST(CoordinatorStress, LetsNoWorkerSearchByItsOwnDecisionWhileTheLimitIsReached) {
  Coordinator coordinator(8, 2);
  ASSERT_TRUE(coordinator.TryBeginSearch());
  ASSERT_TRUE(coordinator.TryBeginSearch());
  std::atomic<int> too_many{0};
  const StressTime time;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      do {
        too_many += coordinator.TryBeginSearch() ? 1 : 0;
      } while (!time.IsOver());
    });
  }
  threads.clear();
  EXPECT_EQ(too_many, 0);
  EXPECT_FALSE(coordinator.EndSearch());
  EXPECT_TRUE(coordinator.EndSearch()) << "the last one has to recheck the queues";
}

}  // namespace

}  // namespace schedbench::schedulers::coordinator_stress
