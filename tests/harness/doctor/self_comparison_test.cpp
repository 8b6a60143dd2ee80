#include "harness/doctor/self_comparison.hpp"

#include "config/schema_of.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace schedbench::harness::self_comparison_test {

namespace {

struct NoParameters {
  config::Field<"n", std::uint32_t{1}, config::Range{1U, 9U}, "Nothing"> n;
};

const registry::WorkloadEntry kWorkload{
    .name = "work",
    .doc = "",
    .operation = "thing",
    .schema = &config::SchemaOf<NoParameters>,
    .make = nullptr,
    .metrics = {},
};

class SelfComparisonTest : public testing::Test {
 protected:
  SelfComparisonTest() {
    plan_.alternatives = {{.name = "a", .command = {}, .scheduler = "fast"},
                          {.name = "a (2)", .command = {}, .scheduler = "fast"}};
    plan_.workloads = {{.entry = &kWorkload, .name = "work:n=1"}};
    plan_.metrics = {"throughput"};
    data_.series.assign(1, std::vector<Series>(2));
    data_.complete = true;
  }

  // Blocks in which the second one takes `factor` times as long, and by `noise` more or less, in
  // turn.
  void Measure(std::size_t blocks, double factor, double noise) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const double here = factor * (block % 2 == 0 ? 1 + noise : 1 / (1 + noise));
      data_.series[0][0].blocks.push_back({Round(1e6)});
      data_.series[0][1].blocks.push_back({Round(1e6 * here)});
    }
  }

  void Expect(Severity severity, std::string_view text, std::string_view remedy) const {
    const Finding finding = Judge(Conclude(plan_, data_));
    EXPECT_EQ(ToText(finding.severity), ToText(severity));
    EXPECT_EQ(finding.topic, "A/A");
    EXPECT_NE(finding.text.find(text), std::string::npos) << finding.text;
    EXPECT_EQ(finding.remedy, remedy);
    EXPECT_EQ(finding.too_noisy, severity != Severity::kOk);
  }

  ComparisonPlan plan_;
  ExperimentData data_;

 private:
  static RoundReply Round(double wall_ns) {
    return {.wall_ns = static_cast<std::uint64_t>(wall_ns), .operations = 1000};
  }
};

TEST_F(SelfComparisonTest, ReportsWhatCanBeResolved) {
  Measure(20, 1, 0.01);
  Expect(Severity::kOk,
         "20 blocks of fast against itself: 0.990 to 1.010 times as fast (95 %); differences under "
         "1.0 % cannot be resolved here",
         "");
}

TEST_F(SelfComparisonTest, WarnsWhereLittleCanBeResolved) {
  Measure(20, 1, 0.1);
  Expect(Severity::kWarn, "under 10.0 % cannot", "schedbench doctor --blocks 80");
}

TEST_F(SelfComparisonTest, FailsWhereEqualsDiffer) {
  Measure(20, 1.02, 0.001);
  Expect(Severity::kFail, "without 1: something favours one of two equals, or chance",
         "schedbench doctor --blocks 40");
}

TEST_F(SelfComparisonTest, FailsWithoutAnInterval) {
  Measure(3, 1, 0.01);
  Expect(Severity::kFail, "fast against itself: 3 blocks, an interval needs 6",
         "schedbench compare --workload work:n=1 fast fast");
}

TEST_F(SelfComparisonTest, FailsWithTheReasonWhereOneDidNotFinish) {
  Measure(8, 1, 0.01);
  data_.series[0][1].failure = "the agent died";
  Expect(Severity::kFail, "fast against itself: the agent died",
         "schedbench compare --workload work:n=1 fast fast");
}

TEST(Resolution, IsTheFartherSide) {
  EXPECT_DOUBLE_EQ(Resolution({.ratio = 1, .low = 0.8, .high = 1.1}), 0.25);
  EXPECT_DOUBLE_EQ(Resolution({.ratio = 1, .low = 1, .high = 1.5}), 0.5);
}

}  // namespace

}  // namespace schedbench::harness::self_comparison_test
