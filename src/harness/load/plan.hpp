#pragma once

#include "harness/agent/place.hpp"
#include "harness/compare/plan.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// A load: processes that send requests to servers, at times drawn in advance.
struct LoadPlan {
  Alternative server;                                 // the scheduler of each server
  Alternative clients;                                // the scheduler of each generator
  const registry::WorkloadEntry* workload = nullptr;  // can be divided
  std::string workload_text = "";                     // as it was asked for
  std::string parameters = "{}";                      // JSON object: of each generator
  std::vector<PlacePtr> servers = {};                 // where each runs
  // Where each runs, at least as many as servers; a place may occur again. They are given the servers in turn.
  std::vector<PlacePtr> generators = {};
  std::string listen = "";              // address at which each server listens; port 0: a free one
  std::vector<std::string> reach = {};  // of each server: the host by which generators name it
  double rate = 0;                      // requests per second of all generators together
  std::uint64_t requests = 0;           // of each generator
  std::chrono::nanoseconds duration{0};
  std::uint64_t seed = 0;
  std::vector<PlacePtr> places = {};  // other machines, each once
  AgentMachine here = {};             // this machine, if a part runs here
  bool uses_here = false;
};

// Returns the number of the server to which a generator sends.
inline std::size_t ServerOf(const LoadPlan& plan, std::size_t generator) {
  return generator % plan.servers.size();
}

// Returns the name of a place: "local" for this machine.
inline std::string NameOf(const PlacePtr& place) {
  return place == nullptr ? "local" : place->name;
}

}  // namespace schedbench::harness
