#include "config/quote.hpp"
#include "stats/looks.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"
#include "tests/support/stress.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace schedbench::tests::compare_test {

namespace {

using nlohmann::json;

Finished Compare(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "compare");
  return Schedbench(std::move(arguments));
}

const std::vector<std::string> kSmall{"-w", "yield:fibers=10,yields=20", "-b", "9", "--seed", "1"};

std::vector<std::string> Small(std::vector<std::string> words) {
  words.insert(words.end(), kSmall.begin(), kSmall.end());
  return words;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Compare, ShowsEveryMetricOfBothAndTheRatioWithItsVerdict) {
  const Finished run = Compare(Small({"fast", "global_fifo"}));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.out.find("global_fifo against fast\n9 blocks of 3 rounds"), 0U) << run.out;
  const std::string again =
      "\n  again   schedbench compare fast global_fifo -w yield:fibers=10,yields=20 -b 9 --seed "
      "1\n";
  for (const std::string& part :
       {std::string("\nMetrics of yield:fibers=10,yields=20\n  an operation is a yield\n"),
        std::string("  throughput ↑  "), std::string("  cpu per operation ↓  "),
        std::string("  peak memory ↓  "), std::string("\n  global_fifo against fast: "), again}) {
    EXPECT_TRUE(Has(run.out, part)) << part << "\n" << run.out;
  }
}

TEST(Compare, ShowsEachBlockAndEachAgentIfVerbose) {
  const Finished brief = Compare(Small({"fast", "slotless=fast:lifo_limit=0"}));
  EXPECT_FALSE(Has(brief.out, "Ratio of each block")) << brief.out;
  const Finished run = Compare(Small({"fast", "slotless=fast:lifo_limit=0", "-v"}));
  EXPECT_EQ(run.code, 0) << run.error;
  const std::size_t blocks = run.out.find("Ratio of each block");
  ASSERT_NE(blocks, std::string::npos) << run.out;
  EXPECT_TRUE(Has(run.out.substr(blocks), "throughput")) << run.out;
  EXPECT_TRUE(Has(run.out, "agent   slotless: ")) << run.out;
  EXPECT_TRUE(Has(run.out, "\"lifo_limit\":0")) << run.out;
}

TEST(Compare, CountsNoDifferenceThatTheDoctorFoundTooSmall) {
  const ScratchFolder folder;
  const std::string file = folder.Path() + "/doctor.json";
  const Finished doctor = Schedbench({"doctor", "-b", "9", "-n", "1", "--window", "0", "-o", file});
  ASSERT_EQ(doctor.code, 0) << doctor.error;
  json saved = json::parse(folder.Read("doctor.json"));
  saved["self_comparison"]["resolution"] = 0.5;
  folder.Write("doctor.json", saved.dump());
  const Finished run = Compare(Small({"fast", "fast", "--doctor", file}));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(Has(run.out,
                  "; differences below 2.0 % do not count, those of throughput below 50 % "
                  "(doctor)\n"))
      << run.out;
  const Finished more = Compare(Small({"fast", "fast", "--doctor", file, "--min-effect", "60%"}));
  EXPECT_TRUE(Has(more.out, "; differences below 60 % do not count\n")) << more.out;
  saved["self_comparison"] = nullptr;
  folder.Write("doctor.json", saved.dump());
  const Finished none = Compare(Small({"fast", "fast", "--doctor", file}));
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(Has(none.error, "doctor.json' has no finished A/A run    ")) << none.error;
  saved["machine"]["cpu_model"] = "other";
  folder.Write("doctor.json", saved.dump());
  const Finished elsewhere = Compare(Small({"fast", "fast", "--doctor", file}));
  EXPECT_EQ(elsewhere.code, 5);
  EXPECT_TRUE(Has(elsewhere.error, "machine, cpu_model: \"other\" in the file, "))
      << elsewhere.error;
}

