// What an audit concludes, of shares that are made up.
#include "harness/audit/audit.hpp"

#include "config/schema_of.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace schedbench::tests::harness_audit_test {

namespace {

using harness::TimeUse;

}  // namespace

enum class Mode : std::uint8_t { kFaithful, kSpin };

constexpr std::array<std::string_view, 2> NamesOf(Mode) {
  return {"faithful", "spin"};
}

namespace {

struct Parameters {
  config::Field<"mode", Mode::kFaithful, config::AnyOf{}, "Mode"> mode;
};

struct Timed {
  config::Field<"interval_ns", std::uint32_t{1}, config::Range{0U, 9U}, "Interval"> interval_ns;
};

const registry::WorkloadEntry kSleepy{
    .name = "sleepy",
    .doc = "",
    .operation = "step",
    .schema = &config::SchemaOf<Parameters>,
    .make = nullptr,
};

const registry::WorkloadEntry kTimed{.name = "timed",
                                     .doc = "",
                                     .operation = "step",
                                     .schema = &config::SchemaOf<Timed>,
                                     .make = nullptr};

harness::AuditResult ResultOf(TimeUse use, double share,
                              const registry::WorkloadEntry& workload = kSleepy) {
  harness::AuditResult result;
  result.workload = &workload;
  result.workload_text = workload.name;
  harness::TimeSplit split;
  split.shares[static_cast<std::size_t>(use)] = share;
  split.shares[static_cast<std::size_t>(TimeUse::kBody)] += 1 - share;
  result.schedulers.push_back({.name = "fast", .split = split, .workers = 4, .samples = 1000});
  return result;
}

TEST(Audit, StatesWhatDominatesAndTheShareOfTheScheduler) {
  const auto sentences = harness::Conclusions(ResultOf(TimeUse::kSleep, 0.92));
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0], "92 % of the workers' time in sleepy is kernel sleep (fast).");
  EXPECT_EQ(sentences[1], "The scheduler's own work (switches, locks, search) takes 0.0 %.");
}

TEST(Audit, AdvisesASpinningModeWhereSleepsTakeTheTime) {
  harness::AuditResult result = ResultOf(TimeUse::kSleep, 0.92);
  EXPECT_EQ(harness::FairerVersion(result)->command, "schedbench audit sleepy:mode=spin fast");
  result.workload_text = "sleepy:mode=slack1,preset=full";
  EXPECT_EQ(harness::FairerVersion(result)->command,
            "schedbench audit sleepy:mode=spin,preset=full fast");
}

TEST(Audit, AdvisesFewerWorkersWhereTheyHaveNoWorkUnlessWorkComesAtTimesOfItsOwn) {
  EXPECT_EQ(harness::FairerVersion(ResultOf(TimeUse::kPark, 0.6))->command,
            "schedbench audit sleepy fast --workers 1");
  EXPECT_EQ(harness::FairerVersion(ResultOf(TimeUse::kPark, 0.6, kTimed)), std::nullopt);
  EXPECT_EQ(harness::FairerVersion(ResultOf(TimeUse::kPreempted, 0.3))->command,
            "schedbench audit sleepy fast --workers 2");
}

TEST(Audit, RepeatsTheFlagsInItsAdvice) {
  harness::AuditResult result = ResultOf(TimeUse::kSleep, 0.92);
  result.flags = " --workers 8";
  EXPECT_EQ(harness::FairerVersion(result)->command,
            "schedbench audit sleepy:mode=spin fast --workers 8");
}

TEST(Audit, ReportsWhatItCouldNotSeparate) {
  harness::AuditResult result = ResultOf(TimeUse::kSystemCall, 0.92);
  result.schedulers.front().split.separates_calls = false;
  EXPECT_NE(harness::Conclusions(result).back().find("sleeps count as calls"), std::string::npos);
  result.schedulers.front().samples = 0;
  EXPECT_NE(harness::Conclusions(result).back().find("no sample"), std::string::npos);
}

TEST(Audit, HasNoAdviceWhereTheSchedulerDominates) {
  EXPECT_EQ(harness::FairerVersion(ResultOf(TimeUse::kSwitch, 0.7)), std::nullopt);
  EXPECT_NE(harness::Conclusions(ResultOf(TimeUse::kSwitch, 0.7))[1].find("measures the scheduler"),
            std::string::npos);
}

harness::AuditResult Compared(std::vector<stats::RatioEstimate> ratios) {
  harness::AuditResult result = ResultOf(TimeUse::kSleep, 0.92);
  for (const char* const name : {"fast", "a", "b"}) {
    result.plan.alternatives.emplace_back().name = name;
  }
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    harness::ComparedRow row{};
    row.alternative = i + 1;
    row.ratio = ratios[i];
    result.comparison.rows.push_back(row);
  }
  return result;
}

TEST(Audit, ReportsTheLargestDifferenceAndPrefersAProvenOne) {
  const auto equal = harness::DifferenceOf(Compared({{1.01, 0.98, 1.03}, {0.95, 0.9, 1.01}}));
  EXPECT_EQ(equal->name, "b");
  EXPECT_FALSE(equal->proven);
  EXPECT_NEAR(equal->change, -0.05, 1e-9);
  const auto other = harness::DifferenceOf(Compared({{1.05, 1.02, 1.09}, {0.9, 0.5, 1.2}}));
  EXPECT_EQ(other->name, "a");
  EXPECT_TRUE(other->proven);
  EXPECT_EQ(harness::DifferenceOf(Compared({})), std::nullopt);
}

}  // namespace

}  // namespace schedbench::tests::harness_audit_test
