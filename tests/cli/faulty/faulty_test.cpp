#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace schedbench::tests::faulty_test {

namespace {

using nlohmann::json;

Finished Faulty(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), FAULTY_TOOL);
  return Execute(std::move(arguments));
}

Finished FaultyRun(const std::string& workload, const std::string& scheduler = "fast") {
  return Faulty({"run", "-s", scheduler, "-w", workload, "--warmup", "0", "-n", "5", "-f", "json"});
}

TEST(OwnProgram, ListsWhatItRegisteredItself) {
  EXPECT_NE(Faulty({"list", "schedulers"}).out.find("inline"), std::string::npos);
  EXPECT_NE(Faulty({"list", "workloads"}).out.find("wrong_answer"), std::string::npos);
}

TEST(OwnProgram, RunsItsOwnWorkloadOnItsOwnScheduler) {
  const Finished run = FaultyRun("wrong_answer:in_round=0", "inline");
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["scheduler"], "inline");
  EXPECT_EQ(result["external_submissions"], 50);
  EXPECT_EQ(result["workers"][0]["tasks_run"], 50);
}

TEST(SchedulerOfStdThreads, IsProfiledByTheFibersThatItRuns) {
  const ScratchFolder folder;
  for (const std::string scheduler : {"std_threads", "inline"}) {
    const Finished run = Execute({FAULTY_TOOL, "profile", "-s", scheduler, "-w", "busy", "-n", "2",
                                  "--warmup", "0", "-q", "-o", "."},
                                 {.folder = folder.Path(), .environment = {}});
    ASSERT_EQ(run.code, 0) << run.error;
    const std::string folded = folder.Read("busy.folded");
    EXPECT_NE(folded.find("fiber:busy;"), std::string::npos) << run.out << folded;
    EXPECT_NE(folded.find("Busy::SpinOnCpu"), std::string::npos) << folded;
  }
}

TEST(SchedulerOfStdThreads, WithPlainTasksHasNoProfileAndTheReason) {
  const ScratchFolder folder;
  const Finished run = Execute({FAULTY_TOOL, "profile", "-s", "std_threads", "-w",
                                "busy:plain=true,milliseconds=1", "-n", "1", "-q", "-o", "."},
                               {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("platform::WorkerScope"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("more --rounds"), std::string::npos) << run.out;
}

TEST(SchedulerOfStdThreads, HasNoTimelineAndTheReason) {
  const Finished run = Faulty({"trace", "-s", "std_threads", "-w", "busy:milliseconds=1"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("scheduler std_threads   this scheduler records no events"),
            std::string::npos)
      << run.error;
}

TEST(SchedulerOfStdThreads, HasNoTimesAndNoWorkersBecauseNothingIsCounted) {
  const std::vector<std::string> words{"run", "-s", "std_threads", "-w", "busy:milliseconds=1",
                                       "-n",  "3",  "--warmup",    "0"};
  const Finished table = Faulty(words);
  ASSERT_EQ(table.code, 0) << table.error;
  EXPECT_NE(table.out.find("idle not measured"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("wakeup latency   not measured\n"), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("too few samples"), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("\n  worker "), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("other threads took"), std::string::npos) << table.out;
  std::vector<std::string> as_json = words;
  as_json.insert(as_json.end(), {"-f", "json"});
  EXPECT_EQ(json::parse(Faulty(as_json).out)["summary"]["idle_share"]["median"], nullptr);
}

TEST(OwnProgram, IsNamedInTheCommandThatRepeatsTheRun) {
  const Finished run = Faulty({"run", "-s", "inline", "-w", "busy:milliseconds=1", "-n", "1"});
  EXPECT_NE(run.out.find(FAULTY_TOOL " run -s inline -w busy:milliseconds=1 -n 1 --seed "),
            std::string::npos)
      << run.out;
}

TEST(WrongAnswer, EndsTheRunWithCode4AndNamesWorkloadRoundAndAnswer) {
  const Finished run = FaultyRun("wrong_answer:in_round=3");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(
      run.error,
      "error: wrong_answer: wrong answer in round 3: 2 + 2 gave 5\n2 of 5 rounds were finished\n");
}

TEST(WrongAnswer, LeavesTheRoundsBeforeItAsAPartialResult) {
  const json result = json::parse(FaultyRun("wrong_answer:in_round=3").out);
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["failure"], "wrong_answer: wrong answer in round 3: 2 + 2 gave 5");
  EXPECT_EQ(result["rounds"].size(), 2);
  EXPECT_EQ(result["rounds_planned"], 5);
}

TEST(WrongAnswer, CountsInAWarmUpRoundToo) {
  const Finished run =
      Faulty({"run", "-s", "fast", "-w", "wrong_answer:in_round=2", "--warmup", "3"});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.error.find("wrong answer in warm-up round 2: "), std::string::npos) << run.error;
}

TEST(ThrowingFiber, EndsTheRunWithCode4AndNamesFiberAndException) {
  for (const char* scheduler : {"fast", "global_fifo", "inline"}) {
    const Finished run = FaultyRun("throwing_fiber:in_round=2", scheduler);
    EXPECT_EQ(run.code, 4) << scheduler;
    EXPECT_TRUE(run.error.starts_with("error: fiber ")) << run.error;
    EXPECT_NE(
        run.error.find(" 'fiber of test 7': an exception escaped: std::runtime_error: boom\n"),
        std::string::npos)
        << run.error;
    EXPECT_EQ(json::parse(run.out)["rounds"].size(), 1) << scheduler;
  }
}

TEST(ThrowingWorkload, EndsTheRunWithCode4) {
  const Finished run = FaultyRun("throwing_verify:in_round=1");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.error,
            "error: throwing_verify: the workload threw an exception: no answer at all\n"
            "0 of 5 rounds were finished\n");
  EXPECT_EQ(json::parse(run.out)["rounds"], json::array());
}

TEST(SchedulerThatCannotBeMade, IsALimitOfTheMachineAndNoBug) {
  const Finished run =
      Faulty({"run", "-s", "inline", "--set", "workers=2", "-w", "wrong_answer:in_round=0"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: scheduler inline: cannot start a thread: out of luck\n");
  EXPECT_EQ(run.out, "");
}

}  // namespace

}  // namespace schedbench::tests::faulty_test
