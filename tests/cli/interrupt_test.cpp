#include "base/attributes.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace schedbench::tests::interrupt_test {

namespace {

using nlohmann::json;

// stderr is a terminal, whose progress line shows where the run is.
const ProcessOptions kWatched{
    .folder = "", .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError};

class Interrupt : public testing::Test {
 protected:
  void SetUp() override {
    SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  }
};

std::vector<std::string> EndlessRun(const std::string& workload) {
  return SchedbenchCommand(
      {"run", "-s", "fast", "-w", workload, "-n", "1000000", "--warmup", "0", "-f", "json"});
}

// The second draw of the line: some rounds are done.
constexpr const char* kSomeRoundsDone = " left";

TEST_F(Interrupt, ReportsTheFinishedRoundsAndExitsWith130) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Process process(EndlessRun("pingpong:pairs=1,rounds=10"), kWatched);
    ASSERT_TRUE(process.WaitForError(kSomeRoundsDone));
    process.Signal(signal);
    EXPECT_EQ(process.Finish(), 130);
    const json result = json::parse(process.Out());
    EXPECT_EQ(result["complete"], false);
    EXPECT_EQ(result["failure"], "interrupted");
    EXPECT_GT(result["rounds"].size(), 0);
    EXPECT_TRUE(result["summary"]["throughput"]["median"].is_number());
    EXPECT_NE(process.Error().find(" of 1000000 rounds were finished"), std::string::npos);
  }
}

TEST_F(Interrupt, DoesNotWaitForTheRoundThatRuns) {
  // One round of many hours: that the process ends at all is the proof.
  Process process(EndlessRun("pingpong:pairs=64,rounds=1000000000"), kWatched);
  ASSERT_TRUE(process.WaitForError("round 0 of 1000000"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  const json result = json::parse(process.Out());
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["rounds"], json::array());
}

#if !defined(SB_TSAN)  // under which nothing is sampled
TEST_F(Interrupt, OfASampledRunWritesWhatThereIsWhileItsThreadsContinue) {
  for (const char* const scheduler : {"fast", "thread_per_task"}) {
    const ScratchFolder folder;
    Process process(
        SchedbenchCommand({"profile", "-s", scheduler, "-w", "yield:fibers=20,yields=20", "-n",
                           "1000000", "--warmup", "0", "-o", folder.Path() + "/out"}),
        kWatched);
    ASSERT_TRUE(process.WaitForError(kSomeRoundsDone));
    process.Signal(SIGINT);
    EXPECT_EQ(process.Finish(), 130) << process.Error();
    EXPECT_NE(process.Out().find("out/yield.perf.txt\n"), std::string::npos) << process.Out();
  }
}
#endif

TEST_F(Interrupt, TheSecondSignalEndsAtOnceEvenWhenTheResultIsNotRead) {
  Process process(EndlessRun("pingpong:pairs=1,rounds=1"), kWatched);
  ASSERT_TRUE(process.WaitForError(kSomeRoundsDone));
  process.Signal(SIGINT);
  // After this message comes the result, of more rounds than a pipe takes: it is stuck.
  ASSERT_TRUE(process.WaitForError("rounds were finished"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.FinishWithoutReading(), 130);
}

TEST_F(Interrupt, IsNotTakenFromWhatRunsInTheBackgroundOfAScript) {
  // A shell without job control starts & with SIGINT ignored; it stays ignored, and SIGTERM ends
  // the run.
  std::string command = "exec " SCHEDBENCH_BINARY;
  command = "trap '' INT; " + command +
            " run -s fast -w pingpong:pairs=1,rounds=10 -n 1000000 --warmup 0 -f json";
  Process process({"sh", "-c", command}, kWatched);
  ASSERT_TRUE(process.WaitForError(kSomeRoundsDone));
  process.Signal(SIGINT);
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Finish(), 130);
  EXPECT_EQ(json::parse(process.Out())["complete"], false);
}

TEST_F(Interrupt, WritesThePartialResultToTheFileThatWasAskedFor) {
  const ScratchFolder folder;
  std::vector<std::string> command = EndlessRun("pingpong:pairs=1,rounds=10");
  command.insert(command.end(), {"-o", "partial.json"});
  ProcessOptions options = kWatched;
  options.folder = folder.Path();
  Process process(command, options);
  ASSERT_TRUE(process.WaitForError(kSomeRoundsDone));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  EXPECT_NE(process.Out().find("partial interrupted"), std::string::npos);
  EXPECT_EQ(json::parse(folder.Read("partial.json"))["complete"], false);
}

TEST_F(Interrupt, WritesNoGraphWhileAReplayIsFitted) {
  const ScratchFolder folder;
  ProcessOptions options = kWatched;
  options.folder = folder.Path();
  Process process(SchedbenchCommand({"record", "-s", "fast", "--workers", "1", "-w",
                                     "pingpong:pairs=1,rounds=10", "-n", "20000", "-o", "p.graph"}),
                  options);
  ASSERT_TRUE(process.WaitForError("comparing replays with the program"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  EXPECT_NE(process.Error().find("no graph was written"), std::string::npos) << process.Error();
  EXPECT_FALSE(std::filesystem::exists(folder.Path() + "/p.graph"));
}

}  // namespace

}  // namespace schedbench::tests::interrupt_test
