#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// When requests arrive.
enum class Arrivals : std::uint8_t {
  kConstant,  // at equal intervals
  kPoisson,   // independently of each other: exponential intervals
  kBursty,    // several together, the bursts independently of each other
};

constexpr std::array<std::string_view, 3> NamesOf(Arrivals) {
  return {"constant", "poisson", "bursty"};
}

// The law of the work of a request.
enum class ServiceLaw : std::uint8_t { kConstant, kExponential };

constexpr std::array<std::string_view, 2> NamesOf(ServiceLaw) {
  return {"constant", "exponential"};
}

// The laws of an open load: a request does not wait for the answers of earlier ones.
struct LoadLaws {
  Arrivals arrivals = Arrivals::kPoisson;
  double rate = 1;          // mean requests per second; also counts the requests of bursts
  std::uint32_t burst = 1;  // requests that arrive together; only for kBursty
  ServiceLaw service = ServiceLaw::kExponential;
  std::uint64_t service_ns = 0;  // mean work of a request
};

// A request before its round.
struct DrawnRequest {
  // Time since the round's start. The first request also arrives after an interval.
  std::uint64_t due_ns;
  std::uint64_t service_ns;
};

// Returns a draw from the exponential law of mean 1 for 32 random bits, above 0 and at most 22.9,
// which the law exceeds once in 8 billion draws.
double ExponentialOf(std::uint32_t bits);

// Draws the requests of round number `round` in the order of their arrival. Equal arguments give
// equal requests; another rate only changes their distances. The agents of schedulers/peers draw
// the same requests; `make test-peers` compares them. Thread-safe.
std::vector<DrawnRequest> DrawLoad(const LoadLaws& laws, std::uint32_t requests, std::uint64_t seed,
                                   std::uint64_t round);

}  // namespace schedbench::workloads
