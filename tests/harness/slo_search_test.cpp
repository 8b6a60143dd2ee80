#include "harness/slo_search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace schedbench::harness::slo_search_test {

namespace {

using registry::Better;

constexpr std::array kMetrics{registry::Metric{"latency", "ns", Better::kLower, ""},
                              registry::Metric{"late", "ns", Better::kNone, ""},
                              registry::Metric{"growth", "share", Better::kNone, "", 100}};
constexpr std::array kLatencies{registry::OpenLoad::Latency{"p99", "latency"}};
constexpr registry::OpenLoad kLoad{.rate = "rate",
                                   .operations = "requests",
                                   .latencies = kLatencies,
                                   .late = "late",
                                   .late_beside = "latency",
                                   .backlog_growth = "growth",
                                   .saturated_above = 0.05};

const registry::WorkloadEntry& Workload() {
  static const registry::WorkloadEntry entry{.name = "service",
                                             .doc = "",
                                             .operation = "request",
                                             .schema = nullptr,
                                             .make = nullptr,
                                             .metrics = kMetrics,
                                             .open_load = &kLoad};
  return entry;
}

struct Seen {
  double latency;
  std::optional<double> growth;
};

LoadProbe Judge(const std::vector<Seen>& rounds, double below_ns) {
  const std::size_t first = RoundMetricList().size();
  std::vector<Round> measured;
  for (const Seen& seen : rounds) {
    Round round;
    round.metrics.resize(first);
    round.metrics.insert(round.metrics.end(), {seen.latency, 0.0, seen.growth});
    measured.push_back(round);
  }
  return JudgeRate(Workload(), {{.text = "", .metric = first, .below_ns = below_ns}}, 1000,
                   measured);
}

TEST(JudgeRate, HoldsWhenTheMedianOfTheRoundsIsBelowTheLimit) {
  const std::vector<Seen> rounds{{900, 0}, {5000, 0}, {950, 0}, {990, 0}, {7000, 0}};
  EXPECT_TRUE(Judge(rounds, 1000).holds);
  EXPECT_TRUE(Judge(rounds, 990.1).holds);
  EXPECT_FALSE(Judge(rounds, 990).holds) << "at the limit is not below it";
}

TEST(JudgeRate, DoesNotHoldWhereTheLoadIsNotKeptWhateverTheLatency) {
  const LoadProbe probe = Judge({{1, 0.2}, {1, 0.06}, {1, 0}}, 1000);
  EXPECT_TRUE(probe.saturated);
  EXPECT_FALSE(probe.holds);
  EXPECT_DOUBLE_EQ(*probe.backlog_growth, 0.06);
  EXPECT_FALSE(Judge({{1, 0.2}, {1, 0.05}, {1, 0}}, 1000).saturated) << "the limit is kept";
}

TEST(JudgeRate, TakesARateAsKeptWhereRoundsAreTooSmallToSay) {
  const LoadProbe probe = Judge({{1, std::nullopt}}, 1000);
  EXPECT_EQ(probe.backlog_growth, std::nullopt);
  EXPECT_TRUE(probe.holds);
}

}  // namespace

}  // namespace schedbench::harness::slo_search_test
