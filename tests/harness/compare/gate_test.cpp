#include "harness/compare/gate.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace schedbench::harness::gate_test {

namespace {

constexpr registry::Metric kThroughput{"throughput", "/s", registry::Better::kHigher, ""};
constexpr registry::Metric kLatency{"wakeup_p99", "ns", registry::Better::kLower, ""};

using Ratio = std::optional<stats::RatioEstimate>;

Ratio Between(double low, double high) {
  return stats::RatioEstimate{.ratio = (low + high) / 2, .low = low, .high = high};
}

ComparedRow Row(std::size_t alternative, const registry::Metric& metric, Ratio ratio) {
  return {.workload = 0,
          .alternative = alternative,
          .metric = &metric,
          .spread = std::nullopt,
          .ratio = ratio,
          .judged = ratio,
          .verdict = std::nullopt,
          .missing = "",
          .against = alternative > 0 ? std::optional<std::size_t>(0) : std::nullopt};
}

Gate Make(Gate::Kind kind, Relation relation, double change) {
  return {.kind = kind, .text = "", .metric = "throughput", .relation = relation, .change = change};
}

GateOutcome FailIf(Relation relation, double change, Ratio ratio) {
  return OutcomeOf(Make(Gate::Kind::kFailIf, relation, change), ratio);
}

GateOutcome Require(Relation relation, double change, Ratio ratio) {
  return OutcomeOf(Make(Gate::Kind::kRequire, relation, change), ratio);
}

// Halves and quarters are exact.
TEST(Gate, FailsOnlyWhereTheWholeIntervalIsBeyondTheLimit) {
  EXPECT_EQ(FailIf(Relation::kBelow, -0.5, Between(0.25, 0.375)), GateOutcome::kFailed);
  EXPECT_EQ(FailIf(Relation::kBelow, -0.5, Between(0.25, 0.5)), GateOutcome::kPassed);
  EXPECT_EQ(FailIf(Relation::kAtMost, -0.5, Between(0.25, 0.5)), GateOutcome::kFailed);
  EXPECT_EQ(FailIf(Relation::kAtMost, -0.5, Between(0.25, 0.75)), GateOutcome::kPassed);
  EXPECT_EQ(FailIf(Relation::kAbove, 0.25, Between(1.5, 2)), GateOutcome::kFailed);
  EXPECT_EQ(FailIf(Relation::kAbove, 0.25, Between(1.25, 2)), GateOutcome::kPassed);
  EXPECT_EQ(FailIf(Relation::kAtLeast, 0.25, Between(1.25, 2)), GateOutcome::kFailed);
  EXPECT_EQ(FailIf(Relation::kAtLeast, 0.25, Between(1, 2)), GateOutcome::kPassed);
  EXPECT_EQ(FailIf(Relation::kBelow, -0.5, std::nullopt), GateOutcome::kInconclusive);
}

TEST(Gate, RequirementPassesOnlyWhereItIsProvenAndFailsWhereTheContraryIs) {
  EXPECT_EQ(Require(Relation::kAtLeast, -0.5, Between(0.5, 2)), GateOutcome::kPassed);
  EXPECT_EQ(Require(Relation::kAtLeast, -0.5, Between(0.25, 0.5)), GateOutcome::kInconclusive);
  EXPECT_EQ(Require(Relation::kAtLeast, -0.5, Between(0.25, 0.375)), GateOutcome::kFailed);
  EXPECT_EQ(Require(Relation::kAbove, -0.5, Between(0.75, 2)), GateOutcome::kPassed);
  EXPECT_EQ(Require(Relation::kAbove, -0.5, Between(0.5, 2)), GateOutcome::kInconclusive);
  EXPECT_EQ(Require(Relation::kAbove, -0.5, Between(0.25, 0.5)), GateOutcome::kFailed);
  EXPECT_EQ(Require(Relation::kAtMost, 0.25, Between(1, 1.25)), GateOutcome::kPassed);
  EXPECT_EQ(Require(Relation::kAtMost, 0.25, Between(1.25, 2)), GateOutcome::kInconclusive);
  EXPECT_EQ(Require(Relation::kAtMost, 0.25, Between(1.5, 2)), GateOutcome::kFailed);
  EXPECT_EQ(Require(Relation::kBelow, 0.25, Between(0.5, 1)), GateOutcome::kPassed);
  EXPECT_EQ(Require(Relation::kBelow, 0.25, Between(1, 1.25)), GateOutcome::kInconclusive);
  EXPECT_EQ(Require(Relation::kBelow, 0.25, Between(1.25, 2)), GateOutcome::kFailed);
  EXPECT_EQ(Require(Relation::kBelow, 0.25, std::nullopt), GateOutcome::kInconclusive);
}

TEST(Gate, JudgesTheRatiosOfItsMetricAndShowsTheWorst) {
  const std::vector<ComparedRow> rows{
      Row(0, kThroughput, std::nullopt), Row(1, kThroughput, Between(0.9, 1.1)),
      Row(2, kThroughput, Between(0.3, 0.4)), Row(3, kThroughput, Between(0.1, 0.2)),
      Row(1, kLatency, Between(0.01, 0.02))};
  const GateResult result = Judge(Make(Gate::Kind::kFailIf, Relation::kBelow, -0.5), rows);
  EXPECT_EQ(result.outcome, GateOutcome::kFailed);
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows[0].place, 1U);
  EXPECT_EQ(result.rows[0].outcome, GateOutcome::kPassed);
  EXPECT_EQ(result.rows[1].outcome, GateOutcome::kFailed);
  EXPECT_EQ(result.worst, 3U);
  EXPECT_EQ(Judge(Make(Gate::Kind::kFailIf, Relation::kAbove, 0.5), rows).worst, 1U);
}

