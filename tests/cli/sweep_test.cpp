#include "tests/cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

namespace schedbench::tests::sweep_test {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const Words kYields{"sweep", "-w", "yield:fibers=2", "--over", "yields=10,20", "-b",          "3",
                    "-n",    "1",  "--warmup",       "0",      "--over",       "workers=1,2", "-q"};

Words With(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Sweep, FindsThePlantedOptimumThroughAgentsAndReportsTheFailedCell) {
  const Finished run = Execute({FAULTY_TOOL, "sweep", "inline", "-w", "planted", "--over",
                                "x=1..5,9", "-b", "5", "-n", "1", "--warmup", "0", "-f", "json"});
  EXPECT_EQ(run.code, 4) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["kind"], "sweep");
  EXPECT_EQ(result["cells"][result["best"].get<std::size_t>()]["place"], json({{"x", "3"}}));
  EXPECT_EQ(result["cells"][5]["status"], "failed");
  EXPECT_TRUE(Has(result["cells"][5]["measured"]["failure"].get<std::string>(), "9 is wrong"));
  EXPECT_EQ(result["cells"][4]["measured"]["blocks"].size(), 5U);
}

TEST(Sweep, OfAWorkloadThatFixesItsThroughputComparesItsLatency) {
  const Words workload{"-w", "burst:preset=smoke,bursts=3", "-b", "1", "-n", "1", "--warmup", "0"};
  const Finished run =
      Schedbench(With({"sweep", "--over", "workers=1,2", "-q", "-f", "json"}, workload));
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(json::parse(run.out)["metric"], "burst_p99");
  const Finished scaled = Schedbench(With({"scale", "-q"}, workload));
  EXPECT_EQ(scaled.code, 2);
  EXPECT_TRUE(Has(scaled.error, "the parameters of burst fix its throughput")) << scaled.error;
  const Finished tuned = Schedbench({"tune", "-w", "burst", "-w", "yield", "--over", "lifo_limit"});
  EXPECT_EQ(tuned.code, 2);
  EXPECT_TRUE(Has(tuned.error, "fix its throughput    --objective p99")) << tuned.error;
}

TEST(Sweep, ReportsACellThatTheMachineRefusesWithCode2) {
  const Finished run = Execute({FAULTY_TOOL, "sweep", "inline", "-w", "planted", "--over",
                                "workers=1,2", "-b", "1", "-n", "1", "--warmup", "0"});
  EXPECT_EQ(run.code, 2) << run.error;
  EXPECT_TRUE(Has(run.out, "refused workers=2: ")) << run.out;
  EXPECT_TRUE(Has(run.out, "Best by throughput\n  workers=1 ")) << run.out;
  EXPECT_TRUE(Has(run.out, FAULTY_TOOL " run --scheduler inline --workload planted --seed "))
      << run.out;
  EXPECT_TRUE(Has(run.out, "no other cell has a result\n")) << run.out;
}

TEST(Journal, LetsASweepContinueAfterACut) {
  const ScratchFolder folder;
  const auto sweep = [&](const Words& more = {}) {
    return Schedbench(With(With(kYields, {"--journal", "j", "-f", "json"}), more),
                      {.folder = folder.Path(), .environment = {}});
  };
  const Finished whole = sweep();
  ASSERT_EQ(whole.code, 0) << whole.error;
  const std::string journal = folder.Read("j");
  const std::size_t head = journal.find('\n');
  // Journal.KeepsAllWholeLinesOfAFileThatWasCutAtAnyByte tries every byte.
  for (const std::size_t size : {head, journal.size() - 1}) {
    folder.Write("j", journal.substr(0, size));
    const Finished again = sweep();
    EXPECT_EQ(again.code, 0) << again.error;
    if (size > head) {
      // Seed and all blocks before the cut are the same.
      EXPECT_TRUE(folder.Read("j").starts_with(journal.substr(0, journal.rfind('\n', size - 1))));
      EXPECT_EQ(json::parse(again.out)["seed"], json::parse(whole.out)["seed"]);
    }
  }
  folder.Write("j", journal);
  json same = json::parse(sweep().out);
  json first = json::parse(whole.out);
  for (json* const result : {&same, &first}) {
    result->erase("machine");          // its load differs
    result->erase("blocks_repeated");  // the journal has the last measurement of each block
  }
  EXPECT_EQ(same.dump(), first.dump());
  EXPECT_EQ(folder.Read("j"), journal);
}

