// A stack that overflows must end the process, never spoil its neighbour. Sanitizers catch the signal
// themselves and report in their own way, so this is a matter of the other builds.
#include "fibers/core/stack_config.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/memory.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <string>

namespace schedbench::fibers {

namespace {

constexpr std::uint64_t kStackBytes = 16384;

// Calls itself until the stack is used up. Small frames, which cannot miss a page.
SB_NOINLINE std::size_t Recurse(std::size_t depth) {
  volatile char frame[256];
  frame[0] = static_cast<char>(depth);
  if (depth == 0) {
    return 0;
  }
  return Recurse(depth - 1) + static_cast<std::size_t>(frame[0] != 0 ? 1 : 0);
}

template <typename Body>
void RunInFiber(const std::string& guard, Body body) {
  const auto scheduler =
      tests::MakeScheduler("fast", 1, {{"stacks.bytes", kStackBytes}, {"stacks.guard", guard}});
  Go(*scheduler, [&] {
    // Neighbours on both sides, so that what lies below the guard page is somebody's stack.
    WaitGroup neighbours;
    neighbours.Add(2);
    for (int i = 0; i < 2; ++i) {
      Go([&] {
        neighbours.Done();
      });
    }
    neighbours.Wait();
    body();
  });
  scheduler->WaitIdle();
}

class StackGuardTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kinds, StackGuardTest, testing::Values("auto", "madvise", "mprotect"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

TEST_P(StackGuardTest, LetsAFiberUseItsWholeStack) {
  int result = 0;
  RunInFiber(GetParam(), [&] {
    // 16 KiB less the guard page and the header, in frames of some 300 bytes.
    result = static_cast<int>(Recurse(20));
  });
  EXPECT_GT(result, 0);
}

#if !defined(SB_ASAN) && !defined(SB_TSAN)

// One frame larger than what is left of the stack and its guard page together. Touches its far end only.
SB_NOINLINE char UseBigFrame() {
  volatile char frame[20 * 1024];
  frame[0] = 1;
  return frame[0];
}

// Whether the kernel has MADV_GUARD_INSTALL; without it the kind "madvise" refuses to run at all.
bool KernelHasLightweightGuards() {
  void* page = platform::ReserveMemory(platform::kPageBytes);
  const bool has = platform::InstallGuard(page, platform::GuardKind::kLightweight);
  platform::ReleaseMemory(page, platform::kPageBytes);
  return has;
}

void ExpectDeathByGuard(const char* kind, void (*overflow)()) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (std::string(kind) == "madvise" && !KernelHasLightweightGuards()) {
    EXPECT_DEATH(RunInFiber(kind, overflow), "Linux 6.13");
  } else {
    EXPECT_EXIT(RunInFiber(kind, overflow), testing::KilledBySignal(SIGSEGV), "");
  }
}

using StackGuardDeathTest = StackGuardTest;

INSTANTIATE_TEST_SUITE_P(Kinds, StackGuardDeathTest, testing::Values("auto", "madvise", "mprotect"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

TEST_P(StackGuardDeathTest, EndsTheProcessWhenAFiberRecursesTooDeep) {
  ExpectDeathByGuard(GetParam(), [] {
    Recurse(1000);
  });
}

TEST_P(StackGuardDeathTest, EndsTheProcessWhenABigFrameWouldJumpOverIt) {
  ExpectDeathByGuard(GetParam(), [] {
    UseBigFrame();
  });
}

TEST(StackGuardDeathTest, TellsHowToGoOnWhenThereAreTooManyMprotectGuards) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto take_too_many = [] {
    StackConfig config;
    config.bytes.value = kStackBytes;
    config.guard.value = StackGuard::kMprotect;
    StackPool pool(config);
    pool.Take(platform::MaxMappings());
  };
  EXPECT_DEATH(take_too_many(), "no more guard pages after [0-9]+ fiber stacks: .*max_map_count");
}

#endif

}  // namespace

}  // namespace schedbench::fibers
