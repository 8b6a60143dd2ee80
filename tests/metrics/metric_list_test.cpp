#include "metrics/metric_list.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace schedbench::metrics::metric_list_test {

namespace {

std::uint64_t ValueOf(const MetricValues& values, std::string_view name) {
  return values[MetricIndex(name)];
}

TEST(WorkerMetricList, HasEachMetricOnceWithTasksRunFirst) {
  const auto list = WorkerMetricList();
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list.front().name, "tasks_run");
  std::set<std::string_view> names;
  for (const MetricInfo& metric : list) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
  }
}

TEST(PoolMetricList, HasNoNameOfAWorkersMetric) {
  for (const MetricInfo& metric : PoolMetricList()) {
    for (const MetricInfo& of_worker : WorkerMetricList()) {
      EXPECT_NE(metric.name, of_worker.name);
    }
  }
}

TEST(WorkerAndPoolMetricList, HaveANameAUnitAndASentenceForEachMetric) {
  std::vector<MetricInfo> all(WorkerMetricList().begin(), WorkerMetricList().end());
  all.insert(all.end(), PoolMetricList().begin(), PoolMetricList().end());
  for (const MetricInfo& metric : all) {
    for (const char c : metric.name) {
      EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) != 0 || c == '_') << metric.name;
    }
    EXPECT_TRUE(metric.unit == "tasks" || metric.unit == "ops" || metric.unit == "ns" ||
                metric.unit == "threads" || metric.unit == "stacks")
        << metric.name << ": " << metric.unit;
    ASSERT_FALSE(metric.doc.empty()) << metric.name;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(metric.doc.front())) != 0) << metric.name;
    EXPECT_NE(metric.doc.back(), '.') << metric.name;
  }
}

TEST(MetricIndex, FindsEachMetricByItsName) {
  const auto list = WorkerMetricList();
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(MetricIndex(list[i].name), i);
  }
}

TEST(MetricIndexDeathTest, RefusesANameThatNoMetricHas) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(MetricIndex("tasks_ran"), "no metric has this name");
}

TEST(ReadMetrics, GivesTheValuesInTheOrderOfTheList) {
  WorkerMetrics metrics;
  metrics.tasks_run.Add(3);
  metrics.steals.Add(2);
  const MetricValues values = ReadMetrics(metrics);
  ASSERT_EQ(values.size(), WorkerMetricList().size());
  EXPECT_EQ(ValueOf(values, "tasks_run"), 3U);
  EXPECT_EQ(ValueOf(values, "steals"), 2U);
  EXPECT_EQ(ValueOf(values, "parks"), 0U);
  EXPECT_EQ(ValueOf(values, "park_ns"), 0U);
}

TEST(ReadMetrics, ReadsAStopwatchThatRuns) {
  WorkerMetrics metrics;
  metrics.park_ns.Start();
  const std::uint64_t first = ValueOf(ReadMetrics(metrics), "park_ns");
  std::uint64_t later = first;
  while (later == first) {
    later = ValueOf(ReadMetrics(metrics), "park_ns");
  }
  EXPECT_GT(later, first);
}

TEST(ReadMetrics, GivesThoseOfAPoolInTheOrderOfTheirList) {
  PoolMetrics metrics;
  metrics.stacks_made.Add(3);
  const MetricValues values = ReadMetrics(metrics);
  ASSERT_EQ(values.size(), PoolMetricList().size());
  EXPECT_EQ(values[MetricIndex("stacks_made", PoolMetricList())], 3U);
  EXPECT_EQ(values[MetricIndex("stack_refills", PoolMetricList())], 0U);
}

TEST(Since, LeavesAMaximumOfAPoolAsItIs) {
  PoolMetrics metrics;
  metrics.stacks_made.Add(3);
  metrics.stack_refills.Add(3);
  const MetricValues earlier = ReadMetrics(metrics);
  metrics.stacks_made.Add(2);
  metrics.stack_refills.Add(2);
  const MetricValues since = Since(earlier, ReadMetrics(metrics), PoolMetricList());
  EXPECT_EQ(since[MetricIndex("stacks_made", PoolMetricList())], 5U);
  EXPECT_EQ(since[MetricIndex("stack_refills", PoolMetricList())], 2U);
}

TEST(Since, GivesWhatWasCountedBetweenTwoReadings) {
  WorkerMetrics metrics;
  metrics.tasks_run.Add(10);
  const MetricValues earlier = ReadMetrics(metrics);
  metrics.tasks_run.Add(5);
  metrics.parks.Add(1);
  const MetricValues since = Since(earlier, ReadMetrics(metrics));
  EXPECT_EQ(ValueOf(since, "tasks_run"), 5U);
  EXPECT_EQ(ValueOf(since, "parks"), 1U);
  EXPECT_EQ(ValueOf(since, "steals"), 0U);
}

TEST(Aggregate, AddsUpSumsAndTakesTheLargestOfMaxima) {
  MetricValues one(WorkerMetricList().size(), 3);
  MetricValues two(WorkerMetricList().size(), 4);
  const MetricValues total = Aggregate(std::vector{one, two});
  for (std::size_t i = 0; i < total.size(); ++i) {
    const bool is_sum = WorkerMetricList()[i].aggregation == Aggregation::kSum;
    EXPECT_EQ(total[i], is_sum ? 7U : 4U) << WorkerMetricList()[i].name;
  }
}

TEST(Aggregate, GivesZerosForNoWorkers) {
  EXPECT_EQ(Aggregate({}), MetricValues(WorkerMetricList().size(), 0));
}

}  // namespace

}  // namespace schedbench::metrics::metric_list_test
