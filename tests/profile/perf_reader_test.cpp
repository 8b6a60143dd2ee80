#include "profile/perf_reader.hpp"

#include "config/input_error.hpp"
#include "profile/perf_script.hpp"
#include "tests/profile/example.hpp"
#include "tests/profile/stack_readers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace schedbench::profile::perf_reader_test {

namespace {

std::string Refusal(std::string_view text) {
  try {
    FoldPerfScript(text, "p.txt");
  } catch (const config::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FoldPerfScript, FoldsWhatIsWrittenHereAsStackcollapseDoes) {
  std::string text;
  WritePerfScript(ExampleProfile(), "task-clock", {}, {}, [&text](std::string_view part) {
    text += part;
  });
  ASSERT_TRUE(IsPerfScript(text));
  std::vector<std::string> warnings;
  EXPECT_EQ(FoldPerfScript(text, "p.txt"), CollapseAsPerl(text, warnings));
}

TEST(FoldPerfScript, ReadsPerfsOwnForm) {
  // As perf 6.1 prints it, with -F comm,pid,tid,time,period,event,ip,sym,dso.
  const std::string text =
      "fast-1     26190/26194  1798.899161:   10101010 cpu-clock:pppH: \n"
      "\t    55ad67444a80 (anonymous namespace)::Leaf(int) (/bin/x)\n"
      "\t    55ad67444aee Body (/bin/x)\n"
      "\n"
      "fast-1     26190/26194  1798.909161:   10101010 cpu-clock:pppH: \n"
      "\t    55ad67444aee Body (/bin/x)\n"
      "\n";
  ASSERT_TRUE(IsPerfScript(text));
  EXPECT_EQ(FoldPerfScript(text, "p.txt"),
            (FoldedStacks{{"fast-1;Body", 10101010}, {"fast-1;Body;{anonymous}::Leaf", 10101010}}));
}

TEST(FoldPerfScript, KeepsTheLastSampleWithoutABlankLine) {
  EXPECT_EQ(FoldPerfScript("a 1 2.0: 5 e: \n\t  10 f (x)\n", "p.txt"), (FoldedStacks{{"a;f", 5}}));
}

TEST(FoldPerfScript, CountsSamplesWhereNoPeriodIsPrinted) {
  EXPECT_EQ(FoldPerfScript("a 1 2.0: e: \n\t  10 f (x)\n\n", "p.txt"), (FoldedStacks{{"a;f", 1}}));
}

TEST(FoldPerfScript, TakesTheFirstEventAlone) {
  EXPECT_EQ(
      FoldPerfScript("a 1 2.0: 5 e: \n\t 1 f (x)\n\na 1 3.0: 7 other: \n\t 1 f (x)\n\n", "p.txt"),
      (FoldedStacks{{"a;f", 5}}));
}

TEST(FoldPerfScript, ReportsFileLineAndReason) {
  EXPECT_EQ(Refusal("\t  10 f (x)\n"), "p.txt:1: '\\t  10 f (x)': a frame without a sample");
  EXPECT_EQ(Refusal("a 1 2.0: 5 e: \n\t  10 f (x)\n\nnonsense\n"),
            "p.txt:4: 'nonsense': neither a sample of perf script nor a frame");
}

TEST(IsPerfScript, IsNotSoOfFoldedStacks) {
  EXPECT_FALSE(IsPerfScript("a;b 12\n"));
  EXPECT_FALSE(IsPerfScript(""));
  EXPECT_FALSE(IsPerfScript("# comment\n"));
}

}  // namespace

}  // namespace schedbench::profile::perf_reader_test
