#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::graph {

// A flow event of Chrome's JSON: its start ("s"), a step ("t"), its end ("f"), or a slice with
// "bind_id".
struct FlowEvent {
  enum class Phase { kStart, kStep, kEnd };

  std::string flow{};  // its identifier in its scope; unique among all scopes
  Phase phase = Phase::kStart;
  std::int64_t ns = 0;
  std::size_t thread = 0;
  std::size_t order = 0;        // position in the file
  bool binds_to_next = false;   // binds to the next slice of its thread, not to the enclosing one
  bool is_whole_slice = false;  // it is a slice with the same `order`; the flow leaves at its end
};

struct FlowLinks {
  // Dependences: the second event depends on the first one.
  std::vector<std::pair<std::size_t, std::size_t>> links{};
  std::size_t loose = 0;  // starts without an end, steps and ends without a start
};

// Makes chains: each step or end depends on the event before it; several ends of a flow depend on
// one event. A start begins another flow, so identifiers can be used again. An end up to `skew_ns`
// before the start belongs to it, because the clocks of two CPUs differ. Requires: the events are
// in the order of time. Pure; thread-safe.
FlowLinks FollowFlows(const std::vector<FlowEvent>& events, std::int64_t skew_ns);

}  // namespace schedbench::graph
