#include "tests/cli/process.hpp"
#include "tests/cli/terminal_process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace schedbench::tests::top_test {

namespace {

// What xterm gets to leave a full screen.
constexpr const char* kLeave = "\033[?1049l";

std::vector<std::string> Top(std::vector<std::string> more = {}) {
  std::vector<std::string> words{"top",   "-s",     "fast", "--workers",  "2",   "-w",
                                 "yield", "--seed", "1",    "--interval", "20ms"};
  words.insert(words.end(), more.begin(), more.end());
  return SchedbenchCommand(words);
}

// A program that writes what the runtime of Go does, with a line of its own, and waits for its end
// of input if it is to.
std::vector<std::string> TopOfScript(const std::string& end, std::vector<std::string> flags) {
  const std::string script =
      "printf 'SCHED 0ms: gomaxprocs=1 idleprocs=0 threads=4 spinningthreads=0 idlethreads=1 "
      "runqueue=3\\n  P0: status=1 schedtick=10 syscalltick=1 m=0 runqsize=2\\nown line\\n"
      "SCHED 500ms: gomaxprocs=1 idleprocs=0 threads=4 spinningthreads=0 idlethreads=1 "
      "runqueue=3\\n"
      "  P0: status=1 schedtick=20 syscalltick=1 m=0 runqsize=2\\n  G1: status=1() m=-1\\n' >&2; " +
      end;
  std::vector<std::string> words{"top", "--go"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"--", "sh", "-c", script});
  return SchedbenchCommand(words);
}

TEST(Top, OncePrintsOneSnapshotWithARowForEachWorker) {
  const Finished run = Execute(Top({"--once"}), {.environment = {{"LC_ALL", "C"}}});
  EXPECT_EQ(run.code, 0) << run.error;
  const std::string masked = std::regex_replace(run.out, std::regex("[0-9]+(\\.[0-9]+)?"), "N");
  EXPECT_TRUE(masked.starts_with("fast, yield   N s\nworkers N   idle N   searching N   threads N"))
      << masked;
  EXPECT_NE(masked.find("\nfibers: waiting N   runnable N   executing N\n"), std::string::npos);
  EXPECT_NE(run.out.find("\n0  "), std::string::npos);
  EXPECT_NE(run.out.find("\n1  "), std::string::npos);
  EXPECT_EQ(run.out.find('\033'), std::string::npos);
}

TEST(Top, OnceIsAnErrorIfTheRoundsEndBeforeASnapshot) {
  const Finished run = Schedbench({"top", "--once", "--interval", "1h", "-n", "1", "-w",
                                   "yield:fibers=1,yields=1", "--seed", "1"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.error.find("shorten --interval"), std::string::npos) << run.error;
}

TEST(Top, WithoutATerminalNamesOnce) {
  const Finished run = Execute(Top());
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("--once"), std::string::npos) << run.error;
}

