#include "base/attributes.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

// Crashes of the real tool: what it says and how it ends. Under a sanitizer bad accesses are the
// sanitizer's, whose own report and exit code stand for ours; what is the same is that the process
// ends, and with an error.

namespace schedbench::tests::crash_test {

namespace {

#if defined(SB_ASAN) || defined(SB_TSAN)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

constexpr int kBug = 70;

Finished Crash(const std::string& workload, const std::vector<std::string>& more = {}) {
  std::vector<std::string> command{CRASH_TOOL,  "run", "-s",        "fast", "--set",
                                   "workers=4", "-w",  workload,    "-n",   "1",
                                   "--warmup",  "0",   "--timeout", "20s"};
  if (!kIsSanitized) {
    command.insert(command.end(), {"--set", "stacks.bytes=16384"});
  }
  command.insert(command.end(), more.begin(), more.end());
  return Execute(command);
}

bool Has(const Finished& run, const std::string& text) {
  return run.error.find(text) != std::string::npos;
}

#define EXPECT_SAYS(run, text) \
  EXPECT_TRUE(Has(run, text)) << "no '" << (text) << "' in\n" << (run).error

// Our report with `text`; under a sanitizer only that the process does not end well: most signals
// are the sanitizer's, and what it makes of them is its own affair.
void ExpectReport(const Finished& run, const std::string& text) {
  if (kIsSanitized) {
    EXPECT_NE(run.code, 0);
    return;
  }
  EXPECT_EQ(run.code, kBug);
  EXPECT_SAYS(run, text);
}

// Under ThreadSanitizer a wild access of these kinds spins in its runtime and is ended by
// --timeout: not ours to test.
#if !defined(SB_TSAN)

// ---- Overflows: where it happens, how, and by which guard page it is noticed ----

struct Overflow {
  const char* workload;
  const char* culprit;
};

class OverflowTest : public testing::TestWithParam<std::tuple<Overflow, const char*, const char*>> {
};

INSTANTIATE_TEST_SUITE_P(
    Suite, OverflowTest,
    testing::Combine(testing::Values(Overflow{"recursion", "fiber"}, Overflow{"big_frame", "fiber"},
                                     Overflow{"huge_frame", "fiber"}, Overflow{"alloca", "fiber"},
                                     Overflow{"many_recursion", "fiber"},
                                     Overflow{"many_big_frame", "fiber"},
                                     Overflow{"hosted_recursion", "fiber"},
                                     Overflow{"hosted_big_frame", "fiber"},
                                     Overflow{"thread_recursion", "fiber"},
                                     Overflow{"thread_huge_frame", "fiber"},
                                     Overflow{"user_thread_recursion", "fiber"},
                                     Overflow{"task_recursion", "task"}),
                     testing::Values("auto", "mprotect"), testing::Values("fast", "global_fifo")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).workload) + "_" + std::get<1>(info.param) + "_" +
             std::get<2>(info.param);
    });

TEST_P(OverflowTest, IsReportedWithTheFiberItHappenedIn) {
  const auto& [overflow, guard, scheduler] = GetParam();
  const Finished run =
      Crash(overflow.workload, {"-s", scheduler, "--set", std::string("stacks.guard=") + guard});
  ExpectReport(run, overflow.culprit == std::string("task")
                        ? "stack overflow in a task that is not a fiber: its stack of "
                        : "stack overflow in fiber ");
  if (!kIsSanitized && overflow.culprit == std::string("fiber")) {
    EXPECT_SAYS(run, " 'unlucky': its stack of ");
    EXPECT_SAYS(run, "tests/cli/crash/tool.cpp:");
  }
}

#endif

TEST(Crash, OfAStackWithoutGuardIsNeverCalledAnOverflow) {
  const Finished run = Crash("recursion_into_a_locked_page", {"--set", "stacks.guard=none"});
  ExpectReport(run, "crash: SIG");
  EXPECT_FALSE(Has(run, "overflow in")) << run.error;
  if (!kIsSanitized) {
    EXPECT_FALSE(Has(run, "is used up")) << run.error;
  }
}

