// What a switch must keep of the machine's state.
#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/fibers/serving_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <string>

namespace schedbench::fibers::machine_context_test {

namespace {

using executors::ManualExecutor;

// Rounds by the mode of this moment, computed by the unit (SSE or x87) that the type is computed
// in.
template <typename Real>
SB_NOINLINE Real RoundedSum() {
  volatile Real sum = 0;
  for (int i = 3; i < 20; ++i) {
    volatile Real divisor = static_cast<Real>(i);
    sum = sum + 1 / divisor;
  }
  return sum;
}

template <typename Real>
Real SumRoundedUp() {
  std::fesetround(FE_UPWARD);
  const Real sum = RoundedSum<Real>();
  std::fesetround(FE_TONEAREST);
  return sum;
}

TEST(MachineContext, KeepsTheRoundingModeOfEachFiber) {
  const auto sse_up = SumRoundedUp<double>();
  const auto x87_up = SumRoundedUp<long double>();
  ASSERT_NE(sse_up, RoundedSum<double>());
  ASSERT_NE(x87_up, RoundedSum<long double>());

  ManualExecutor executor;
  int wrong = 0;
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_UPWARD, FE_TONEAREST}) {
    Go(executor, [&, mode] {
      std::fesetround(mode);
      for (int i = 0; i < 10; ++i) {
        Yield();
        wrong += std::fegetround() == mode ? 0 : 1;
        wrong += (RoundedSum<double>() == sse_up) == (mode == FE_UPWARD) ? 0 : 1;
        wrong += (RoundedSum<long double>() == x87_up) == (mode == FE_UPWARD) ? 0 : 1;
      }
      std::fesetround(FE_TONEAREST);
    });
  }
  while (executor.RunNext()) {
    wrong += std::fegetround() == FE_TONEAREST ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(MachineContext, KeepsTheRoundingModeFromThreadToThread) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    std::atomic<int> wrong{0};
    for (int fiber = 0; fiber < 8; ++fiber) {
      Go(*scheduler, [&, mode = fiber % 2 == 0 ? FE_DOWNWARD : FE_TONEAREST] {
        std::fesetround(mode);
        for (int i = 0; i < 200; ++i) {
          Yield();
          wrong += std::fegetround() == mode ? 0 : 1;
        }
        std::fesetround(FE_TONEAREST);
      });
    }
    scheduler->WaitIdle();
    EXPECT_EQ(wrong, 0) << name;
  }
}

// More live values than there are registers of either kind, across a switch.
template <typename Between>
SB_NOINLINE double Mix(std::uint64_t seed, const Between& between) {
  std::uint64_t whole[20];
  double real[20];
  for (std::uint64_t i = 0; i < 20; ++i) {
    whole[i] = seed * 31 + i;
    real[i] = static_cast<double>(seed) / static_cast<double>(i + 1);
  }
  for (int turn = 0; turn < 3; ++turn) {
    between();
    for (std::size_t i = 1; i < 20; ++i) {
      whole[i] = whole[i] * 6364136223846793005U + whole[i - 1];
      real[i] = real[i] * 0.5 + real[i - 1];
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    sum += real[i] + static_cast<double>(whole[i] % 1000);
  }
  return sum;
}

TEST(MachineContext, KeepsTheValuesThatAFunctionHoldsInRegisters) {
  StackPool pool{StackConfig{}};
  tests::ServingExecutor served(pool);
  ManualExecutor hosted;
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto body = [&wrong, seed] {
      const double expected = Mix(seed, [] {});
      wrong += Mix(seed, &Yield) == expected ? 0 : 1;
    };
    Go(served, body);
    Go(hosted, body);
  }
  served.RunUntilEmpty();
  hosted.Drain();
  EXPECT_EQ(wrong, 0);
}

TEST(MachineContext, BeginsAFiberWithAnAlignedStack) {
  // An aligned store of 16 bytes faults otherwise; the compiler relies on the ABI's alignment.
  struct alignas(16) Block {
    volatile char bytes[16];
  };
  ManualExecutor executor;
  int misaligned = 0;
  for (int i = 0; i < 40; ++i) {  // more than there are colours of stack tops
    Go(executor, [&] {
      Block block;
      block.bytes[0] = 1;
      misaligned += reinterpret_cast<std::uintptr_t>(&block) % 16 == 0 ? 0 : 1;
      Yield();
    });
  }
  executor.Drain();
  EXPECT_EQ(misaligned, 0);
}

}  // namespace

}  // namespace schedbench::fibers::machine_context_test
