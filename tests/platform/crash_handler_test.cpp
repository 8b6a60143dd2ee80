#include "platform/signals/crash_handler.hpp"

#include "base/attributes.hpp"
#include "platform/threads/thread.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace schedbench::platform::crash_handler_test {

namespace {

// Every death here is by abort(), which is ours in sanitized builds too.

void Die(CrashReporter narrate) {
  InstallCrashHandler(narrate, 70);
  SetReplayCommand("tool run --seed 3");
  std::abort();
}

void SayHello(RawWriter& out, const Crash& crash) noexcept {
  out << "  hello    signal " << static_cast<std::uint64_t>(crash.signal) << "\n";
}

class CrashHandlerDeathTest : public testing::Test {
 protected:
  CrashHandlerDeathTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(CrashHandlerDeathTest, WritesItsPartsInOrderAndEndsWithTheCode) {
  EXPECT_EXIT(Die(&SayHello), testing::ExitedWithCode(70),
              "crash: SIGABRT: abort\n  hello    signal 6\n  thread   .*\n"
              "  again    tool run --seed 3\n  calls\n    #0 ");
}

#if !defined(SB_TSAN)
void CrashInTurn(RawWriter& out, const Crash& /*crash*/) noexcept {
  out << "  before\n";
  out.Flush();
  std::abort();
}

// ThreadSanitizer blocks all signals in a handler, and abort() unblocks its own only in glibc
// before 2.41.
TEST_F(CrashHandlerDeathTest, ContinuesWithTheNextPartWhenOneCrashesInTurn) {
  EXPECT_EXIT(Die(&CrashInTurn), testing::ExitedWithCode(70),
              "  before\n  .this part of the report crashed: SIGABRT.*\n  thread   .*\n  again ");
}
#endif

TEST_F(CrashHandlerDeathTest, DoesWithoutANarrator) {
  EXPECT_EXIT(Die(nullptr), testing::ExitedWithCode(70), "abort\n  thread ");
}

TEST_F(CrashHandlerDeathTest, ReportsOnceWhenManyThreadsCrashAtATime) {
  const auto crash_everywhere = [] {
    InstallCrashHandler(nullptr, 70);
    std::vector<std::unique_ptr<Thread>> threads;
    for (int i = 0; i < 8; ++i) {
      threads.push_back(std::make_unique<Thread>("crashing", [] { std::abort(); }));
    }
    threads.clear();
  };
  EXPECT_EXIT(crash_everywhere(), testing::ExitedWithCode(70),
              "^crash: SIGABRT: abort\n  thread   crashing\n  calls\n(    .*\n)*$");
}

#if !defined(SB_ASAN) && !defined(SB_TSAN)

// The pipe is not read, and the process has its own handler of SIGALRM: the report waits forever.
void DieIntoAFullPipe() {
  ::signal(SIGALRM, SIG_IGN);
  sigset_t all;
  ::sigfillset(&all);
  ::sigdelset(&all, SIGABRT);  // abort() unblocks it only in glibc before 2.41
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  int ends[2];
  if (::pipe2(ends, O_NONBLOCK) == 0) {
    const char page[4096] = {};
    while (::write(ends[1], page, sizeof(page)) > 0) {
    }
    ::fcntl(ends[1], F_SETFL, 0);
    ::dup2(ends[1], STDERR_FILENO);
    Die(nullptr);
  }
}

// Takes as long as the handler waits for a reader: ten seconds.
TEST_F(CrashHandlerDeathTest, EndsTheProcessWhenTheReportIsNotRead) {
  EXPECT_EXIT(DieIntoAFullPipe(), testing::KilledBySignal(SIGALRM), "");
}

void UseUpTheSignalStack(RawWriter& out, const Crash& /*crash*/) noexcept {
  volatile char frame[1024 * 1024];
  frame[0] = 'x';
  out << (frame[0] == 'x' ? "" : "y");
}

TEST_F(CrashHandlerDeathTest, EndsTheProcessEvenWhenTheReportUsesUpItsStack) {
  EXPECT_EXIT(Die(&UseUpTheSignalStack), testing::ExitedWithCode(70),
              "crash: SIGABRT: abort\n  .this part of the report crashed: SIGSEGV.*\n  thread ");
}

#endif

}  // namespace

}  // namespace schedbench::platform::crash_handler_test
