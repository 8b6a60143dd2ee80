#include "history/changes.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace schedbench::history::tests {

namespace {

RevisionValue Value(const std::string& name, std::int64_t sequence, std::int64_t added,
                    std::optional<std::int64_t> commit_time = std::nullopt) {
  return {.revision = {.name = name, .commit_time = commit_time},
          .sequence = sequence,
          .added_time = added,
          .results = {{1.0}}};
}

std::string NamesOf(const std::vector<RevisionValue>& values) {
  std::string names;
  for (const RevisionValue& value : values) {
    names += value.revision.name;
  }
  return names;
}

TEST(Order, IsThatOfAddingWithoutCommitTimes) {
  std::vector<RevisionValue> values{Value("b", 2, 20), Value("a", 1, 10)};
  EXPECT_TRUE(OrderByRevision(values, {}).empty());
  EXPECT_EQ(NamesOf(values), "ab");
}

TEST(Order, SurvivesAClockThatWasSetBackAndWarns) {
  std::vector<RevisionValue> values{Value("a", 1, 1000), Value("b", 2, 10), Value("c", 3, 20)};
  const auto warnings = OrderByRevision(values, {});
  EXPECT_EQ(NamesOf(values), "abc");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("the clock of the machine was set back between 'a' and 'b'"),
            std::string::npos)
      << warnings[0];
}

TEST(Order, IsThatOfCommitTimesIfAllHaveOneAndWarnsWhereAddingDiffers) {
  std::vector<RevisionValue> values{Value("b", 1, 10, 200), Value("a", 2, 20, 100)};
  const auto warnings = OrderByRevision(values, {});
  EXPECT_EQ(NamesOf(values), "ab");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("its commit time is earlier"), std::string::npos) << warnings[0];
}

TEST(Order, IsThatOfAddingIfOnlySomeHaveACommitTime) {
  std::vector<RevisionValue> values{Value("b", 1, 10, 200), Value("a", 2, 20)};
  EXPECT_EQ(OrderByRevision(values, {}).size(), 1U);
  EXPECT_EQ(NamesOf(values), "ba");
}

TEST(Order, IsThatOfTheCommitsOfARepositoryWhateverTheClocksSay) {
  std::vector<RevisionValue> values{Value("x", 4, 1), Value("c", 1, 10, 100),
                                    Value("b", 2, 20, 300), Value("a", 3, 30, 200)};
  const auto warnings = OrderByRevision(values, {"a", "b", "c"});
  EXPECT_EQ(NamesOf(values), "abcx");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("the repository has no revision 'x'"), std::string::npos);
  values.pop_back();
  const auto of_clock = OrderByRevision(values, {"a", "b", "c"});
  ASSERT_EQ(of_clock.size(), 1U);
  EXPECT_NE(of_clock[0].find("the commit time of 'c' is before that of its ancestor 'b'"),
            std::string::npos)
      << of_clock[0];
}

std::vector<double> Noisy(std::size_t n, double correlation, std::mt19937_64& random) {
  std::vector<double> values = stats::DriftingSample(n, correlation, random);
  for (double& value : values) {
    value = 100 * std::exp(0.01 * value);
  }
  return values;
}

TEST(Changes, HaveTheRatioOfTheLevelsWithAnInterval) {
  std::mt19937_64 random(1);
  std::vector<double> values = Noisy(60, 0, random);
  for (std::size_t i = 40; i < values.size(); ++i) {
    values[i] *= 0.9;
  }
  const Changes changes = FindChanges(values, 0.01);
  ASSERT_EQ(changes.found.size(), 1U);
  EXPECT_EQ(changes.found[0].at, 40U);
  EXPECT_LE(changes.found[0].ratio.low, 0.9);
  EXPECT_GE(changes.found[0].ratio.high, 0.9);
  EXPECT_NEAR(changes.found[0].ratio.ratio, 0.9, 0.01);
  EXPECT_FALSE(changes.too_few);
}

TEST(Changes, SayThatTooFewRevisionsProveNothing) {
  EXPECT_TRUE(FindChanges({1, 2, 3}, 0.01).too_few);
  EXPECT_TRUE(FindChanges({1, 2, 3}, 0.01).found.empty());
  EXPECT_TRUE(FindChanges({}, 0.01).too_few);
  EXPECT_FALSE(FindChanges(std::vector<double>(10, 1.0), 0.01).too_few);
}

int DependentOf100(double correlation, double step) {
  std::mt19937_64 random(5);
  int dependent = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> values = Noisy(100, correlation, random);
    for (std::size_t place = 50; place < values.size(); ++place) {
      values[place] *= step;
    }
    dependent += FindChanges(values, 0.01).dependent ? 1 : 0;
  }
  return dependent;
}

TEST(Changes, ReportDependenceOfDriftingSeriesAndRarelyOfOthers) {
  EXPECT_LE(DependentOf100(0, 1), 12);
  EXPECT_LE(DependentOf100(0, 1.1), 15) << "a step alone is no dependence";
  EXPECT_GE(DependentOf100(0.5, 1), 80);
  EXPECT_GE(DependentOf100(0.8, 1), 95);
}

}  // namespace

}  // namespace schedbench::history::tests
