#include "harness/summary.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace schedbench::harness::summary_test {

namespace {

constexpr double kNsPerTick = 0.5;

const registry::WorkloadEntry kPlain{};

// Latencies of `samples` tasks, all of about 1000 ticks.
RoundReading Reading(std::uint64_t wall_ns, std::uint64_t samples) {
  RoundReading reading;
  reading.wall_ns = wall_ns;
  reading.cpu_ns = 3 * wall_ns / 2;
  reading.operations = 1000;
  reading.parked_ns = wall_ns / 2;
  reading.workers = 2;
  reading.wakeup_ticks.Add(metrics::LogBuckets::IndexOf(1000), samples);
  return reading;
}

std::vector<Round> Rounds(const std::vector<RoundReading>& readings) {
  std::vector<Round> rounds;
  rounds.reserve(readings.size());
  for (const RoundReading& reading : readings) {
    rounds.push_back(ToRound(reading, kNsPerTick));
  }
  return rounds;
}

TEST(Round, TurnsAReadingIntoMetrics) {
  const Round round = ToRound(Reading(2'000'000, 5000), kNsPerTick);
  EXPECT_DOUBLE_EQ(*round.metrics[RoundMetricIndex("throughput")], 1000 / 2e-3);
  EXPECT_DOUBLE_EQ(*round.metrics[RoundMetricIndex("cpu_per_operation")], 3000);
  EXPECT_DOUBLE_EQ(*round.metrics[RoundMetricIndex("cpus_used")], 1.5);
  EXPECT_DOUBLE_EQ(*round.metrics[RoundMetricIndex("idle_share")], 0.25);
  EXPECT_NEAR(*round.metrics[RoundMetricIndex("wakeup_p99_9")], 500, 500 * 0.008);
  EXPECT_NEAR(*round.metrics[RoundMetricIndex("wakeup_max")], 500, 500 * 0.008);
}

TEST(Round, HasNoMetricThatItCannotKnow) {
  const Round round = ToRound(RoundReading{}, kNsPerTick);
  for (const auto& metric : round.metrics) {
    EXPECT_FALSE(metric.has_value());
  }
}

TEST(Round, IdleShareIsNeverAboveOne) {
  RoundReading reading = Reading(1000, 0);
  reading.parked_ns = 2100;
  EXPECT_EQ(ToRound(reading, kNsPerTick).metrics[RoundMetricIndex("idle_share")], 1.0);
}

TEST(Summary, IsMedianAndItsIntervalFromSixRoundsOn) {
  std::vector<RoundReading> readings;
  for (const std::uint64_t wall_ns : {100, 200, 400, 500, 800, 1000}) {
    readings.push_back(Reading(wall_ns, 0));
  }
  const std::vector<SummaryRow> rows = Summarise(kPlain, Rounds(readings));
  const SummaryRow& throughput = RowOf(rows, "throughput");
  ASSERT_TRUE(throughput.spread);
  EXPECT_TRUE(throughput.spread->is_interval);
  EXPECT_DOUBLE_EQ(throughput.spread->median, (1e12 / 400 + 1e12 / 500) / 2);
  EXPECT_DOUBLE_EQ(throughput.spread->low, 1e12 / 1000);
  EXPECT_DOUBLE_EQ(throughput.spread->high, 1e12 / 100);
}

TEST(Summary, IsARangeOfFewerRounds) {
  const auto rows = Summarise(kPlain, Rounds({Reading(100, 0), Reading(200, 0)}));
  const auto& spread = RowOf(rows, "throughput").spread;
  ASSERT_TRUE(spread);
  EXPECT_FALSE(spread->is_interval);
  EXPECT_DOUBLE_EQ(spread->low, 1e12 / 200);
  EXPECT_DOUBLE_EQ(spread->high, 1e12 / 100);
}

TEST(Summary, LeavesOutAPercentileThatOneRoundLacksAndSaysWhy) {
  const auto rows =
      Summarise(kPlain, Rounds({Reading(100, 5000), Reading(100, 298), Reading(100, 5000)}));
  const SummaryRow& row = RowOf(rows, "wakeup_p99");
  EXPECT_FALSE(row.spread);
  EXPECT_EQ(row.missing,
            "too few samples in 1 of 3 rounds: 298 in the smallest, this percentile needs 299");
  EXPECT_TRUE(RowOf(rows, "wakeup_p90").spread);
}

TEST(Summary, DoesNotBlameTheWorkloadWhereTheSchedulerTimesNoTasks) {
  RoundReading reading = Reading(100, 0);
  reading.times_tasks = false;
  const auto rows = Summarise(kPlain, Rounds({reading, reading}));
  for (const char* const metric : {"wakeup_p50", "wakeup_max", "run_p99", "run_max"}) {
    EXPECT_EQ(RowOf(rows, metric).missing, "not measured: the scheduler does not time its tasks");
    EXPECT_FALSE(RowOf(rows, metric).too_few);
  }
}

TEST(Summary, HasARowForEachOfTheWorkloadsOwnMetrics) {
  const std::array own{registry::Metric{"size", "B", registry::Better::kLower, "How big"}};
  registry::WorkloadEntry workload;
  workload.metrics = own;
  std::vector<RoundReading> readings{Reading(100, 0), Reading(100, 0), Reading(100, 0)};
  for (std::size_t i = 0; i < readings.size(); ++i) {
    readings[i].own = {10.0 * static_cast<double>(i)};
  }
  const auto rows = Summarise(workload, Rounds(readings));
  ASSERT_EQ(rows.size(), RoundMetricList().size() + 1);
  EXPECT_EQ(rows.back().metric, &own[0]);
  ASSERT_TRUE(rows.back().spread);
  EXPECT_DOUBLE_EQ(rows.back().spread->median, 10);
  EXPECT_EQ(MetricsOf(workload).back()->name, "size");
}

TEST(Summary, LeavesOutAnOwnMetricThatNeedsMoreOperationsAndSaysSo) {
  const std::array own{
      registry::Metric{"latency_p99", "ns", registry::Better::kLower, "Long", 2995}};
  registry::WorkloadEntry workload;
  workload.operation = "request";
  workload.metrics = own;
  std::vector<RoundReading> readings{Reading(100, 0), Reading(100, 0)};
  readings[0].own = {7.0};
  readings[1].own = {std::nullopt};
  const auto rows = Summarise(workload, Rounds(readings));
  EXPECT_FALSE(rows.back().spread);
  EXPECT_TRUE(rows.back().too_few);
  EXPECT_EQ(rows.back().missing,
            "too few requests in 1 of 2 rounds: 1000 in the smallest, this metric needs 2995");
}

TEST(Summary, OfNoRoundSaysSo) {
  for (const SummaryRow& row : Summarise(kPlain, {})) {
    EXPECT_FALSE(row.spread);
    EXPECT_EQ(row.missing, "no round was finished");
  }
}

}  // namespace

}  // namespace schedbench::harness::summary_test