TEST(Gate, LeavesOutWhatMoreBlocksWouldNotDecide) {
  std::vector<ComparedRow> rows{
      Row(0, kThroughput, std::nullopt), Row(1, kThroughput, Between(1, 1.25)),
      Row(2, kThroughput, std::nullopt), Row(3, kThroughput, std::nullopt)};
  rows[2].never = true;
  rows[3].never = true;
  const Gate gate = Make(Gate::Kind::kRequire, Relation::kAtLeast, 0);
  const GateResult judged = Judge(gate, rows);
  EXPECT_EQ(judged.outcome, GateOutcome::kPassed);
  EXPECT_EQ(judged.rows.size(), 1U);
  EXPECT_EQ(judged.left_out, 2U);
  rows[3].never = false;
  EXPECT_EQ(Judge(gate, rows).outcome, GateOutcome::kInconclusive);
  rows.erase(rows.begin() + 1);
  rows.pop_back();
  EXPECT_EQ(Judge(gate, rows).outcome, GateOutcome::kInconclusive) << "nothing is left to judge";
}

TEST(Gate, OneFailureOutweighsWhatIsInconclusiveAndThatWhatPassed) {
  const Gate gate = Make(Gate::Kind::kRequire, Relation::kAtLeast, -0.5);
  const ComparedRow good = Row(1, kThroughput, Between(0.9, 1.1));
  const ComparedRow missing = Row(1, kThroughput, std::nullopt);
  const ComparedRow bad = Row(1, kThroughput, Between(0.1, 0.2));
  const GateResult passed = Judge(gate, {good});
  const GateResult inconclusive = Judge(gate, {good, missing});
  const GateResult failed = Judge(gate, {good, missing, bad});
  EXPECT_EQ(passed.outcome, GateOutcome::kPassed);
  EXPECT_EQ(inconclusive.outcome, GateOutcome::kInconclusive);
  EXPECT_EQ(inconclusive.worst, 1U);
  EXPECT_EQ(failed.outcome, GateOutcome::kFailed);
  EXPECT_EQ(failed.worst, 2U);
  EXPECT_EQ(Judge(gate, {}).outcome, GateOutcome::kInconclusive) << "nothing is no proof";
  EXPECT_EQ(OutcomeOfAll({passed, passed}), GateOutcome::kPassed);
  EXPECT_EQ(OutcomeOfAll({passed, inconclusive}), GateOutcome::kInconclusive);
  EXPECT_EQ(OutcomeOfAll({failed, inconclusive}), GateOutcome::kFailed);
}

}  // namespace

}  // namespace schedbench::harness::gate_test
