#include "platform/process/child_process.hpp"

#include "platform/files/file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace schedbench::platform::child_process_test {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using Read = ChildProcess::Read;

std::vector<std::string> Shell(const std::string& script) {
  return {"sh", "-c", script};
}

// Whether a process has ended and its exit status has not been read.
bool IsZombie(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find(") Z ") != std::string::npos;
}

class ChildProcessTest : public testing::Test {
 protected:
  ChildProcessTest() {
    IgnoreWriteSignals();
  }

  std::string line_;
};

TEST_F(ChildProcessTest, AnswersLineByLine) {
  ChildProcess cat({"cat"});
  for (const std::string text : {"one", "", "three"}) {
    ASSERT_TRUE(cat.WriteLine(text));
    ASSERT_EQ(cat.ReadLine(line_, minutes(1)), Read::kLine);
    EXPECT_EQ(line_, text);
  }
  const ProcessEnd end = cat.Finish(minutes(1));
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.signal, 0);
}

TEST_F(ChildProcessTest, GivesLinesThatCameTogetherOneByOneAndNoneThatHasNoEnd) {
  ChildProcess child(Shell("printf 'a\\nb\\nc'"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  EXPECT_EQ(line_, "a");
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  EXPECT_EQ(line_, "b");
  EXPECT_EQ(child.ReadLine(line_, minutes(1)), Read::kEnd);
}

TEST_F(ChildProcessTest, SaysHowItEnded) {
  ChildProcess child(Shell("exit 4"));
  EXPECT_EQ(child.ReadLine(line_, minutes(1)), Read::kEnd);
  EXPECT_EQ(child.Finish(minutes(1)).Text(), "exit code 4");
  ChildProcess killed(Shell("kill -9 $$"));
  EXPECT_EQ(killed.ReadLine(line_, minutes(1)), Read::kEnd);
  EXPECT_EQ(killed.Finish(minutes(1)).Text(), "signal 9 (Killed)");
}

TEST_F(ChildProcessTest, MayEndItsStreamsBeforeItEnds) {
  ChildProcess child(Shell("exec 2>&-; read line"), {.lines = ChildProcess::Lines::kOfStderr});
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kEnd);
  EXPECT_FALSE(child.HasEnded());
  child.Finish(minutes(1));
  ChildProcess other(Shell("exit 0"));
  while (!other.HasEnded()) {
    std::this_thread::yield();
  }
  EXPECT_EQ(other.Finish(minutes(1)).code, 0);
}

TEST_F(ChildProcessTest, TimesOutWhereNothingComesAndMayBeAskedAgain) {
  ChildProcess child(Shell("read x; echo $x"));
  EXPECT_EQ(child.ReadLine(line_, milliseconds(20)), Read::kTimeout);
  EXPECT_TRUE(child.WriteLine("late"));
  EXPECT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  EXPECT_EQ(line_, "late");
}

TEST_F(ChildProcessTest, KillsAProcessThatDoesNotEndWithItsInputInTime) {
  // What is tested: a program that sleeps on although its stdin has ended.
  ChildProcess child(Shell("sleep 1000"));
  EXPECT_EQ(child.Finish(milliseconds(20)).signal, SIGKILL);
  // Its streams are closed, so that nothing there shows its end.
  ChildProcess silent(Shell("exec >&- 2>&-; exec sleep 1000"));
  EXPECT_EQ(silent.ReadLine(line_, minutes(1)), Read::kEnd);
  EXPECT_EQ(silent.Finish(milliseconds(20)).signal, SIGKILL);
}

TEST_F(ChildProcessTest, TakesWhatItLeftBehindWithIt) {
  ChildProcess child(Shell("sleep 1000 & echo $!; exit 3"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  const pid_t left = std::stoi(line_);
  EXPECT_EQ(child.Finish(milliseconds(500)).Text(), "exit code 3");
  // No thread of this process waits for it: it is gone as soon as init has.
  while (::kill(left, 0) == 0 && !IsZombie(left)) {
    std::this_thread::yield();
  }
}

TEST_F(ChildProcessTest, KillsWhatItStartedInOtherSessionsBeforeOrAfterItsEnd) {
  const ChildProcess::Options all{.reach = Reach::kDescendants};
  // The middle shell ends, so that nothing but the guard is a parent of the sleepers.
  const std::string sleepers =
      "for i in 1 2 3; do (setsid sh -c 'sleep 1000 & echo $!; echo $$; wait' &); done; ";
  for (const std::string last : {"read line", "read line; exec >&- 2>&-; sleep 1000"}) {
    ChildProcess child(Shell(sleepers + last), all);
    std::vector<pid_t> left;
    while (left.size() < 6) {
      ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
      left.push_back(std::stoi(line_));
    }
    child.Finish(milliseconds(last == "read line" ? 60'000 : 20));
    for (const pid_t pid : left) {
      EXPECT_EQ(::kill(pid, 0), -1) << pid;
    }
  }
}

TEST_F(ChildProcessTest, StartsOrIsRefusedAtAnyLimitOfDescriptors) {
  static_cast<void>(std::generic_category().message(0));  // so that UBSan knows this class before
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int first_free = ::dup(STDERR_FILENO);
  ::close(first_free);
  int refused = 0;
  for (rlim_t more = 0; more < 20; ++more) {
    const rlimit limit{.rlim_cur = static_cast<rlim_t>(first_free) + more,
                       .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    try {
      ChildProcess child(Shell("read line; exit 3"));
      EXPECT_EQ(child.Finish(minutes(1)).Text(), "exit code 3") << more;
    } catch (const std::system_error& error) {
      ::setrlimit(RLIMIT_NOFILE, &before);  // UBSan looks at the class of an error through a pipe
      EXPECT_EQ(error.code().value(), EMFILE) << more;
      ++refused;
    }
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 20);
}

TEST_F(ChildProcessTest, EndsAlsoWhereSomethingKilledItsGuard) {
  ChildProcess child(Shell("echo $PPID; sleep 1000 & echo $!; wait"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  ASSERT_EQ(::kill(std::stoi(line_), SIGKILL), 0);
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  const pid_t left = std::stoi(line_);
  EXPECT_EQ(child.Finish(milliseconds(20)).signal, SIGKILL);
  while (::kill(left, 0) == 0 && !IsZombie(left)) {
    std::this_thread::yield();
  }
}

TEST_F(ChildProcessTest, LeavesWhatItStartedInOtherSessionsIfItIsToKillTheGroupAlone) {
  ChildProcess child(Shell("setsid sh -c 'echo $$; exec >&- 2>&- sleep 1000' & wait"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  const pid_t left = std::stoi(line_);
  EXPECT_EQ(child.Finish(milliseconds(20)).signal, SIGKILL);
  EXPECT_EQ(::kill(left, SIGKILL), 0);
}

TEST_F(ChildProcessTest, ReadsErrorsInTheMeantimeSoThatTheProcessDoesNotBlockOnThem) {
  // More than a pipe holds, before the answer.
  ChildProcess child(Shell("yes error | head -c 300000 >&2; echo last words >&2; echo done"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  EXPECT_EQ(line_, "done");
  child.Finish(minutes(1));
  EXPECT_TRUE(child.ErrorText().ends_with("last words\n"));
  EXPECT_LE(child.ErrorText().size(), 4096U);
}

TEST_F(ChildProcessTest, ReportsThatItsOutputIsNotRead) {
  ChildProcess child(Shell("exec <&-; echo deaf; exec sleep 1000"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  EXPECT_FALSE(child.WriteLine("this is not read"));
  EXPECT_FALSE(child.WriteLine("nor this"));
}

TEST_F(ChildProcessTest, HasItsOwnStreamsWhereOthersAreAlive) {
  ChildProcess first({"cat"});
  ChildProcess second({"cat"});
  // The second has not inherited the first one's stdin, so that it ends when we close it.
  EXPECT_EQ(first.Finish(minutes(1)).Text(), "exit code 0");
  EXPECT_TRUE(second.WriteLine("still here"));
  EXPECT_EQ(second.ReadLine(line_, minutes(1)), Read::kLine);
}

TEST_F(ChildProcessTest, HasAProcessGroupOfItsOwn) {
  ChildProcess child(Shell("cut -d' ' -f5 /proc/$$/stat; echo $$"));
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  const std::string group = line_;
  ASSERT_EQ(child.ReadLine(line_, minutes(1)), Read::kLine);
  EXPECT_EQ(group, line_);
}

TEST_F(ChildProcessTest, EndsALineThatIsTooLong) {
  ChildProcess child(Shell("yes | tr -d '\\n'"));
  EXPECT_EQ(child.ReadLine(line_, minutes(1)), Read::kTooLong);
}

TEST_F(ChildProcessTest, SaysThatThereIsNoSuchProgram) {
  try {
    const ChildProcess child({"/no/such/program"});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string(error.what()).find("/no/such/program"), std::string::npos);
  }
}

}  // namespace

}  // namespace schedbench::platform::child_process_test