TEST(Journal, LetsAComparisonContinueAfterACut) {
  const ScratchFolder folder;
  const auto compare = [&](const Words& more = {}) {
    return Schedbench(
        With({"compare", "fast", "global_fifo", "-w", "yield:fibers=10,yields=100", "-w",
              "pingpong:rounds=100", "-b", "3", "-n", "1", "--journal", "j", "-f", "json", "-q"},
             more),
        {.folder = folder.Path(), .environment = {}});
  };
  const Finished whole = compare();
  ASSERT_EQ(whole.code, 0) << whole.error;
  const std::string journal = folder.Read("j");
  ASSERT_EQ(std::ranges::count(journal, '\n'), 13) << "2 alternatives, 2 workloads, 3 blocks";
  for (const std::size_t size : {journal.find('\n') + 1, journal.size() / 2, journal.size() - 1}) {
    folder.Write("j", journal.substr(0, size));
    const Finished again = compare();
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_TRUE(folder.Read("j").starts_with(journal.substr(0, journal.rfind('\n', size - 1) + 1)));
    EXPECT_EQ(json::parse(again.out)["seed"], json::parse(whole.out)["seed"]);
  }
  folder.Write("j", journal);
  json same = json::parse(compare().out);
  json first = json::parse(whole.out);
  for (json* const result : {&same, &first}) {
    result->erase("machine");    // its load differs
    result->erase("disturbed");  // the journal has the last measurement of each block
  }
  EXPECT_EQ(same.dump(), first.dump());
  EXPECT_EQ(folder.Read("j"), journal);
  // More blocks of the same comparison.
  EXPECT_EQ(compare({"-b", "4"}).code, 0);
  EXPECT_TRUE(folder.Read("j").starts_with(journal));
  const Finished other = compare({"--warmup", "2"});
  EXPECT_EQ(other.code, 5);
  EXPECT_TRUE(Has(other.error, "is the journal of another schedbench compare:")) << other.error;
}

TEST(Journal, IsRefusedWithoutAChangeIfItIsOfAnotherSweepOrDamaged) {
  const ScratchFolder folder;
  const auto sweep = [&](const Words& more) {
    return Schedbench(With(With(kYields, {"--journal", "j"}), more),
                      {.folder = folder.Path(), .environment = {}});
  };
  ASSERT_EQ(sweep({}).code, 0);
  const std::string journal = folder.Read("j");
  const Finished other = sweep({"-n", "2"});
  EXPECT_EQ(other.code, 5);
  EXPECT_TRUE(Has(other.error, "plan, rounds: 1 in the file, 2 now")) << other.error;
  EXPECT_EQ(folder.Read("j"), journal);
  std::string damaged = journal;
  damaged[journal.find('\n') + 40] ^= 1;
  folder.Write("j", damaged);
  const Finished refused = sweep({});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(Has(refused.error, "line 2 is damaged")) << refused.error;
  EXPECT_EQ(folder.Read("j"), damaged);
  for (const char* const foreign : {"a list of things\n", "12345"}) {
    folder.Write("j", foreign);
    EXPECT_TRUE(Has(sweep({}).error, "is not a journal of schedbench sweep"));
    EXPECT_EQ(folder.Read("j"), foreign);
  }
}

TEST(Sweep, PrintsItsCellsWithoutMeasuringThemWithList) {
  const Finished list = Schedbench({"sweep", "fast", "-w", "yield:fibers=2,yields=2", "--over",
                                    "lifo_limit=0..6+3", "--over", "workers=1..2*2", "--list"});
  EXPECT_EQ(list.code, 0) << list.error;
  EXPECT_TRUE(
      list.out.starts_with("  lifo_limit  workers\n"
                           "           0        1\n"
                           "           0        2\n"
                           "           3        1\n"))
      << list.out;
  EXPECT_TRUE(Has(list.out, "\n6 cells in 20 blocks of 3 rounds and 1 warm-up: 120 processes, "))
      << list.out;
}

TEST(Scale, FitsTheLawsThatItsPointsDetermine) {
  const Finished run = Schedbench({"scale", "fast", "global_fifo", "-w", "yield:fibers=2,yields=10",
                                   "--workers", "1,2", "-b", "2", "-n", "1", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["kind"], "scale");
  ASSERT_EQ(result["curves"].size(), 2U);
  EXPECT_EQ(result["curves"][1]["scheduler"], "global_fifo");
  EXPECT_EQ(result["curves"][1]["points"][1]["workers"], 2);
  EXPECT_EQ(result["curves"][0]["universal_scalability"], nullptr);
}

TEST(Suite, HasALineForEachPairAndCode4AfterAFailure) {
  const Finished run = Execute({FAULTY_TOOL, "run", "-s", "all", "-w", "wrong_answer:in_round=1",
                                "-n", "1", "--warmup", "0"});
  EXPECT_EQ(run.code, 4) << run.error;
  EXPECT_TRUE(Has(run.out, "scheduler=inline: wrong_answer: wrong answer in ")) << run.out;
  const Finished smoke = Schedbench({"run", "-w", "suite:smoke", "-n", "1", "--warmup", "0"});
  EXPECT_EQ(smoke.code, 0) << smoke.error << smoke.out;
  EXPECT_TRUE(Has(smoke.out, " passed, with every answer verified\n")) << smoke.out;
}

TEST(Sweep, MeasuresAnAgentByWorkersAndParameters) {
  const Finished run =
      Schedbench(With(kYields, {"-b", "1", "--with", "mine/global_fifo=" SCHEDBENCH_BINARY " agent",
                                "--timerslack", "1", "-f", "json"}));
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["perturbed"], "timer slack 1 ns");
  ASSERT_EQ(result["cells"].size(), 8U);
  const json& last = result["cells"][7];
  EXPECT_EQ(last["place"], json({{"scheduler", "mine"}, {"yields", "20"}, {"workers", "2"}}));
  EXPECT_EQ(last["config"], json({{"workers", 2}}));
  EXPECT_EQ(last["measured"]["blocks"][0][0]["operations"], 40);
}

}  // namespace

}  // namespace schedbench::tests::sweep_test
