#include "base/atomic.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace schedbench::atomic_test {

namespace {

TEST(Atomic, DoesWhatItsMethodsSay) {
  Atomic<std::uint32_t> number{5};
  EXPECT_EQ(number.Load(memory_order_acquire), 5U);
  number.Store(6, memory_order_release);
  EXPECT_EQ(number.Exchange(7, memory_order_acq_rel), 6U);
  EXPECT_EQ(number.FetchAdd(3, memory_order_relaxed), 7U);
  EXPECT_EQ(number.FetchSub(2, memory_order_relaxed), 10U);
  EXPECT_EQ(number.FetchOr(0x10, memory_order_relaxed), 8U);
  EXPECT_EQ(number.FetchAnd(0x18, memory_order_relaxed), 0x18U);
  EXPECT_EQ(number.Load(memory_order_seq_cst), 0x18U);
}

TEST(Atomic, ReportsTheValueThatWasThereWhenAnExchangeFails) {
  Atomic<std::uint64_t> number{1};
  std::uint64_t expected = 2;
  EXPECT_FALSE(number.CompareExchange(expected, 3, memory_order_acq_rel, memory_order_acquire));
  EXPECT_EQ(expected, 1U);
  EXPECT_TRUE(number.CompareExchange(expected, 3, memory_order_acq_rel, memory_order_acquire));
  EXPECT_EQ(number.Load(memory_order_relaxed), 3U);
  expected = 3;
  while (!number.CompareExchangeWeak(expected, 4, memory_order_relaxed, memory_order_relaxed)) {
  }
  EXPECT_EQ(number.Load(memory_order_relaxed), 4U);
}

TEST(Atomic, BeginsWithZeroAndHoldsPointersToo) {
  const Atomic<std::uint32_t> number;
  EXPECT_EQ(number.Load(memory_order_relaxed), 0U);
  int target = 0;
  Atomic<int*> pointer;
  EXPECT_EQ(pointer.Load(memory_order_relaxed), nullptr);
  EXPECT_EQ(pointer.Exchange(&target, memory_order_relaxed), nullptr);
  EXPECT_EQ(pointer.Load(memory_order_relaxed), &target);
}

TEST(Atomic, GivesTheAddressOfItsWord) {
  Atomic<std::uint32_t> word{0x01020304};
  EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(&word.Value()), 0x01020304U);
  EXPECT_EQ(sizeof(word), sizeof(std::uint32_t));
}

TEST(Atomic, LosesNoAdditionOfSeveralThreads) {
  Atomic<std::uint64_t> number{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int add = 0; add < 10000; ++add) {
          number.FetchAdd(1, memory_order_relaxed);
        }
      });
    }
  }
  EXPECT_EQ(number.Load(memory_order_relaxed), 40000U);
}

TEST(Cell, HoldsAValueThatCanOnlyBeMoved) {
  Cell<std::unique_ptr<int>> cell;
  EXPECT_EQ(cell.Read(), nullptr);
  cell.Write(std::make_unique<int>(7));
  EXPECT_EQ(*cell.Read(), 7);
  const Cell<int> number(3);
  EXPECT_EQ(number.Read(), 3);
}

}  // namespace

}  // namespace schedbench::atomic_test
