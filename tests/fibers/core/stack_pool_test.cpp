#include "fibers/core/stack_pool.hpp"

#include "config/field.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/memory/memory.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/fast/worker.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace schedbench::fibers::stack_pool_test {

namespace {

std::vector<FiberStack*> Take(StackPool& pool, std::size_t count) {
  std::vector<FiberStack*> taken(count);
  pool.Take(taken);
  return taken;
}

TEST(StackPool, MakesAsManyAsAreAskedForAndEachOnce) {
  StackPool pool{StackConfig{}};
  const auto taken = Take(pool, 200);
  EXPECT_EQ(taken.size(), 200U);
  EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), 200U);
  EXPECT_EQ(pool.Created(), 200U);
  pool.GiveBack(taken);
}

TEST(StackPool, CountsTheStacksThatItMadeAndTheBatchesThatWereTaken) {
  StackPool pool{StackConfig{}};
  const auto count = [&pool] {
    metrics::PoolMetrics metrics;
    pool.Count(metrics);
    return std::pair(metrics.stacks_made.Get(), metrics.stack_refills.Get());
  };
  EXPECT_EQ(count(), std::pair(std::uint64_t{0}, std::uint64_t{0}));
  pool.GiveBack(Take(pool, 16));
  EXPECT_EQ(count(), std::pair(std::uint64_t{16}, std::uint64_t{1}));
  pool.GiveBack(Take(pool, 16));
  EXPECT_EQ(count(), std::pair(std::uint64_t{16}, std::uint64_t{2}));
}

TEST(StackPool, ReusesWhatWasGivenBack) {
  StackPool pool{StackConfig{}};
  const auto first = Take(pool, 10);
  pool.GiveBack(first);
  const auto second = Take(pool, 10);
  EXPECT_EQ(std::set(first.begin(), first.end()), std::set(second.begin(), second.end()));
  EXPECT_EQ(pool.Created(), 10U);
  const auto more = Take(pool, 3);
  EXPECT_EQ(pool.Created(), 13U);
  pool.GiveBack(second);
  pool.GiveBack(more);
}

TEST(StackPool, KeepsStacksApartAndSpreadsTheirTopsOverCachesAndTlb) {
  StackConfig config;
  config.bytes.value = 16384;
  const std::uintptr_t stride = StackRegistry::StrideBytes(config.bytes);
  StackPool pool(config);
  const auto taken = Take(pool, 64);  // one slab: stack by stack
  std::set<std::uintptr_t> stacks;
  std::set<std::uintptr_t> tops;
  std::set<std::uintptr_t> tlb_sets;
  const auto first = reinterpret_cast<std::uintptr_t>(taken[0]);
  for (const FiberStack* fiber_stack : taken) {
    const auto address = reinterpret_cast<std::uintptr_t>(fiber_stack);
    EXPECT_EQ(address % 64, 0U) << "a header on two cache lines more than needed";
    // The first has no colour: none lies higher on its stack.
    const std::uintptr_t from_first = address - first + stride - 1;
    stacks.insert(from_first / stride);
    const std::uintptr_t colour = stride - 1 - from_first % stride;
    EXPECT_LT(colour, 4096U) << "not in the top page";
    tops.insert(colour);
    tlb_sets.insert(address / platform::kPageBytes % 16);
  }
  EXPECT_EQ(stacks.size(), taken.size());
  // Tops at the same place of each page would compete for the same cache sets.
  EXPECT_GE(tops.size(), 16U);
  // Low bits of the page number choose the set.
  EXPECT_EQ(tlb_sets.size(), 16U);
  pool.GiveBack(taken);
}

TEST(StackCache, TakesTheStackThatWasPutLast) {
  StackPool pool{StackConfig{}};
  StackCache cache(pool);
  FiberStack& first = cache.Take();
  FiberStack& second = cache.Take();
  cache.Put(first);
  cache.Put(second);
  EXPECT_EQ(&cache.Take(), &second);
  EXPECT_EQ(&cache.Take(), &first);
  cache.Put(first);
  cache.Put(second);
}

