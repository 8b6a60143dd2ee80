#include "config/assignment.hpp"
#include "config/problems.hpp"
#include "metrics/log_histogram.hpp"
#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace schedbench::tests::open_loop_test {

namespace {

// Nothing below depends on how fast it goes.

TEST(OpenLoop, ServesEachRequestOnceUnderEachLaw) {
  for (const std::string laws :
       {"arrivals=constant", "arrivals=poisson", "arrivals=bursty,burst=7",
        "service_ns=500,service=constant", "service_ns=500,service=exponential", "service_ns=0",
        "source_spin_ns=0"}) {
    const Outcome outcome = RunOnce("open_loop:requests=500,rate=1e6," + laws, "fast", 2);
    EXPECT_EQ(outcome.wrong, "") << laws;
    EXPECT_EQ(outcome.operations, 500U) << laws;
  }
}

TEST(OpenLoop, LatencyFromDueIsNeverBelowTheOneFromSubmit) {
  const Outcome outcome = RunOnce("open_loop:requests=500,rate=1e6,service_ns=500", "fast", 2);
  EXPECT_GE(outcome["latency_mean"], outcome["uncorrected_mean"]);
  EXPECT_GE(outcome["latency_p50"], outcome["uncorrected_p50"]);
  EXPECT_GE(outcome["latency_p99"], outcome["uncorrected_p99"]);
  EXPECT_GE(outcome["uncorrected_mean"], outcome["service_mean"]);
  EXPECT_GT(outcome["service_mean"], 0);
}

TEST(OpenLoop, OffersTheRateThatItIsAskedForAndAchievesNoMore) {
  const Outcome outcome =
      RunOnce("open_loop:requests=500,rate=50000,arrivals=constant,service_ns=0", "fast", 2);
  EXPECT_DOUBLE_EQ(outcome["offered"], 50000);
  EXPECT_LE(outcome["achieved"], 50000);
}

TEST(OpenLoop, RoundsDifferAndAreTheSameOnEveryScheduler) {
  const auto offered = [](std::string_view name) {
    const auto scheduler = MakeScheduler(name, 2);
    const MadeWorkload made = MakeWorkload("open_loop:requests=100,rate=1e6,service_ns=0");
    const auto place = std::ranges::find(made.entry.metrics, "offered", &registry::Metric::name) -
                       made.entry.metrics.begin();
    std::vector<double> rounds;
    for (int round = 0; round < 3; ++round) {
      made.workload->Prepare();
      made.workload->Run(*scheduler);
      scheduler->WaitIdle();
      EXPECT_EQ(made.workload->Verify(), "");
      rounds.push_back(made.workload->Metrics()[static_cast<std::size_t>(place)]);
    }
    EXPECT_NE(rounds[0], rounds[1]);
    return rounds;
  };
  EXPECT_EQ(offered("fast"), offered("global_fifo"));
}

TEST(OpenLoop, MetricsNeedAsManyRequestsAsTheirPercentiles) {
  for (const registry::Metric& metric : registry::FindWorkload("open_loop")->metrics) {
    if (metric.name.ends_with("p99_9")) {
      EXPECT_EQ(metric.needs, metrics::SamplesFor(0.999)) << metric.name;
    } else if (metric.name.ends_with("p99")) {
      EXPECT_EQ(metric.needs, metrics::SamplesFor(0.99)) << metric.name;
    }
  }
}

TEST(OpenLoop, RefusesABurstThatWouldHaveNoEffect) {
  EXPECT_NO_THROW(MakeWorkload("open_loop:arrivals=bursty,burst=3"));
  config::Problems problems;
  const auto spec = config::ParseSpec("open_loop:burst=3", "--workload", problems);
  config::Settings settings(registry::FindWorkload("open_loop")->schema());
  config::ApplySpec(*spec, settings, problems);
  config::CheckRules(settings, problems);
  ASSERT_EQ(problems.List().size(), 1U);
  EXPECT_EQ(problems.List().front().message,
            "requests arrive one by one; this field needs arrivals=bursty");
}

}  // namespace

}  // namespace schedbench::tests::open_loop_test
