#include "history/program.hpp"

#include <gtest/gtest.h>

#include <string>
#include <system_error>
#include <vector>

namespace schedbench::history::tests {

namespace {

bool NeverCancelled() {
  return false;
}

ProgramEnd Shell(const std::string& script) {
  return RunProgram({"sh", "-c", script}, &NeverCancelled);
}

TEST(Program, ReportsItsLinesItsErrorsAndHowItEnded) {
  const ProgramEnd end = Shell("echo one; echo two; echo wrong >&2; exit 3");
  EXPECT_EQ(end.lines, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(end.error, "wrong\n");
  EXPECT_FALSE(end.good);
  EXPECT_EQ(end.text, "exit code 3");
  EXPECT_TRUE(Shell("true").good);
}

TEST(Program, IsWaitedForAfterItHasClosedItsOutput) {
  EXPECT_EQ(Shell("exec >&- 2>&-; sleep 0.2; exit 4").text, "exit code 4");
}

TEST(Program, IsKilledIfItIsCancelled) {
  int asked = 0;
  const auto after_some = [&asked] { return ++asked > 3; };
  EXPECT_THROW(RunProgram({"sleep", "100"}, after_some), Cancelled);
  asked = 0;
  EXPECT_THROW(RunProgram({"sh", "-c", "exec >&- 2>&-; sleep 100"}, after_some), Cancelled);
}

TEST(Program, ThrowsIfThereIsNone) {
  EXPECT_THROW(RunProgram({"/no/such/program"}, &NeverCancelled), std::system_error);
}

}  // namespace

}  // namespace schedbench::history::tests
