#include "platform/process/guard.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace schedbench::platform::guard_test {

namespace {

// Runs a script with a stdin that has no writer, or one, and exits with its code, or 128 and its
// signal.
[[noreturn]] void ExitLike(const std::string& script, bool has_writer,
                           std::chrono::milliseconds patience) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0 || ::dup2(ends[0], STDIN_FILENO) < 0) {
    std::_Exit(1);
  }
  if (!has_writer) {
    ::close(ends[1]);
  }
  const ProcessEnd end = RunGuarded({"sh", "-c", script}, patience);
  std::_Exit(end.signal != 0 ? 128 + end.signal : end.code);
}

constexpr std::chrono::minutes kLong{10};
constexpr std::chrono::milliseconds kShort{50};

TEST(Guard, ReturnsHowTheProgramEnded) {
  EXPECT_EXIT(ExitLike("exit 5", true, kShort), testing::ExitedWithCode(5), "");
  EXPECT_EXIT(ExitLike("kill -11 $$", true, kShort), testing::ExitedWithCode(128 + SIGSEGV), "");
}

TEST(Guard, GivesAProgramTimeToEndAfterItsInput) {
  EXPECT_EXIT(ExitLike("cat; sleep 0.1; exit 6", false, kLong), testing::ExitedWithCode(6), "");
}

TEST(Guard, KillsAProgramAndItsChildrenIfItsInputHasEndedAndItDoesNot) {
  EXPECT_EXIT(ExitLike("sleep 600 & sleep 600", false, kShort),
              testing::ExitedWithCode(128 + SIGKILL), "");
}

TEST(Guard, KillsAProgramAtASignalToQuit) {
  EXPECT_EXIT(ExitLike("kill -TERM $PPID; sleep 600", true, kLong),
              testing::ExitedWithCode(128 + SIGKILL), "");
}

}  // namespace

}  // namespace schedbench::platform::guard_test