TEST(Compare, GivesProgramsEveryRoundAndEveryVerdict) {
  auto arguments = Small({"slot=fast", "none=fast:lifo_limit=0", "--format", "json"});
  arguments.insert(arguments.end(), {"-w", "spawn_join:tasks=200", "-n", "2"});
  const Finished run = Compare(arguments);
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["alternatives"][1]["name"], "none");
  EXPECT_EQ(result["alternatives"][1]["config"]["lifo_limit"], 0);
  EXPECT_EQ(result["alternatives"][0]["config"]["lifo_limit"], 3);
  ASSERT_EQ(result["workloads"].size(), 2U);
  for (const char* const name : {"slot", "none"}) {
    const json& blocks = result["workloads"][1]["measured"][name]["blocks"];
    ASSERT_EQ(blocks.size(), 9U);
    EXPECT_EQ(blocks[0].size(), 2U);
    EXPECT_EQ(blocks[8][1]["operations"], 200);
  }
  const std::set<std::string> verdicts{"better",         "slightly better", "same",
                                       "slightly worse", "worse",           "inconclusive"};
  std::size_t judged = 0;
  for (const json& row : result["rows"]) {
    if (row.contains("verdict") && !row["verdict"].is_null()) {
      ++judged;
      EXPECT_TRUE(verdicts.contains(row["verdict"])) << row;
      EXPECT_LE(row["ratio"]["low"].get<double>(), row["ratio"]["ratio"].get<double>());
      EXPECT_LE(row["ratio"]["ratio"].get<double>(), row["ratio"]["high"].get<double>());
      EXPECT_EQ(row["against"], "slot");
    }
  }
  EXPECT_GE(judged, 6U) << "throughput, CPU time and memory of both workloads";
}

TEST(Compare, DistinguishesTwoOfTheSameName) {
  const json result = json::parse(Compare(Small({"fast", "fast", "-f", "json"})).out);
  EXPECT_EQ(result["alternatives"][0]["name"], "fast");
  EXPECT_EQ(result["alternatives"][1]["name"], "fast (2)");
  EXPECT_EQ(json::parse(
                Compare(Small({"v1.2=fast", "fast", "-f", "json"})).out)["alternatives"][0]["name"],
            "v1.2");
}

TEST(Compare, TakesConfigsOfFilesAndOfTheToolItself) {
  const ScratchFolder folder;
  folder.Write("mine.json", R"({"scheduler": "fast", "lifo_limit": 7})");
  const json result = json::parse(Compare(Small({"global_fifo.json", folder.Path() + "/mine.json",
                                                 "--workers", "1", "-f", "json"}))
                                      .out);
  EXPECT_EQ(result["alternatives"][0]["scheduler"], "global_fifo");
  EXPECT_EQ(result["alternatives"][1]["config"]["lifo_limit"], 7);
  EXPECT_EQ(result["alternatives"][1]["config"]["workers"], 1);
}

