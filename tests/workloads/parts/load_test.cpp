#include "workloads/parts/load.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace schedbench::workloads::load_test {

namespace {

constexpr std::uint32_t kMany = 200'000;

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments MomentsOf(const std::vector<double>& values) {
  Moments moments;
  for (const double value : values) {
    moments.mean += value / static_cast<double>(values.size());
  }
  for (const double value : values) {
    moments.deviation += (value - moments.mean) * (value - moments.mean);
  }
  moments.deviation = std::sqrt(moments.deviation / static_cast<double>(values.size()));
  return moments;
}

std::vector<double> Distances(const std::vector<DrawnRequest>& drawn) {
  std::vector<double> distances;
  std::uint64_t before = 0;
  for (const DrawnRequest& request : drawn) {
    distances.push_back(static_cast<double>(request.due_ns - before));
    before = request.due_ns;
  }
  return distances;
}

std::vector<double> Services(const std::vector<DrawnRequest>& drawn) {
  std::vector<double> services;
  for (const DrawnRequest& request : drawn) {
    services.push_back(static_cast<double>(request.service_ns));
  }
  return services;
}

TEST(DrawLoad, ConstantArrivalsAreAtEqualDistances) {
  const LoadLaws laws{.arrivals = Arrivals::kConstant, .rate = 1000};
  const auto drawn = DrawLoad(laws, 1000, 1, 0);
  for (const double distance : Distances(drawn)) {
    EXPECT_EQ(distance, 1e6);
  }
}

TEST(DrawLoad, PoissonArrivalsAreAtExponentialDistances) {
  const LoadLaws laws{.arrivals = Arrivals::kPoisson, .rate = 1000};
  const Moments distances = MomentsOf(Distances(DrawLoad(laws, kMany, 1, 0)));
  EXPECT_NEAR(distances.mean, 1e6, 0.01e6);
  EXPECT_NEAR(distances.deviation, 1e6, 0.01e6) << "an exponential law deviates by its mean";
}

TEST(DrawLoad, BurstsComeTogetherAndLeaveTheRateAsItIs) {
  const LoadLaws laws{.arrivals = Arrivals::kBursty, .rate = 1000, .burst = 10};
  const auto drawn = DrawLoad(laws, kMany, 1, 0);
  std::uint32_t together = 0;
  for (std::size_t i = 1; i < drawn.size(); ++i) {
    EXPECT_TRUE(i % 10 == 0 || drawn[i].due_ns == drawn[i - 1].due_ns);
    together += drawn[i].due_ns == drawn[i - 1].due_ns ? 1 : 0;
  }
  EXPECT_EQ(together, kMany - kMany / 10);
  EXPECT_NEAR(static_cast<double>(drawn.back().due_ns), kMany * 1e6, 0.02 * kMany * 1e6);
}

TEST(DrawLoad, LastBurstIsCutOffAtTheNumberOfRequests) {
  const LoadLaws laws{.arrivals = Arrivals::kBursty, .rate = 1000, .burst = 10};
  EXPECT_EQ(DrawLoad(laws, 25, 1, 0).size(), 25U);
}

TEST(DrawLoad, ConstantServicesAreAllAlike) {
  const LoadLaws laws{.service = ServiceLaw::kConstant, .service_ns = 12'345};
  for (const double service : Services(DrawLoad(laws, 1000, 1, 0))) {
    EXPECT_EQ(service, 12'345);
  }
}

TEST(DrawLoad, ExponentialServicesHaveTheirMeanAndDeviateByIt) {
  const LoadLaws laws{.service = ServiceLaw::kExponential, .service_ns = 20'000};
  const Moments services = MomentsOf(Services(DrawLoad(laws, kMany, 1, 0)));
  EXPECT_NEAR(services.mean, 20'000, 200);
  EXPECT_NEAR(services.deviation, 20'000, 200);
}

TEST(DrawLoad, ServicesHaveNothingToDoWithArrivals) {
  const auto drawn = DrawLoad({.rate = 1000, .service_ns = 20'000}, kMany, 1, 0);
  const auto distances = Distances(drawn);
  const auto services = Services(drawn);
  double product = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    product += (distances[i] / 1e6 - 1) * (services[i] / 20'000 - 1) / kMany;
  }
  EXPECT_NEAR(product, 0, 0.01);
}

bool AreSame(const std::vector<DrawnRequest>& a, const std::vector<DrawnRequest>& b) {
  return Distances(a) == Distances(b) && Services(a) == Services(b);
}

TEST(DrawLoad, SameSeedAndRoundGiveTheSameRequests) {
  const LoadLaws laws{.rate = 1000, .service_ns = 20'000};
  EXPECT_TRUE(AreSame(DrawLoad(laws, 1000, 7, 3), DrawLoad(laws, 1000, 7, 3)));
  EXPECT_FALSE(AreSame(DrawLoad(laws, 1000, 7, 3), DrawLoad(laws, 1000, 8, 3)));
  EXPECT_FALSE(AreSame(DrawLoad(laws, 1000, 7, 3), DrawLoad(laws, 1000, 7, 4)));
}

TEST(DrawLoad, AnotherRateMovesTheSameRequestsCloserTogether) {
  const auto slow = DrawLoad({.rate = 1000, .service_ns = 20'000}, 1000, 7, 0);
  const auto fast = DrawLoad({.rate = 4000, .service_ns = 20'000}, 1000, 7, 0);
  EXPECT_EQ(Services(slow), Services(fast));
  for (std::size_t i = 0; i < slow.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(fast[i].due_ns), static_cast<double>(slow[i].due_ns) / 4, 1);
  }
}

}  // namespace

}  // namespace schedbench::workloads::load_test
