#include "fibers/core/stack_registry.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/diagnostics/fiber_facts.hpp"
#include "fibers/sched/go.hpp"
#include "platform/memory/memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace schedbench::fibers::stack_registry_test {

namespace {

std::uintptr_t AddressOf(const void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

StackConfig SmallStacks() {
  StackConfig config;
  config.bytes.value = 65536;
  return config;
}

TEST(StackRegistry, FindsTheStackOfEveryAddressInIt) {
  StackPool pool(SmallStacks());
  std::vector<FiberStack*> all(200);  // several slabs
  pool.Take(all);
  for (FiberStack* fiber_stack : all) {
    const StackSpot spot = StackRegistry::Find(AddressOf(fiber_stack));
    ASSERT_EQ(spot.bytes, 65536);
    EXPECT_EQ(spot.fiber_stack, fiber_stack);
    EXPECT_TRUE(spot.guarded);
    for (const std::uintptr_t inside : {spot.lowest, spot.lowest + 30000, spot.lowest + 65535}) {
      EXPECT_EQ(StackRegistry::Find(inside).fiber_stack, fiber_stack);
    }
    for (const std::uintptr_t between : {spot.lowest + 65536, spot.lowest + 65536 + 4095}) {
      EXPECT_FALSE(StackRegistry::Find(between).IsStack());
    }
  }
  pool.GiveBack(all);
}

TEST(StackRegistry, KnowsNothingOfOtherMemoryAndOfPoolsThatAreGone) {
  int local = 0;
  EXPECT_FALSE(StackRegistry::Find(AddressOf(&local)).IsStack());
  EXPECT_FALSE(StackRegistry::Find(0).IsStack());
  std::uintptr_t former = 0;
  {
    StackPool pool(SmallStacks());
    std::array<FiberStack*, 1> taken;
    pool.Take(taken);
    former = AddressOf(taken[0]);
    EXPECT_TRUE(StackRegistry::Find(former).IsStack());
    pool.GiveBack(taken);
  }
  EXPECT_FALSE(StackRegistry::Find(former).IsStack());
}

TEST(StackRegistry, CanBeReadWhilePoolsComeAndGo) {
  const auto count_fibers = [] {
    std::size_t fibers = 0;
    StackRegistry::ForEach(
        [&fibers](const StackSpot& stack) { fibers += FiberFacts::Of(stack).IsFiber() ? 1 : 0; });
    return fibers;
  };
  // Pools that other tests keep have their fibers; the pools below have none.
  const std::size_t before = count_fibers();
  std::atomic<bool> over{false};
  std::thread reader([&] {
    std::size_t least = before, most = before;
    while (!over) {
      const std::size_t now = count_fibers();
      least = std::min(least, now);
      most = std::max(most, now);
    }
    EXPECT_EQ(least, before);
    EXPECT_EQ(most, before);
  });
  for (int i = 0; i < 200; ++i) {
    StackPool pool(SmallStacks());
    std::array<FiberStack*, 3> taken;
    pool.Take(taken);
    pool.GiveBack(taken);
  }
  over = true;
  reader.join();
}

TEST(FiberFacts, ContainNumberNamePlaceAndWhatASuspendedFiberWaitsFor) {
  executors::ManualExecutor executor;
  FiberHandle handle;
  int object = 0;
  std::uint64_t id = 0;
  FiberStack* fiber_stack = nullptr;
  const int line = __LINE__ + 1;
  Go(executor,
     [&] {
       id = CurrentFiberId();
       fiber_stack = &FiberThread::Current()->Running();
       FiberHandle* const to = &handle;
       Suspend([to](FiberHandle fiber) { *to = std::move(fiber); },
               {.kind = WaitKind::kReceive, .object = &object}, to);
     },
     {.name = "a name that is longer than what a report has room for, by far"});
  executor.Drain();
  const StackSpot stack = StackRegistry::Find(AddressOf(fiber_stack));
  const FiberFacts suspended = FiberFacts::Of(stack);
  EXPECT_EQ(suspended.id, id);
  EXPECT_EQ(suspended.Name(), "a name that is longer than what a report has ro");
  EXPECT_EQ(suspended.line, line);
  EXPECT_TRUE(std::string(suspended.file).ends_with("stack_registry_test.cpp"));
  EXPECT_EQ(suspended.waiting, (Waiting{.kind = WaitKind::kReceive, .object = &object}));
  handle.Schedule();
  EXPECT_EQ(FiberFacts::Of(stack).waiting, Waiting{}) << "ready: it waits for nothing any more";
  executor.Drain();
  EXPECT_FALSE(FiberFacts::Of(stack).IsFiber());
}

TEST(FiberCount, CountsWhatStartedBeganAndEnded) {
  executors::ManualExecutor executor;
  FiberHandle handle;
  const FiberCount before = FiberCount::Now();
  for (int i = 0; i < 3; ++i) {
    Go(executor, [] {});
  }
  FiberHandle* const to = &handle;
  Go(executor, [to] { Suspend([to](FiberHandle fiber) { *to = std::move(fiber); }); });
  const FiberCount started = FiberCount::Now();
  EXPECT_EQ(started.Unfinished() - before.Unfinished(), 4);
  EXPECT_EQ(started.NeverBegun() - before.NeverBegun(), 4);
  executor.Drain();
  const FiberCount suspended = FiberCount::Now();
  EXPECT_EQ(suspended.Unfinished() - before.Unfinished(), 1);
  EXPECT_EQ(suspended.NeverBegun(), before.NeverBegun());
  handle.Schedule();
  executor.Drain();
  EXPECT_EQ(FiberCount::Now().Unfinished(), before.Unfinished());
}

TEST(FiberCount, DoesNotForgetWhatEndedOnAPoolThatIsGone) {
  const std::uint64_t before = FiberCount::Now().Unfinished();
  std::thread([] {
    executors::ManualExecutor executor;
    Go(executor, [] {});
    executor.Drain();
  }).join();
  EXPECT_EQ(FiberCount::Now().Unfinished(), before);
}

}  // namespace

}  // namespace schedbench::fibers::stack_registry_test
