#include "base/assert.hpp"

#include "base/failure.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace schedbench::assert_test {

namespace {

TEST(Assert, EvaluatesItsConditionOnceAndContinuesWhenItHolds) {
  int evaluations = 0;
  SB_ASSERT(++evaluations == 1, "must hold");
  EXPECT_EQ(evaluations, 1);
}

TEST(AssertDeathTest, ReportsLocationConditionAndMessageInEveryBuild) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const int two = 2;
  EXPECT_DEATH(SB_ASSERT(two == 3, "arithmetic is broken"),
               "assert_test.cpp:[0-9]+: assertion failed: two == 3 .arithmetic is broken.");
}

TEST(FailRunDeathTest, PrintsTheMessageAndAbortsWithoutAHandler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(FailRun("no memory"), testing::KilledBySignal(SIGABRT), "error: no memory");
}

TEST(FailRunDeathTest, CallsTheHandlerThatWasSet) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    SetFailureHandler([](std::string_view message, FailureKind /*kind*/) {
      std::fprintf(stderr, "handled: %.*s\n", static_cast<int>(message.size()), message.data());
      std::_Exit(4);
    });
    FailRun("a lost task");
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(4), "handled: a lost task");
}

TEST(FailRunDeathTest, AbortsWhenTheHandlerReturns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    SetFailureHandler([](std::string_view, FailureKind) {});
    FailRun("whatever");
  };
  EXPECT_EXIT(fail(), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace

}  // namespace schedbench::assert_test