TEST(Compare, ShowsAllThatIsWrongWithTheCommandAtOnce) {
  const Finished run = Compare({"fats", "fast:lifo=1", "none.json", "-w", "yeild"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.error, "error: 4 problems\n")) << run.error;
  EXPECT_TRUE(Has(run.error, "did you mean 'fast'?")) << run.error;
  EXPECT_TRUE(Has(run.error, "lifo_limit")) << run.error;
  EXPECT_TRUE(Has(run.error, "unknown config 'none.json'")) << run.error;
  EXPECT_TRUE(Has(run.error, "did you mean 'yield'?")) << run.error;
  const Finished values = Compare({"fast", "-b", "0", "--min-effect", "-3%", "--workers", "two"});
  EXPECT_EQ(values.code, 2);
  EXPECT_EQ(values.error,
            "error: 3 problems\n"
            "--workers two      'two' is not a plain whole number; expected 0..1024 or auto\n"
            "--blocks 0         '0' is outside 1..1000000\n"
            "--min-effect -3%   '-3%' is not a share above 0 and at most 1, such as 2% or 0.02\n");
  const Finished alone = Compare({"fast"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_EQ(alone.error,
            "error: compare needs at least 2 alternatives; there is only 'fast'    usage: "
            "schedbench compare [flags] [[NAME=]WHAT...]\n");
}

// Of this tool's schedulers one does not notice, in its second round, that nothing is left to do.
TEST(Compare, KeepsTheOthersWhereOneGivesAWrongAnswerHangsOrDies) {
  const Finished run = Execute({HANG_TOOL, "compare", "fast", "never_idle", "global_fifo", "-w",
                                "harmless", "-b", "8", "-n", "1", "--timeout", "3s", "-f", "json"});
  EXPECT_EQ(run.code, 4) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], true);
  const json& measured = result["workloads"][0]["measured"];
  EXPECT_TRUE(measured["fast"]["failure"].is_null());
  EXPECT_TRUE(Has(measured["never_idle"]["failure"], "LOST WAKE-UP")) << measured["never_idle"];
  EXPECT_FALSE(measured["never_idle"]["details"].empty()) << "what sleeps where";
  EXPECT_EQ(measured["global_fifo"]["blocks"].size(), 8U);
  for (const json& row : result["rows"]) {
    if (row["metric"] == "throughput" && row["alternative"] == "never_idle") {
      EXPECT_EQ(row["reason"], "DNF");
    }
    if (row["metric"] == "throughput" && row["alternative"] == "global_fifo") {
      EXPECT_FALSE(row["verdict"].is_null());
    }
  }
}

TEST(Compare, ReportsTheFinishedBlocksWhenItIsInterrupted) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const ProcessOptions watched{
      .folder = "", .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError};
  Process process(SchedbenchCommand({"compare", "fast", "global_fifo", "-w",
                                     "yield:fibers=10,yields=20", "-b", "1000000", "-f", "json"}),
                  watched);
  ASSERT_TRUE(process.WaitForError(" left"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  const json result = json::parse(process.Out());
  EXPECT_EQ(result["complete"], false);
  const json& measured = result["workloads"][0]["measured"];
  EXPECT_EQ(measured["fast"]["blocks"].size(), measured["global_fifo"]["blocks"].size());
  EXPECT_EQ(result["rows"][0]["metric"], "throughput");
}

// Six alternatives on two workloads.
std::vector<std::string> Many(std::vector<std::string> more) {
  more.insert(more.begin(),
              {"fast", "global_fifo", "single_thread", "work_stealing", "bounded_pool",
               "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetAllFromGlob", "-w",
               "yield:fibers=4,yields=10", "-w", "spawn_join:tasks=20", "--metric", "throughput"});
  return more;
}

TEST(Compare, ShowsManyAlternativesInOneTableThatFitsTheWidth) {
  const Finished run = Compare(Many({"-b", "1"}));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(run.out.starts_with("6 schedulers on 2 workloads  ·  ")) << run.out;
  EXPECT_TRUE(Has(run.out, "\n  scheduler                              yield ")) << run.out;
  EXPECT_TRUE(Has(run.out, "\n  …_MutexQueue_StealHalf_GetAllFromGlob ")) << run.out;
  EXPECT_TRUE(Has(run.out, "  the reference\n")) << run.out;
  EXPECT_FALSE(Has(run.out, "cpu per operation")) << run.out;
  std::istringstream lines(run.out.substr(0, run.out.find("\n  + better")));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(config::CharacterCount(line), 100U) << line;
  }
  EXPECT_TRUE(Has(Compare(Many({"-b", "1", "-v"})).out, "\n  metric "))
      << "--verbose has the details";
}

// The lines of the tables, without colours.
std::vector<std::string> TableLines(const std::string& out) {
  std::vector<std::string> lines;
  std::istringstream text(std::regex_replace(out, std::regex("\x1b\\[[0-9]*m|\r"), ""));
  for (std::string line; std::getline(text, line) && !line.starts_with("  + better");) {
    lines.push_back(line);
  }
  return lines;
}