TEST(Crash, OfAThreadsOwnStackIsNotPutDownToAFiber) {
  const Finished run = Crash("no_fiber_recursion");
  ExpectReport(run, "the thread's own stack may be used up");
  if (!kIsSanitized) {
    EXPECT_SAYS(run, "running  no fiber");
    EXPECT_SAYS(run, "thread   harness");
  }
}

// ---- Other crashes ----

TEST(Crash, NamesSignalAddressFiberThreadAndTheCommandThatRepeatsIt) {
  const Finished run = Crash("read_null", {"--seed", "7"});
  ExpectReport(run, "crash: SIGSEGV at address 0x0: ");
  if (kIsSanitized) {
    return;
  }
  EXPECT_SAYS(run, "  what     a null pointer");
  EXPECT_SAYS(run, " 'unlucky', started at ");
  EXPECT_SAYS(run, "  thread   fast-");
  EXPECT_SAYS(
      run, std::string("  again    ") + CRASH_TOOL + " run -s fast --set workers=4 -w read_null");
  EXPECT_SAYS(run, " --seed 7\n");
  EXPECT_SAYS(run, "crash_tool+0x");
  EXPECT_SAYS(run, "names: addr2line -Cfipe ");
}

TEST(Crash, ReportsTheSeedThatWasDrawn) {
  const Finished run = Crash("abort");
  EXPECT_SAYS(run, " --seed ");
}

TEST(Crash, ThroughANullFunctionStillHasABacktrace) {
  const Finished run = Crash("call_null");
  ExpectReport(run, "a null pointer");
  if (!kIsSanitized) {
    EXPECT_SAYS(run, "#3 ");
  }
}

TEST(Crash, AtAnAddressThatTheCpuRefusesIsNotTakenForANullPointer) {
  const Finished run = Crash("write_beyond");
  ExpectReport(run, "crash: SIGSEGV: ");
  if (!kIsSanitized) {
    EXPECT_FALSE(Has(run, "null pointer")) << run.error;
  }
}

TEST(Crash, InTheGuardPageOfAnotherFiberIsABadPointerAndNoOverflow) {
  const Finished run = Crash("touch_guard");
  ExpectReport(run, "in the guard page of another stack");
  if (!kIsSanitized) {
    EXPECT_SAYS(run, ": a bad pointer");
    EXPECT_FALSE(Has(run, "overflow")) << run.error;
  }
}

TEST(Crash, OfArithmeticAndOfInstructionsIsReported) {
  ExpectReport(Crash("trap"), "crash: SIGILL at address 0x");
  ExpectReport(Crash("divide"), kIsSanitized ? "" : "crash: SIGFPE at address 0x");
}

TEST(Crash, ByASignalFromAnotherProcessHasNoAddress) {
  ExpectReport(Crash("signal"), "crash: SIGSEGV: ");
}

#if !defined(SB_TSAN)

TEST(Crash, ElsewhereInMemoryIsReportedToBeInNoStack) {
  ExpectReport(Crash("write_wild"), "the address is not in the stack of a fiber\n");
}

#endif

// The rest is ours under sanitizers as well: they leave SIGABRT alone.

TEST(FailedAssertion, EndsWithCode70AndAReport) {
  for (const char* workload : {"assertion", "no_fiber_assertion"}) {
    const Finished run = Crash(workload);
    EXPECT_EQ(run.code, kBug) << workload;
    EXPECT_SAYS(run, "tool.cpp:");
    EXPECT_SAYS(run, ": assertion failed: zero == 1 (numbers are broken)\ncrash: SIGABRT: abort\n");
    EXPECT_SAYS(run, "  again    ");
    EXPECT_SAYS(run, "#2 ");
  }
}

TEST(Terminate, EndsWithCode70AndAReportThatNamesTheFiber) {
  for (const char* workload : {"terminate", "abort"}) {
    const Finished run = Crash(workload);
    EXPECT_EQ(run.code, kBug) << workload;
    EXPECT_SAYS(run, " 'unlucky', started at ");
  }
}

}  // namespace

}  // namespace schedbench::tests::crash_test
