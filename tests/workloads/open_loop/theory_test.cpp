// The drawn requests and the metrics made of them, against queues of which theory knows the answer.
// In virtual time: no scheduler and no clock is in it. With a scheduler: bench_open_loop.
#include "tests/workloads/open_loop/queue_theory.hpp"
#include "tests/workloads/open_loop/virtual_queue.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests::theory_test {

namespace {

using workloads::LoadLaws;
using workloads::LoadMetrics;
using workloads::ServiceLaw;

constexpr std::uint64_t kServiceNs = 20'000;
constexpr std::uint32_t kRequests = 1'000'000;  // at a load of 0.8 the mean of so many is 1 % off
constexpr std::uint64_t kSeed = 1;
constexpr double kTolerance = 0.05;

LoadMetrics Serve(ServiceLaw service, double load) {
  const LoadLaws laws{
      .rate = load * 1e9 / kServiceNs, .service = service, .service_ns = kServiceNs};
  const auto drawn = workloads::DrawLoad(laws, kRequests, kSeed, 0);
  return workloads::ReadLoad(ServeVirtually(drawn), 0);
}

void ExpectNear(double time, double services) {
  const double expected = services * kServiceNs;
  EXPECT_NEAR(time, expected, kTolerance * expected);
}

class Theory : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Loads, Theory, testing::Values(0.2, 0.4, 0.6, 0.8), [](const auto& info) {
  return std::to_string(static_cast<int>(info.param * 100));
});

// Below saturation all that is offered is served.
void ExpectKept(const LoadMetrics& metrics, double load) {
  const double rate = load * 1e9 / kServiceNs;
  EXPECT_NEAR(metrics.offered, rate, 0.01 * rate);
  EXPECT_NEAR(metrics.achieved, rate, 0.01 * rate);
  EXPECT_LT(metrics.backlog_growth, 0.001);
}

TEST_P(Theory, LatencyWithExponentialServicesIsAsItSays) {
  const double load = GetParam();
  const LoadMetrics metrics = Serve(ServiceLaw::kExponential, load);
  ExpectNear(metrics.latency.mean, ExponentialMean(load));
  ExpectNear(metrics.latency.p50, ExponentialQuantile(load, 0.5));
  ExpectNear(metrics.latency.p99, ExponentialQuantile(load, 0.99));
  ExpectNear(metrics.latency.p99_9, ExponentialQuantile(load, 0.999));
  EXPECT_EQ(metrics.latency.p99, metrics.uncorrected.p99) << "a source that is never late";
  ExpectKept(metrics, load);
}

TEST_P(Theory, MeanWaitWithConstantServicesIsAsItSays) {
  const double load = GetParam();
  const LoadMetrics metrics = Serve(ServiceLaw::kConstant, load);
  EXPECT_DOUBLE_EQ(metrics.service_mean, kServiceNs);
  ExpectNear(metrics.latency.mean - kServiceNs, ConstantMean(load) - 1);
  ExpectKept(metrics, load);
}

}  // namespace

}  // namespace schedbench::tests::theory_test