// As many schedulers, with as long names, and as many workloads as `compare` without arguments, but
// much less work.
std::vector<std::string> AllOnFour() {
  const std::string variants = "WorkStealing_MutexQueue_";
  return {"compare",
          "fast",
          "global_fifo",
          "single_thread",
          "work_stealing",
          "bounded_pool",
          variants + "LFABQueue_PutHalfToGlob_StealHalf",
          variants + "LFABQueue_PutHalfToGlob_StealOne",
          variants + "LFABQueue_PutOneToGlob_StealHalf",
          variants + "LFABQueue_PutOneToGlob_StealOne",
          variants + "MutexQueue_StealHalf_GetAllFromGlob",
          variants + "MutexQueue_StealHalf_GetOneFromGlob",
          "-w",
          "pingpong:pairs=1,rounds=10",
          "-w",
          "yield:fibers=4,yields=10",
          "-w",
          "spawn_join:tasks=20",
          "-w",
          "mutex:fibers=2,sections=10",
          "--metric",
          "throughput",
          "--blocks",
          "1",
          "-n",
          "1",
          "--warmup",
          "0"};
}

TEST(Compare, ShowsManyAlternativesInOneTableOnAColourTerminalOf100AndOf80Columns) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  for (const unsigned short columns : {100, 80}) {
    const Finished run =
        Execute(SchedbenchCommand(AllOnFour()), {.environment = {{"TERM", "xterm"}},
                                                 .terminal = Terminal::kOut,
                                                 .columns = columns,
                                                 .rows = 30});
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_TRUE(Has(run.out, "\x1b[")) << "a colour terminal";
    const std::vector<std::string> lines = TableLines(run.out);
    EXPECT_EQ(std::ranges::count_if(
                  lines, [](const std::string& line) { return line.starts_with("  scheduler "); }),
              1)
        << run.out;
    for (const std::string& line : lines) {
      EXPECT_LE(config::CharacterCount(line), columns) << line;
    }
  }
}

