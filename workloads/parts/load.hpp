#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// When requests come.
enum class Arrivals : std::uint8_t {
  kConstant,  // at equal distances
  kPoisson,   // independently of each other: exponential distances
  kBursty,    // several together, the bursts independently of each other
};

// How much work each of them is.
enum class ServiceLaw : std::uint8_t { kConstant, kExponential };

}  // namespace schedbench::workloads

template <>
struct schedbench::config::EnumNames<schedbench::workloads::Arrivals> {
  static constexpr std::array<std::string_view, 3> value{"constant", "poisson", "bursty"};
};

template <>
struct schedbench::config::EnumNames<schedbench::workloads::ServiceLaw> {
  static constexpr std::array<std::string_view, 2> value{"constant", "exponential"};
};

namespace schedbench::workloads {

// The laws of a load that does not wait for its answers.
struct LoadLaws {
  Arrivals arrivals = Arrivals::kPoisson;
  double rate = 1;          // requests per second, on average; of bursts too
  std::uint32_t burst = 1;  // requests that come together; used by kBursty alone
  ServiceLaw service = ServiceLaw::kExponential;
  std::uint64_t service_ns = 0;  // of a request, on average
};

// A request before its round.
struct DrawnRequest {
  std::uint64_t due_ns;  // when it comes, from the round's start; the first, too, after a distance
  std::uint64_t service_ns;
};

// Draws the requests of round number `round` in the order in which they come. The same arguments give the same requests; at
// another rate, the same ones nearer to each other or farther apart, so that two rates differ by nothing but the rate.
// The agents of schedulers/peers draw the same ones, and `make test-peers` compares. Thread-safe.
std::vector<DrawnRequest> DrawLoad(const LoadLaws& laws, std::uint32_t requests, std::uint64_t seed,
                                   std::uint64_t round);

}  // namespace schedbench::workloads