TEST(Top, RefusesAProgramWithoutGoAndGoWithoutAProgram) {
  EXPECT_EQ(Schedbench({"top", "--once", "--", "ls"}).code, 2);
  EXPECT_EQ(Schedbench({"top", "--once", "--go"}).code, 2);
  const Finished run = Schedbench({"top", "--once", "--go", "-w", "yield", "--", "ls"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("--workload   has no effect"), std::string::npos) << run.error;
}

TEST(Top, RefusesAnIntervalThatGoWouldIgnore) {
  const Finished run = Schedbench({"top", "--once", "--go", "--interval", "600h", "--", "ls"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("--interval   with --go: at most 596h"), std::string::npos) << run.error;
}

TEST(Top, SaysThatAGoProgramCannotBeStarted) {
  const Finished run = Schedbench({"top", "--once", "--go", "--", "/no/such/program"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("error: the program cannot be started\n"), std::string::npos)
      << run.error;
}

TEST(Top, OncePrintsASnapshotOfAGoProgramAndPassesItsOtherLinesOn) {
  const Finished run = Execute(TopOfScript("cat", {"--once"}));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("gomaxprocs 1   idle 0   searching 0   threads 4   global queue 3"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("goroutines: waiting 0   runnable 1"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("switches/s 20.0"), std::string::npos) << run.out;
  EXPECT_NE(run.error.find("own line\n"), std::string::npos);
}

TEST(Top, OnceOfGoEndsIfTheProgramEndsAndAnotherProcessHoldsItsStderr) {
  const Finished run = Execute(TopOfScript("sleep 600 & exit 3", {"--once", "--interval", "1h"}));
  EXPECT_EQ(run.code, 0) << run.error;
  const Finished silent =
      Schedbench({"top", "--go", "--once", "--", "sh", "-c", "sleep 600 & exit 3"});
  EXPECT_EQ(silent.code, 2);
  EXPECT_NE(silent.error.find("exit code 3"), std::string::npos) << silent.error;
}

TEST(Top, OnceOfGoEndsAfterItsTimeoutIfTheProgramReportsNothing) {
  const Finished run =
      Schedbench({"top", "--go", "--once", "--timeout", "1s", "--", "sh", "-c", "sleep 600"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("error: no snapshot for 1 s (--timeout)"), std::string::npos)
      << run.error;
}

TEST(Top, RefusesATimeoutOfGoWithoutOnce) {
  const Finished run = Schedbench({"top", "--go", "--timeout", "1s", "--", "ls"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("--timeout   has no effect"), std::string::npos) << run.error;
}

// A stand-in for the go command, which runs what follows -exec.
TEST(Top, GivesTheVariableOfGoRunToTheProgramAlone) {
  const std::string folder = testing::TempDir() + "top_go_" + std::to_string(::getpid());
  const Finished run =
      Execute({"sh", "-c",
               "mkdir -p " + folder +
                   "; printf '%s\\n' '#!/bin/sh' "
                   "'echo \"go: ${GODEBUG:-none} $1 $2 $4\" >&2; exec $3 sh -c \"echo program: "
                   "\\$GODEBUG >&2\"' >" +
                   folder + "/go; chmod +x " + folder + "/go; exec \"$0\" top --go --once " +
                   folder + "/go run main.go",
               SchedbenchCommand({}).front()});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("go: none run -exec main.go\n"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("program: schedtrace=500,scheddetail=1\n"), std::string::npos)
      << run.error;
}

// The program is what `top` leaves behind if SIGKILL ends it: its file of its own pid must name no
// process soon.
TEST(Top, AProgramOfGoEndsWithAKilledTop) {
  const std::string pids = testing::TempDir() + "top_pids_" + std::to_string(::getpid());
  const Finished run =
      Execute({"sh", "-c",
               "\"$0\" top --go --once --timeout 0 -- sh -c 'echo $$ >" + pids +
                   "; sleep 600' & top=$!; until [ -s " + pids +
                   " ]; do sleep 0.05; done; kill -9 $top; read pid <" + pids +
                   "; for i in $(seq 100); do case $(cut -d\" \" -f3 /proc/$pid/stat 2>/dev/null) "
                   "in Z|\"\") exit 0;; esac; sleep 0.1; done; "
                   "exit 1",
               SchedbenchCommand({}).front()});
  EXPECT_EQ(run.code, 0) << "the program lives on";
}

TEST(Top, AProgramThatWritesNoTraceIsAnErrorWithItsExitCode) {
  const Finished run = Schedbench({"top", "--go", "--once", "--", "sh", "-c", "exit 3"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("exit code 3"), std::string::npos) << run.error;
}

class TopOnTerminal : public testing::Test {
 protected:
  void SetUp() override {
    SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  }
};

// The terminal is as it was before the program: its mode, and the screen that it had.
void ExpectRestored(TerminalProcess& process) {
  EXPECT_TRUE(process.ModeIsRestored());
  EXPECT_NE(process.Text().rfind(kLeave), std::string::npos);
}

TEST_F(TopOnTerminal, KeysPauseAndSortAndQuitAndTheTerminalIsRestored) {
  TerminalProcess process(Top());
  ASSERT_TRUE(process.WaitFor("switches/s"));
  process.Type("p");
  ASSERT_TRUE(process.WaitFor("paused"));
  process.Type("s");
  ASSERT_TRUE(process.WaitFor("queue"));
  process.Type("q");
  EXPECT_EQ(process.Finish(), 0);
  ExpectRestored(process);
}

TEST_F(TopOnTerminal, IsRestoredAfterCtrlCAndSignals) {
  for (const int signal : {0, SIGINT, SIGTERM, SIGHUP}) {
    TerminalProcess process(Top());
    ASSERT_TRUE(process.WaitFor("switches/s"));
    if (signal == 0) {
      process.Type("\x03");
    } else {
      process.Signal(signal);
    }
    EXPECT_EQ(process.Finish(), 130);
    ExpectRestored(process);
  }
}

TEST_F(TopOnTerminal, IsRestoredBeforeSigquitEndsTheProcess) {
  TerminalProcess process(Top());
  ASSERT_TRUE(process.WaitFor("switches/s"));
  process.Signal(SIGQUIT);
  EXPECT_EQ(process.Finish(), 1000 + SIGQUIT);
  ExpectRestored(process);
}

TEST_F(TopOnTerminal, ANewSizeIsDrawnAndASmallOneSaysSo) {
  TerminalProcess process(Top());
  ASSERT_TRUE(process.WaitFor("switches/s"));
  process.Resize(5, 20);
  ASSERT_TRUE(process.WaitFor("too small"));
  process.Resize(30, 100);
  ASSERT_TRUE(process.WaitFor("q quit"));
  process.Type("q");
  EXPECT_EQ(process.Finish(), 0);
}

TEST_F(TopOnTerminal, ACrashAndAFailedAssertionAreReportedOnTheRestoredScreen) {
  const std::vector<std::pair<std::string, std::string>> crashes{
      {"abort", "crash: SIGABRT"},
      {"assertion", "assertion failed"},
      {"no_fiber_assertion", "assertion failed"}};
  for (const auto& [workload, report] : crashes) {
    TerminalProcess process({CRASH_TOOL, "top", "-w", workload, "--interval", "20ms"});
    EXPECT_EQ(process.Finish(), 70);
    ExpectRestored(process);
    const std::string text = process.Text();
    EXPECT_NE(text.find(report, text.find(kLeave)), std::string::npos) << text;
  }
}

TEST_F(TopOnTerminal, AHangIsReportedOnTheRestoredScreen) {
  TerminalProcess process({HANG_TOOL, "top", "-w", "self_lock", "--timeout", "500ms"});
  EXPECT_EQ(process.Finish(), 4);
  ExpectRestored(process);
  EXPECT_NE(process.Text().find("DEADLOCK", process.Text().find(kLeave)), std::string::npos)
      << process.Text();
}

TEST_F(TopOnTerminal, TheEndOfAGoProgramRestoresTheTerminalAndReportsItsCode) {
  TerminalProcess process(TopOfScript("exit 7", {}));
  EXPECT_EQ(process.Finish(), 0);
  ExpectRestored(process);
  EXPECT_NE(process.Text().find("exit code 7"), std::string::npos);
}

TEST_F(TopOnTerminal, ALineOfTheGoProgramIsShownAndQEndsTheProgram) {
  TerminalProcess process(TopOfScript("cat", {}));
  ASSERT_TRUE(process.WaitFor("own line"));
  process.Type("q");
  EXPECT_EQ(process.Finish(), 0);
  ExpectRestored(process);
}

TEST_F(TopOnTerminal, HasNoColourWithNoColor) {
  TerminalProcess process(Top(), {{"NO_COLOR", "1"}});
  ASSERT_TRUE(process.WaitFor("switches/s"));
  process.Type("q");
  EXPECT_EQ(process.Finish(), 0);
  EXPECT_FALSE(std::regex_search(process.Text(), std::regex("\033\\[(3[0-7]|[0-9;]*;3[0-7])m")));
}

TEST_F(TopOnTerminal, ATerminalThatCannotPlaceTextIsAnErrorThatNamesIt) {
  TerminalProcess process(Top(), {{"TERM", "dumb"}});
  EXPECT_EQ(process.Finish(), 2);
  EXPECT_NE(process.Text().find("TERM=dumb"), std::string::npos) << process.Text();
}

}  // namespace

}  // namespace schedbench::tests::top_test
