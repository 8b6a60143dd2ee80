#include "config/input_error.hpp"

#include "config/problems.hpp"
#include "tests/config/example_config.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::config::input_error_test {
namespace {

TEST(InputError, PutsLocationPathAndMessageOnOneLine) {
  Problems problems;
  problems.Add("fast.json:7:5", "/local_queue_capacitty",
               "unknown field; did you mean 'local_queue_capacity'?");
  EXPECT_EQ(TextOf(problems),
            "fast.json:7:5 /local_queue_capacitty   "
            "unknown field; did you mean 'local_queue_capacity'?");
}

TEST(InputError, AlignsTheColumnsOfSeveralProblems) {
  Problems problems;
  problems.Add("fast.json:7:5", "/größe", "first");
  problems.Add("fast.json:12:10", "/workers", "second");
  problems.Add("--set workers=x", "", "third");
  EXPECT_EQ(TextOf(problems),
            "fast.json:7:5   /größe     first\n"
            "fast.json:12:10 /workers   second\n"
            "--set workers=x            third");
}

TEST(InputError, DoesNotWidenTheColumnForOneLongPath) {
  Problems problems;
  problems.Add("f:1:1", "/" + std::string(70, 'k'), "first");
  problems.Add("f:2:1", "/b", "second");
  EXPECT_EQ(TextOf(problems), "f:1:1 /" + std::string(70, 'k') + "   first\nf:2:1 /b   second");
}

TEST(InputError, LeavesOutColumnsThatNoProblemFills) {
  Problems problems;
  problems.Add("--set a", "", "expected field=value");
  EXPECT_EQ(TextOf(problems), "--set a   expected field=value");
  EXPECT_STREQ(InputError("unknown workload 'x'").what(), "unknown workload 'x'");
}

TEST(InputError, KeepsTheProblemsForOtherFormats) {
  Problems problems;
  EXPECT_TRUE(problems.empty());
  EXPECT_NO_THROW(problems.ThrowIfAny());
  problems.Add("w", "p", "m");
  try {
    problems.ThrowIfAny();
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_EQ(error.Problems(), (std::vector<Problem>{{"w", "p", "m"}}));
  }
}

TEST(InputError, ListsTheSameProblemOnce) {
  Problems problems;
  problems.Add("w", "p", "m");
  problems.Add("w", "p", "m");
  problems.Add("w", "p", "n");
  EXPECT_EQ(problems.List().size(), 2u);
}

TEST(InputError, ListsABoundedNumberOfProblemsAndSaysSo) {
  Problems problems;
  for (int i = 0; i < 101; ++i) {
    problems.Add(std::to_string(i), "", "m");
  }
  EXPECT_TRUE(problems.Full());
  EXPECT_EQ(problems.List().size(), 100u);
  try {
    problems.ThrowIfAny();
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_EQ(error.Problems().size(), 100u);
    EXPECT_TRUE(error.MayBeCut());
  }
}

}  // namespace
}  // namespace schedbench::config::input_error_test