TEST(Compare, ShowsOneTableOfManyAlternativesAlsoUnderOneWorkload) {
  const Finished run =
      Compare({"fast", "global_fifo", "single_thread", "work_stealing", "bounded_pool",
               "fast:lifo_limit=0", "-w", "yield:fibers=4,yields=10", "-b", "1", "-n", "1"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(run.out.starts_with("6 schedulers on 1 workload  ·  ")) << run.out;
  EXPECT_FALSE(Has(run.out, "\n  metric ")) << run.out;
}

TEST(Compare, ShowsTheFirstLinesOfItsTableOnASmallScreenWhileItMeasures) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  Process process(
      SchedbenchCommand([] {
        auto words = Many({"--budget", "100s"});
        words.insert(words.begin(), "compare");
        return words;
      }()),
      {.environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError, .columns = 80, .rows = 9});
  EXPECT_TRUE(process.WaitForError("  scheduler "));
  EXPECT_TRUE(process.WaitForError(" more\r\n"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
}

TEST(Compare, ShowsItsTableAndTheTimeThatIsLeftWhileItMeasures) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  Process process(
      SchedbenchCommand({"compare", "fast", "global_fifo", "-w", "yield:fibers=4,yields=10", "-w",
                         "spawn_join:tasks=20", "--budget", "100s"}),
      {.environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  EXPECT_TRUE(process.WaitForError("the reference"));
  EXPECT_TRUE(process.WaitForError("  at most 1 min "));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Finish(), 130);
  EXPECT_TRUE(Has(process.Out(), "interrupted before the end of the budget")) << process.Out();
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
    ++count;
  }
  return count;
}

TEST(Compare, RedrawsOnlyTheLastLineWhileABlockIsMeasured) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const Finished run =
      Execute(SchedbenchCommand(
                  {"compare", "fast", "global_fifo", "-w",
                   PlainOrSanitized("yield:fibers=100,yields=1000", "yield:fibers=100,yields=10"),
                   "-n", "1000", "--metric", "throughput", "--budget", "700ms"}),
              {.environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError});
  EXPECT_GE(Count(run.error, " left\x1b[K"), 2U) << run.error;
  EXPECT_TRUE(Has(run.out, "  no block was finished: a larger --budget\n")) << run.out;
  EXPECT_LE(Count(run.error, "\x1b[J"), 1U) << "at the end of the only block, which is too long";
}

TEST(Compare, StopsWhenAllIsSettledLongBeforeTheBudgetEnds) {
  const Finished run = Compare({"fast", "thread_per_task", "-w", "yield:fibers=8,yields=300",
                                "--metric", "throughput", "--budget", "100s", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["budget_ns"], 100'000'000'000);
  const json& row = result["rows"][1];
  EXPECT_EQ(row["verdict"], "worse") << row;
  const std::size_t pairs = row["ratio"]["pairs"];
  EXPECT_TRUE(stats::Looks(0.95).IsDueAt(pairs)) << pairs;
  EXPECT_LT(pairs, 100U) << "of some thousand that fit into the budget";
}

TEST(Compare, EndsWithItsBudgetAndShowsTheRatiosThatItHas) {
  const Finished run =
      Compare({"fast", "fast", "-w", "yield:fibers=100,yields=300", "--metric", "throughput",
               "--budget", QuickOrFull("1s", "10s"), "-n", "1", "-f", "json"});
  ASSERT_EQ(run.code, 0) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], true);
  const json& row = result["rows"][1];
  EXPECT_GT(row["point"].get<double>(), 0) << row;
}

TEST(Compare, RefusesABudgetThatEndsBeforeTheFirstBlockAndNamesALargerOne) {
  const Finished run = Compare({"fast", "global_fifo", "-w", "yield:fibers=100,yields=1000",
                                "--budget", "1ms", "--metric", "throughput"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(std::regex_search(
      run.error, std::regex("error: --budget 1ms   ended before the first block did, which takes "
                            "about [0-9]+m?s    --budget [0-9]+m?s\n$")))
      << run.error;
  EXPECT_TRUE(Has(run.out, "no block was finished")) << run.out;
  const Finished data = Compare({"fast", "global_fifo", "-w", "yield:fibers=100,yields=1000",
                                 "--budget", "1ms", "-f", "json"});
  EXPECT_EQ(json::parse(data.out)["complete"], false);
}

TEST(Compare, ReportsBeforeItStartsThatTheBlocksAreTooFewForAnInterval) {
  const Finished run = Compare({"fast", "fast", "-w", "yield:fibers=1,yields=1", "-b", "2", "-n",
                                "1", "--metric", "throughput"});
  EXPECT_TRUE(run.error.starts_with("note: 2 blocks are too few for a 95 % interval")) << run.error;
  EXPECT_TRUE(Has(run.error, "    --blocks 6\n")) << run.error;
  EXPECT_TRUE(Has(run.out, "2 blocks, an interval needs 6: --blocks 6")) << run.out;
  EXPECT_TRUE(Has(run.out, "note    2 blocks are too few for a 95 % interval; ")) << run.out;
  const Finished enough = Compare({"fast", "fast", "-w", "yield:fibers=1,yields=1", "-b", "6", "-n",
                                   "1", "--metric", "throughput"});
  EXPECT_EQ(enough.error, "");
  EXPECT_FALSE(Has(enough.out, "too few")) << enough.out;
}

TEST(Compare, NamesTheFlagThatKeepsAComparisonWithABudgetFromItsIntervals) {
  const Finished run = Compare({"fast", "fast", "-w", "yield:fibers=1,yields=1", "-b", "3", "-n",
                                "1", "--metric", "throughput", "--budget", "60s"});
  EXPECT_TRUE(run.error.starts_with("note: 3 blocks are too few for a 95 % interval")) << run.error;
  EXPECT_TRUE(Has(run.error, "    --blocks 7\n")) << run.error;
  EXPECT_TRUE(Has(run.out, "3 blocks, an interval needs 7: --blocks 7")) << run.out;
}

TEST(Compare, NamesAConfigFromStdinStdin) {
  const Finished run =
      Execute({"sh", "-c",
               "echo '{\"scheduler\": \"fast\"}' | " SCHEDBENCH_BINARY
               " compare - global_fifo -w yield:fibers=1,yields=1 -b 1 -n 1 -f json -q"});
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(json::parse(run.out)["alternatives"][0]["name"], "stdin");
}

TEST(Compare, RefusesNamesThatAreNoneOrAreUsedTwice) {
  struct Case {
    std::vector<std::string> words;
    std::string error;
  };
  for (const Case& one : std::vector<Case>{
           {{"a=fast", "a=global_fifo"}, "a=global_fifo   the name 'a' is given twice"},
           {{"fast=global_fifo", "fast"}, "fast   the name 'fast' is given twice"},
           {{"=fast", "fast"}, "=fast   the name before '=' is empty"},
           {{"=fast"}, "=fast   the name before '=' is empty"},
           {{"x=", "fast"}, "x=   nothing follows '='    NAME=WHAT sets the name of WHAT: x=fast"},
           {{"a\x1b[31m=fast", "fast"}, "a\\x1b[31m=fast   the name has control characters"},
           {{"a\nb=fast", "fast"}, "a\\nb=fast   the name has control characters"},
           {{"fast", "--with", "a\x1b[31m=false"}, "the name has control characters"},
           {{"fast", "fast", "-w", "yield", "-w", "yield:fibers=1000"},
            "--workload yield:fibers=1000   this is the same workload as 'yield'"}}) {
    const Finished run = Compare(one.words);
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(Has(run.error, one.error)) << run.error;
  }
}

TEST(Compare, ExplainsHowToDoWhatFlagsOfOtherCommandsDo) {
  EXPECT_EQ(Compare({"fast", "fast", "--set", "lifo_limit=0"}).error,
            "error: compare has no flag '--set'    write settings after the scheduler: schedbench "
            "compare fast fast:lifo_limit=0\n");
  EXPECT_EQ(Compare({"-c", "mine.json"}).error,
            "error: compare has no flag '-c'    name the files: schedbench compare fast.json "
            "mine.json\n");
  EXPECT_EQ(
      Schedbench({"run", "--blocks", "3"}).error,
      "error: run has no flag '--blocks'    it is a flag of compare, study, sweep, scale, metg, "
      "tune, audit, "
      "history, hypotheses, doctor\n");
}

TEST(Compare, EndsWithCode2IfTheMachineHasNoFilesForItsAgents) {
  // UBSan needs three in addition to the standard streams, or it reports the first object with
  // virtual functions.
  for (const char* const files : {PlainOrSanitized("4", "6"), "8", "12"}) {
    // Without the files that ctest leaves open: the loader needs one.
    const Finished run =
        Execute({"sh", "-c",
                 "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n " + std::string(files) +
                     "; exec " SCHEDBENCH_BINARY
                     " compare fast fast -w yield:fibers=1,yields=1 -b 1 -n 1"});
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_TRUE(Has(run.out, "Too many open files    ulimit -n 1024")) << run.out;
  }
}

TEST(Compare, EndsWithCode2WhereTheMachineRefuses) {
  const Finished run = Compare({"fast", "global_fifo", "-w", "fib:n=42", "-b", "2"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(Has(run.out, "the most that fit: fib:n=")) << run.out;
}

}  // namespace

}  // namespace schedbench::tests::compare_test
