#include "workloads/parts/load.hpp"

#include "base/random.hpp"

#include <cmath>

namespace schedbench::workloads {

// Uses inversion.
double ExponentialOf(std::uint32_t bits) {
  return -std::log((static_cast<double>(bits) + 0.5) * 0x1p-32);
}

std::vector<DrawnRequest> DrawLoad(const LoadLaws& laws, std::uint32_t requests, std::uint64_t seed,
                                   std::uint64_t round) {
  // Separate streams: the law of the arrivals does not change the drawn services, and vice versa.
  const std::uint64_t round_seed = DeriveSeed(seed, round);
  QuickRandom distances(DeriveSeed(round_seed, 0));
  QuickRandom services(DeriveSeed(round_seed, 1));
  const std::uint32_t together = laws.arrivals == Arrivals::kBursty ? laws.burst : 1;
  const double mean_distance = 1e9 * together / laws.rate;
  double due = 0;
  std::vector<DrawnRequest> drawn;
  drawn.reserve(requests);
  for (std::uint32_t i = 0; i < requests; ++i) {
    if (i % together == 0) {
      due += laws.arrivals == Arrivals::kConstant ? mean_distance
                                                  : mean_distance * ExponentialOf(distances.Next());
    }
    const double work = laws.service == ServiceLaw::kConstant ? 1 : ExponentialOf(services.Next());
    drawn.push_back({.due_ns = static_cast<std::uint64_t>(due),
                     .service_ns = static_cast<std::uint64_t>(
                         std::round(work * static_cast<double>(laws.service_ns)))});
  }
  return drawn;
}

}  // namespace schedbench::workloads
