#pragma once

#include "harness/agent/message.hpp"
#include "harness/agent/place.hpp"
#include "harness/compare/plan.hpp"
#include "harness/load/clock_offset.hpp"
#include "registry/workload.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A load: processes that send requests to servers, at times drawn in advance.
struct LoadPlan {
  Alternative server;                                 // the scheduler of each server
  Alternative clients;                                // the scheduler of each generator
  const registry::WorkloadEntry* workload = nullptr;  // can be divided
  std::string workload_text = "";                     // text that the user gave
  std::string parameters = "{}";                      // JSON object of each generator
  std::vector<PlacePtr> servers = {};                 // machine of each server
  // Machine of each generator, at least one for each server; a machine may occur again. The
  // generators get the servers in turn.
  std::vector<PlacePtr> generators = {};
  std::string listen = "";              // address at which each server listens; port 0: a free one
  std::vector<std::string> reach = {};  // for each server: the host by which generators name it
  double rate = 0;                      // requests per second of all generators together
  std::uint64_t requests = 0;           // number of requests of each generator
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

// Returns the name of a machine: "local" for this one.
inline std::string NameOf(const PlacePtr& place) {
  return place == nullptr ? "local" : place->name;
}

// One of the processes of a load.
struct LoadPart {
  std::string failure = "";  // why there is no result; "": there is one
  bool refused = false;      // because of the machine, the connection or the input, not the agent
  std::optional<OpenReply> opened = std::nullopt;
  std::optional<ClockOffset> clock = std::nullopt;        // before the load
  std::optional<ClockOffset> clock_after = std::nullopt;  // after it
  std::optional<RoundReply> round = std::nullopt;
  std::string trouble = "";  // the first problem despite a result; "": none
};

struct Generator {
  LoadPart part;
  std::vector<std::uint64_t> latency_ns = {};  // ascending, for requests with an answer
  std::vector<std::uint64_t> delay_ns = {};    // ascending, for all requests
  std::uint64_t unanswered = 0;
  std::uint64_t span_ns = 0;  // from the start until the last answer
};

struct Server {
  LoadPart part;
  // CPU time of its process from the last accept until all connections ended.
  std::uint64_t cpu_ns = 0;
};

struct LoadData {
  std::vector<Server> servers;        // as in the plan
  std::vector<Generator> generators;  // as in the plan
  bool complete = true;               // false: interrupted
};

// The caller's thread calls these functions.
struct LoadEvents {
  std::function<void(const std::string& text)> progress;  // a step begins
  std::function<bool()> cancelled;                        // asked many times a second
};

// Starts the servers and the generators, lets all generators begin at the same time, and collects
// what they measured. A failed part leaves a hole: the other parts are measured and collected.
LoadData MeasureLoad(const LoadPlan& plan, const LoadEvents& events);

}  // namespace schedbench::harness
