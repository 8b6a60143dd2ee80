#pragma once

#include "harness/agent/place.hpp"
#include "harness/compare/plan.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// A load: processes that send requests to a server, at times that are drawn before.
struct LoadPlan {
  Alternative server;                                 // its scheduler
  Alternative clients;                                // the scheduler of each generator
  const registry::WorkloadEntry* workload = nullptr;  // can be divided
  std::string workload_text = "";                     // as it was asked for
  std::string parameters = "{}";                      // JSON object: of each generator
  PlacePtr server_place = nullptr;                    // null: here
  std::vector<PlacePtr> generators = {};              // where each runs; a place may occur again
  std::string listen = "";     // address at which the server listens; port 0: a free one
  std::string reach = "";      // the host by which the generators name the server
  double rate = 0;             // requests per second of all generators together
  std::uint64_t requests = 0;  // of each generator
  std::chrono::nanoseconds duration{0};
  std::uint64_t seed = 0;
  std::vector<PlacePtr> places = {};  // other machines, each once
  AgentMachine here = {};             // this machine, if a part runs here
  bool uses_here = false;
};

// Returns the name of a place: "local" for this machine.
inline std::string NameOf(const PlacePtr& place) {
  return place == nullptr ? "local" : place->name;
}

}  // namespace schedbench::harness