TEST(StackCache, TakesOneStackFirstAndThenAsManyAsItHasTakenUpToSixteen) {
  StackPool pool{StackConfig{}};
  StackCache cache(pool);
  std::vector<FiberStack*> taken;
  std::vector<std::size_t> created;
  for (int i = 0; i < 48; ++i) {
    taken.push_back(&cache.Take());
    if (created.empty() || created.back() != pool.Created()) {
      created.push_back(pool.Created());
    }
  }
  EXPECT_EQ(created, (std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 48}));
  for (FiberStack* const fiber_stack : taken) {
    cache.Put(*fiber_stack);
  }
}

TEST(StackCache, GivesBackWhatItHoldsAtItsEnd) {
  StackPool pool{StackConfig{}};
  {
    StackCache cache(pool);
    cache.Put(cache.Take());
  }
  const std::size_t created = pool.Created();
  pool.GiveBack(Take(pool, created));
  EXPECT_EQ(pool.Created(), created);
}

TEST(StackCache, LetsStacksFlowFromTheThreadThatEndsFibersToTheOneThatBeginsThem) {
  StackPool pool{StackConfig{}};
  StackCache begins(pool);
  StackCache ends(pool);
  for (int i = 0; i < 100000; ++i) {
    ends.Put(begins.Take());
  }
  // What both caches may hold, and a batch on the way.
  EXPECT_LE(pool.Created(), 2U * 64U + 16U);
}

TEST(StackCache, GivesAStackOfAnotherPoolBackToItsOwn) {
  StackPool home{StackConfig{}};
  StackPool other{StackConfig{}};
  const auto taken = Take(home, 1);
  {
    StackCache cache(other);
    cache.Put(*taken[0]);
  }
  EXPECT_EQ(Take(home, 1), taken);
  EXPECT_EQ(home.Created(), 1U);
  home.GiveBack(taken);
}

TEST(StackPool, StaysBoundedWhereFibersBeginAndEndOnDifferentWorkers) {
  schedulers::fast::FastConfig config;
  config.workers.value = 4;
  schedulers::fast::ThreadPool pool(config, tests::Seed());
  constexpr std::size_t kAlive = 200;
  for (int round = 0; round < tests::PlainOrSanitized(100, 20); ++round) {
    WaitGroup done;
    done.Add(kAlive);
    for (std::size_t i = 0; i < kAlive; ++i) {
      Go(pool, [&] {
        for (int yield = 0; yield < 5; ++yield) {
          Yield();
        }
        done.Done();
      });
    }
    done.Wait();
    pool.WaitIdle();
  }
  // All alive at once, and what four caches may hold.
  EXPECT_LE(pool.Stacks().Created(), kAlive + std::size_t{4} * (64 + 16));
}

TEST(StackPool, NeedsAHandfulOfStacksForAnyNumberOfFibersThatDoNotSuspend) {
  schedulers::fast::FastConfig config;
  config.workers.value = 1;
  schedulers::fast::ThreadPool pool(config, tests::Seed());
  WaitGroup done;
  constexpr std::size_t kFibers = tests::PlainOrSanitized<std::size_t>(100000, 20000);
  done.Add(kFibers);
  for (std::size_t i = 0; i < kFibers; ++i) {
    Go(pool, [&] { done.Done(); });
  }
  done.Wait();
  EXPECT_LE(pool.Stacks().Created(), 16U);
}

// One touched page would cost 2 MiB, and all that lie next to it with it.
TEST(StackPool, MakesNoHugePagesOfStacksThatAreHardlyUsed) {
  for (const StackGuard guard : {StackGuard::kAuto, StackGuard::kNone}) {
    StackConfig config;
    config.bytes.value = 65536;
    config.guard.value = guard;
    constexpr std::size_t kStacks = 4096;
    const std::uint64_t before = platform::ResidentBytes();
    StackPool pool(config);
    pool.GiveBack(Take(pool, kStacks));
    // A page each, for the header at the top; a sanitizer has its own costs, of which huge pages
    // would be 16 times.
    EXPECT_LT(platform::ResidentBytes() - before,
              tests::PlainOrSanitized<std::size_t>(2, 8) * kStacks * platform::kPageBytes);
  }
}

}  // namespace

}  // namespace schedbench::fibers::stack_pool_test
