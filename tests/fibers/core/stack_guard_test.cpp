// A stack that overflows must end the process, never spoil its neighbour. Sanitizers catch the
// signal themselves and report in their own way, so this is a matter of the other builds.
#include "base/attributes.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/stack_config.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/memory/memory.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <unistd.h>

namespace schedbench::fibers::stack_guard_test {

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
    // Neighbours on both sides, so that what lies below the guard page is another stack.
    WaitGroup neighbours;
    neighbours.Add(2);
    for (int i = 0; i < 2; ++i) {
      Go([&] { neighbours.Done(); });
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

// One frame larger than what is left of the stack and its guard page together. Touches its far end
// only.
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

constexpr int kFaultInGuard = 33;
constexpr int kFaultElsewhere = 34;

// Of the stack that overflows. Any memory access beyond it faults sooner or later: this reports
// whether it was the guard page that did it.
std::uintptr_t guard_page = 0;

void OnFault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  _exit(address - guard_page < platform::kPageBytes ? kFaultInGuard : kFaultElsewhere);
}

// Lets OnFault() run on a stack of its own, in the thread that calls.
void WatchGuardPage() {
  // A fiber stack lies in the top page of its stack, the guard is the lowest one.
  const auto top = reinterpret_cast<std::uintptr_t>(&FiberThread::Current()->Running());
  guard_page =
      top / platform::kPageBytes * platform::kPageBytes - (kStackBytes - platform::kPageBytes);
  static char fault_stack[65536];
  const stack_t stack{.ss_sp = fault_stack, .ss_flags = 0, .ss_size = sizeof(fault_stack)};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = &OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

void Overflow(const char* kind, void (*overflow)()) {
  RunInFiber(kind, [overflow] {
    WatchGuardPage();
    overflow();
  });
}

void ExpectDeathByGuard(const char* kind, void (*overflow)()) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (std::string(kind) == "madvise" && !KernelHasLightweightGuards()) {
    EXPECT_DEATH(Overflow(kind, overflow), "Linux 6.13");
  } else {
    EXPECT_EXIT(Overflow(kind, overflow), testing::ExitedWithCode(kFaultInGuard), "");
  }
}

using StackGuardDeathTest = StackGuardTest;

INSTANTIATE_TEST_SUITE_P(Kinds, StackGuardDeathTest, testing::Values("auto", "madvise", "mprotect"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

TEST_P(StackGuardDeathTest, EndsTheProcessWhenAFiberRecursesTooDeep) {
  ExpectDeathByGuard(GetParam(), [] { Recurse(1000); });
}

TEST_P(StackGuardDeathTest, EndsTheProcessWhenABigFrameWouldJumpOverIt) {
  ExpectDeathByGuard(GetParam(), [] { UseBigFrame(); });
}

TEST(StackGuardDeathTest, SaysHowToContinueWhenThereAreTooManyMprotectGuards) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto take_too_many = [] {
    StackConfig config;
    config.bytes.value = kStackBytes;
    config.guard.value = StackGuard::kMprotect;
    StackPool pool(config);
    std::vector<FiberStack*> taken(platform::MaxMappings());
    pool.Take(taken);
  };
  EXPECT_DEATH(take_too_many(), "no more guard pages after [0-9]+ fiber stacks: .*max_map_count");
}

#endif

}  // namespace

}  // namespace schedbench::fibers::stack_guard_test
