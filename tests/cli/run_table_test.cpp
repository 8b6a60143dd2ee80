#include "config/quote.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::tests::run_table_test {

namespace {

std::string TableOf(std::vector<std::string> flags, const ProcessOptions& options = {}) {
  flags.insert(flags.begin(), "run");
  const Finished run = Schedbench(std::move(flags), options);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "");
  return run.out;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::string> kSmall{
    "-c", "fast.json", "--set",  "workers=2", "-w", "pingpong:pairs=4,rounds=500",
    "-n", "6",         "--seed", "7"};

TEST(RunTable, SaysWhatWasRunAndAnswersThroughputLatencyCpuAndIdle) {
  const std::string out = TableOf(kSmall);
  EXPECT_TRUE(out.starts_with(
      "fast  ·  pingpong(pairs=4, rounds=500, capacity=0, hint=none)  ·  2 workers on CPU"))
      << out;
  for (const char* part : {"6 rounds", "3 warm-up", "  throughput  ", " round trips/s   95 % [",
                           "±", "  wakeup latency  ", "p50 ", "p99.9 ", "max ",
                           "  cpu per round trip   ", "used ", "idle ", "seed    7\n"}) {
    EXPECT_TRUE(Has(out, part)) << part << "\n" << out;
  }
}

TEST(RunTable, HasOneRowPerWorkerAndTheTotal) {
  const std::string out = TableOf(kSmall);
  const std::vector<std::string> lines = Lines(out);
  const auto head = std::ranges::find_if(
      lines, [](const std::string& line) { return line.starts_with("  worker "); });
  ASSERT_NE(head, lines.end()) << out;
  EXPECT_TRUE(head[1].starts_with("  0  ")) << out;
  EXPECT_TRUE(head[2].starts_with("  1  ")) << out;
  EXPECT_TRUE(head[3].starts_with("  Σ  ")) << out;
  EXPECT_TRUE(head[4].starts_with("  imbalance ")) << out;
}

TEST(RunTable, LeavesOutColumnsOfWhatNeverHappens) {
  const std::string out =
      TableOf({"-s", "global_fifo", "-w", "yield:fibers=10,yields=100", "-n", "2"});
  for (const char* part : {" lifo ", " steals ", " offloads "}) {
    EXPECT_FALSE(Has(out, part)) << part << "\n" << out;
  }
  EXPECT_TRUE(Has(out, " global ")) << out;
}

TEST(RunTable, NamesTheFieldsThatDifferFromTheDefaults) {
  EXPECT_TRUE(
      TableOf({"-s", "fast", "--set", "lifo_limit=0", "-w", "yield:fibers=1,yields=1", "-n", "1"})
          .starts_with("fast(lifo_limit=0)  ·  "));
}

TEST(RunTable, NotesThatFewRoundsHaveNoInterval) {
  const std::string out = TableOf({"-s", "fast", "-w", "yield:fibers=1,yields=1", "-n", "3"});
  EXPECT_TRUE(
      Has(out,
          "3 rounds give no 95 % interval: ranges are from least to greatest    try --rounds 20\n"))
      << out;
}

TEST(RunTable, SaysHowToRunItAgain) {
  const std::string out =
      TableOf({"-s", "fast", "-w", "yield:fibers=1,yields=1", "-n", "1", "--seed", "5"});
  EXPECT_TRUE(
      Has(out, "  again   schedbench run -s fast -w yield:fibers=1,yields=1 -n 1 --seed 5\n"))
      << out;
}

TEST(RunTable, IsPlainAsciiWhereTheLocaleIsNotUtf8) {
  for (const char* locale : {"C", "POSIX", "en_US.ISO-8859-1"}) {
    const std::string out = TableOf(kSmall, {.folder = "", .environment = {{"LC_ALL", locale}}});
    EXPECT_TRUE(std::ranges::all_of(out, [](char c) {
      return c == '\n' || (c >= ' ' && c <= '~');
    })) << out;
  }
  EXPECT_TRUE(Has(TableOf(kSmall, {.folder = "", .environment = {{"LANG", "C.UTF-8"}}}), "Σ"));
}

TEST(RunTable, HasLinesOfAtMost140CharactersInAPipe) {
  for (const std::string& line : Lines(TableOf(kSmall))) {
    const bool is_command = line.starts_with("  again");
    EXPECT_TRUE(is_command || config::CharacterCount(line) <= 140) << line;
  }
}

TEST(RunTable, HasNoColourInAPipe) {
  EXPECT_FALSE(Has(TableOf(kSmall, {.folder = "", .environment = {{"TERM", "xterm"}}}), "\033["));
}

TEST(RunTable, HasColourOnATerminalUnlessItIsUnwanted) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  const auto on_terminal = [](std::map<std::string, std::string> environment) {
    return TableOf(
        kSmall, {.folder = "", .environment = std::move(environment), .terminal = Terminal::kOut});
  };
  EXPECT_TRUE(Has(on_terminal({{"TERM", "xterm"}}), "\033[1m"));
  EXPECT_FALSE(Has(on_terminal({{"TERM", "xterm"}, {"NO_COLOR", "1"}}), "\033["));
  EXPECT_FALSE(Has(on_terminal({{"TERM", "dumb"}}), "\033["));
}

TEST(Progress, IsShownOnATerminalOnlyAndErasedAtTheEnd) {
  SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL();
  std::vector<std::string> flags = kSmall;
  flags.insert(flags.begin(), "run");
  const ProcessOptions terminal{
      .folder = "", .environment = {{"TERM", "xterm"}}, .terminal = Terminal::kError};
  const std::string shown = Schedbench(flags, terminal).error;
  EXPECT_TRUE(shown.starts_with("\r\033[K[....................] 0 %  round 0 of 9, warming up"))
      << shown;
  EXPECT_TRUE(shown.ends_with("\r\033[K")) << shown;
  flags.push_back("-q");
  EXPECT_EQ(Schedbench(flags, terminal).error, "");
}

}  // namespace

}  // namespace schedbench::tests::run_table_test
