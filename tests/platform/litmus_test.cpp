// Outcomes that the memory model forbids, on the machine's own memory. The simulated machine
// (tests/sim) explores all outcomes that C++ allows; these tests show whether compiler and CPU keep
// to it, on arm64 above all. The emulator runs each test on one CPU, so there they can find only
// mistakes of the compiler.
#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/asymmetric_fence.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <thread>
#include <vector>

namespace schedbench::platform::litmus_test {

namespace {

// Variables of one execution, and what its threads saw. Each thread writes results of its own.
struct Execution {
  alignas(kCacheLine) Atomic<int> x{0};
  alignas(kCacheLine) Atomic<int> y{0};
  alignas(kCacheLine) std::array<int, 8> seen{};
};

// Each thread runs its body for one execution after the other, all threads at the same time. Then
// asserts that no execution has the forbidden outcome.
template <typename IsForbidden, typename... Bodies>
void NeverHappens(std::size_t executions, IsForbidden is_forbidden, Bodies... bodies) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Execution> all(executions);
    Atomic<std::size_t> ready{0};
    {
      std::vector<std::jthread> threads;
      const auto start = [&](auto body) {
        threads.emplace_back([&all, &ready, body] {
          ready.FetchAdd(1, memory_order_relaxed);  // relaxed: only begins the race
          while (ready.Load(memory_order_relaxed) < sizeof...(Bodies)) {
            YieldThread();
          }
          for (Execution& execution : all) {
            body(execution);
          }
        });
      };
      (start(bodies), ...);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_FALSE(is_forbidden(all[i])) << "round " << round << ", execution " << i;
    }
  }
}

constexpr std::size_t kExecutions = tests::PlainOrSanitized(2000, 500);
// A heavy fence is a system call.
constexpr std::size_t kHeavyExecutions = tests::PlainOrSanitized(500, 100);

TEST(Litmus, AReaderThatSeesTheFlagByAcquireSeesTheMessage) {
  NeverHappens(
      kExecutions, [](const Execution& e) { return e.seen[0] == 1 && e.seen[1] == 0; },
      [](Execution& e) {
        e.x.Store(1, memory_order_relaxed);  // relaxed: the store to y publishes it
        e.y.Store(1, memory_order_release);  // release: pairs with the acquire of the other thread
      },
      [](Execution& e) {
        e.seen[0] = e.y.Load(memory_order_acquire);  // acquire: pairs with the release
        e.seen[1] = e.x.Load(memory_order_relaxed);  // relaxed: after the acquire
      });
}

TEST(Litmus, AReaderThatSeesTheFlagBeforeAFenceSeesTheMessage) {
  NeverHappens(
      kExecutions, [](const Execution& e) { return e.seen[0] == 1 && e.seen[1] == 0; },
      [](Execution& e) {
        e.x.Store(1, memory_order_relaxed);  // relaxed: the fence orders it
        AtomicFence(memory_order_release);   // release: pairs with the acquire fence
        e.y.Store(1, memory_order_relaxed);  // relaxed: after the fence
      },
      [](Execution& e) {
        e.seen[0] = e.y.Load(memory_order_relaxed);  // relaxed: before the fence
        AtomicFence(memory_order_acquire);           // acquire: pairs with the release fence
        e.seen[1] = e.x.Load(memory_order_relaxed);  // relaxed: after the fence
      });
}

bool BothMissed(const Execution& e) {
  return e.seen[0] == 0 && e.seen[1] == 0;
}

TEST(Litmus, OneOfTwoThreadsSeesTheOthersSequentiallyConsistentStore) {
  NeverHappens(
      kExecutions, &BothMissed,
      [](Execution& e) {
        e.x.Store(1, memory_order_seq_cst);  // seq_cst: all four pair with each other
        e.seen[0] = e.y.Load(memory_order_seq_cst);
      },
      [](Execution& e) {
        e.y.Store(1, memory_order_seq_cst);
        e.seen[1] = e.x.Load(memory_order_seq_cst);
      });
}

