#include "workloads/parts/load_metrics.hpp"

#include "metrics/log_histogram.hpp"
#include "tests/workloads/open_loop/virtual_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace schedbench::workloads::load_metrics_test {

namespace {

using tests::ServeVirtually;

constexpr std::uint64_t kMs = 1'000'000;

TEST(ReadLoad, ReportsLatencyFromDueAndFromSubmit) {
  std::vector<RequestTimes> requests;
  for (std::uint64_t i = 0; i < 1001; ++i) {
    requests.push_back({.due = 1000 * kMs + i * kMs,
                        .submitted = 1000 * kMs + i * kMs + 500,
                        .begun = 1000 * kMs + i * kMs + 600,
                        .ended = 1000 * kMs + i * kMs + 1000 + i});
  }
  const LoadMetrics metrics = ReadLoad(requests, 999 * kMs);
  EXPECT_DOUBLE_EQ(metrics.latency.mean, 1500);
  EXPECT_DOUBLE_EQ(metrics.latency.p50, 1500);
  EXPECT_DOUBLE_EQ(metrics.latency.p99, 1990);
  EXPECT_DOUBLE_EQ(metrics.latency.p99_9, 1999);
  EXPECT_DOUBLE_EQ(metrics.uncorrected.mean, 1000);
  EXPECT_DOUBLE_EQ(metrics.uncorrected.p50, 1000);
  EXPECT_DOUBLE_EQ(metrics.uncorrected.p99, 1490);
  EXPECT_DOUBLE_EQ(metrics.uncorrected.p99_9, 1499);
  EXPECT_DOUBLE_EQ(metrics.late_p99, 500);
  EXPECT_DOUBLE_EQ(metrics.service_mean, 900);
  EXPECT_DOUBLE_EQ(metrics.offered, 1000) << "1001 requests in 1001 ms";
  EXPECT_NEAR(metrics.achieved, 1000, 0.01);
  EXPECT_EQ(metrics.backlog_growth, 0);
}

// A source that stands still from 1 s to 1.1 s and then submits at once all that has become due, of
// requests that come each millisecond for 10 s and are served in 10 us.
std::vector<RequestTimes> AroundAStall() {
  const auto drawn = DrawLoad({.arrivals = Arrivals::kConstant,
                               .rate = 1000,
                               .service = ServiceLaw::kConstant,
                               .service_ns = 10'000},
                              10'000, 1, 0);
  std::uint64_t free_at = 0;
  std::vector<RequestTimes> requests;
  for (const DrawnRequest& request : drawn) {
    const bool is_stalled = request.due_ns >= 1000 * kMs && request.due_ns < 1100 * kMs;
    const std::uint64_t submitted = is_stalled ? 1100 * kMs : request.due_ns;
    const std::uint64_t begun = std::max(free_at, submitted);
    free_at = begun + request.service_ns;
    requests.push_back(
        {.due = request.due_ns, .submitted = submitted, .begun = begun, .ended = free_at});
  }
  return requests;
}

TEST(ReadLoad, CountsWhatAStallOfTheSourceCostsTheRequestsDuringIt) {
  const LoadMetrics metrics = ReadLoad(AroundAStall(), 0);
  // One in a hundred came during the stall, evenly: of all, one in a thousand waited 90 ms and
  // more, and the mean is half of the stall for each of them.
  EXPECT_NEAR(metrics.latency.p99_9, 90.0 * kMs, 0.05 * 90 * kMs);
  EXPECT_NEAR(metrics.latency.mean, 0.5 * kMs, 0.05 * 0.5 * kMs);
  EXPECT_LT(metrics.uncorrected.p99_9, 1.0 * kMs) << "the source alone does not show it";
  EXPECT_GT(metrics.late_p99, 0);
}

TEST(ReadLoad, TakesARoundOfOneRequest) {
  const std::vector<RequestTimes> one{
      {.due = 2 * kMs, .submitted = 2 * kMs, .begun = 2 * kMs, .ended = 3 * kMs}};
  const LoadMetrics metrics = ReadLoad(one, kMs);
  EXPECT_DOUBLE_EQ(metrics.latency.p99_9, 1.0 * kMs);
  EXPECT_DOUBLE_EQ(metrics.offered, 1000);
  EXPECT_DOUBLE_EQ(metrics.achieved, 500);
}

// Growth in each of 200 simulated rounds.
std::vector<double> Growths(std::uint32_t servers, std::uint32_t requests, double load,
                            LoadLaws laws = {}) {
  laws.service_ns = 20'000;
  laws.rate = load * servers * 1e9 / 20'000;
  std::vector<double> growths;
  for (std::uint64_t round = 0; round < 200; ++round) {
    growths.push_back(BacklogGrowth(ServeVirtually(DrawLoad(laws, requests, 1, round), servers)));
  }
  return growths;
}

double ShareSaturated(const std::vector<double>& growths) {
  return static_cast<double>(std::ranges::count_if(
             growths, [](double growth) { return growth > kSaturatedGrowth; })) /
         static_cast<double>(growths.size());
}

TEST(BacklogGrowth, IsTheShareOfRequestsThatAreNotServedInTime) {
  const LoadLaws steady{.arrivals = Arrivals::kConstant, .service = ServiceLaw::kConstant};
  EXPECT_NEAR(Growths(1, 5000, 1.25, steady).front(), 1 - 1 / 1.25, 0.002);
  EXPECT_NEAR(Growths(4, 5000, 2, steady).front(), 0.5, 0.002);
  EXPECT_EQ(Growths(1, 5000, 0.99, steady).front(), 0);
}

TEST(BacklogGrowth, StaysBelowTheLimitWhereTheLoadIsKept) {
  for (const std::uint32_t servers : {1U, 4U, 64U}) {
    EXPECT_LE(ShareSaturated(Growths(servers, kRequestsToSeeGrowth, 0.8)), 0.01) << servers;
    EXPECT_LE(ShareSaturated(Growths(servers, 5000, 0.95)), 0.01) << servers;
  }
}

TEST(BacklogGrowth, IsAboveTheLimitWhereTheLoadIsNotKept) {
  for (const std::uint32_t servers : {1U, 4U, 64U}) {
    EXPECT_GE(ShareSaturated(Growths(servers, kRequestsToSeeGrowth, 1.2)), 0.97) << servers;
    EXPECT_GE(ShareSaturated(Growths(servers, 5000, 1.1)), 0.94) << servers;
    EXPECT_EQ(ShareSaturated(Growths(servers, 5000, 1.2)), 1) << servers;
  }
}

TEST(BacklogGrowth, ForgivesBursts) {
  const LoadLaws bursts{.arrivals = Arrivals::kBursty, .burst = 10};
  EXPECT_LE(ShareSaturated(Growths(1, 5000, 0.8, bursts)), 0.01);
  EXPECT_GE(ShareSaturated(Growths(1, 5000, 1.2, bursts)), 0.97);
}

TEST(BacklogGrowth, ForgivesManyServersWhoseLastRequestsTakeAsLongAsTheRound) {
  // What takes a third of the round to drain is no backlog that grows.
  const auto requests = ServeVirtually(
      DrawLoad({.rate = 0.8 * 64 * 1e9 / 20'000, .service_ns = 20'000}, 1000, 1, 0), 64);
  const LoadMetrics metrics = ReadLoad(requests, 0);
  EXPECT_LT(metrics.achieved, 0.95 * metrics.offered);
  EXPECT_LE(metrics.backlog_growth, kSaturatedGrowth);
}

TEST(SamplesFor, IsWhatTheDeclaredNumbersOfRequestsAre) {
  EXPECT_EQ(metrics::SamplesFor(0.99), 299U);
  EXPECT_EQ(metrics::SamplesFor(0.999), 2995U);
}

}  // namespace

}  // namespace schedbench::workloads::load_metrics_test