TEST(Litmus, OneOfTwoThreadsSeesTheOthersStoreBeforeAFullFence) {
  NeverHappens(
      kExecutions, &BothMissed,
      [](Execution& e) {
        e.x.Store(1, memory_order_relaxed);  // relaxed: the fences order all four
        AtomicFence(memory_order_seq_cst);   // seq_cst: pairs with the fence of the other thread
        e.seen[0] = e.y.Load(memory_order_relaxed);
      },
      [](Execution& e) {
        e.y.Store(1, memory_order_relaxed);  // relaxed: as above
        AtomicFence(memory_order_seq_cst);   // seq_cst: as above
        e.seen[1] = e.x.Load(memory_order_relaxed);
      });
}

// A worker that parks executes the heavy fence, one that submits the light one. So no task waits
// while all workers sleep.
TEST(Litmus, OneOfTwoThreadsSeesTheOthersStoreBeforeALightAndAHeavyFence) {
  NeverHappens(
      kHeavyExecutions, &BothMissed,
      [](Execution& e) {
        e.x.Store(1, memory_order_relaxed);  // relaxed: the fences order all four
        LightFence();
        e.seen[0] = e.y.Load(memory_order_relaxed);
      },
      [](Execution& e) {
        e.y.Store(1, memory_order_relaxed);  // relaxed: as above
        HeavyFence();
        e.seen[1] = e.x.Load(memory_order_relaxed);
      });
}

TEST(Litmus, NoLoadSeesAStoreThatFollowsFromIt) {
  NeverHappens(
      kExecutions, [](const Execution& e) { return e.seen[0] == 1 && e.seen[1] == 1; },
      [](Execution& e) {
        e.seen[0] = e.x.Load(memory_order_acquire);  // acquire: pairs with the release below
        e.y.Store(1, memory_order_release);          // release: pairs with the acquire below
      },
      [](Execution& e) {
        e.seen[1] = e.y.Load(memory_order_acquire);  // acquire: pairs with the release above
        e.x.Store(1, memory_order_release);          // release: pairs with the acquire above
      });
}

TEST(Litmus, TwoReadersAgreeOnTheOrderOfTwoStores) {
  NeverHappens(
      kExecutions,
      [](const Execution& e) {
        return e.seen[0] == 1 && e.seen[1] == 0 && e.seen[2] == 1 && e.seen[3] == 0;
      },
      [](Execution& e) {
        e.x.Store(1, memory_order_seq_cst);  // seq_cst: all six pair with each other
      },
      [](Execution& e) { e.y.Store(1, memory_order_seq_cst); },
      [](Execution& e) {
        e.seen[0] = e.x.Load(memory_order_seq_cst);
        e.seen[1] = e.y.Load(memory_order_seq_cst);
      },
      [](Execution& e) {
        e.seen[2] = e.y.Load(memory_order_seq_cst);
        e.seen[3] = e.x.Load(memory_order_seq_cst);
      });
}

// The queue of forked calls (fibers/fork/fork_queue.hpp) with two calls in it: x counts those that
// the owner has popped, y those that the thief has stolen. The owner takes the newer call without a
// read-modify-write if one is left for the thief.
TEST(Litmus, TheNewestCallGoesToTheOwnerOrToTheThief) {
  NeverHappens(
      kHeavyExecutions, [](const Execution& e) { return e.seen[0] == 1 && e.seen[1] == 2; },
      [](Execution& e) {
        e.x.Store(1, memory_order_release);  // release: pairs with the acquire of the thief
        LightFence();
        // relaxed: the fences order it, as in ForkQueue::TryPop().
        e.seen[0] = e.y.Load(memory_order_relaxed) == 0 ? 1 : 0;
      },
      [](Execution& e) {
        for (int stolen = 0; stolen < 2; ++stolen) {
          HeavyFence();
          int top = stolen;
          // acquire: pairs with the release of the owner. release: as in ForkQueue::TrySteal(),
          // pairs with nothing here. relaxed: not reached.
          if (e.x.Load(memory_order_acquire) + stolen < 2 &&
              e.y.CompareExchange(top, stolen + 1, memory_order_release, memory_order_relaxed)) {
            e.seen[1] = stolen + 1;
          }
        }
      });
}

}  // namespace

}  // namespace schedbench::platform::litmus_test
