#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::graph {

// An event of a flow in Chrome's JSON format: its begin ("s"), a step ("t") or its end ("f"); or a
// slice with "bind_id".
struct FlowEvent {
  enum class Phase { kStart, kStep, kEnd };

  std::string flow{};  // its identifier in its scope; the flows of two scopes never have the same
  Phase phase = Phase::kStart;
  std::int64_t ns = 0;
  std::size_t thread = 0;
  std::size_t order = 0;       // in the file
  bool binds_to_next = false;  // to the next slice of its thread, not to the enclosing one
  bool is_whole_slice =
      false;  // it is a slice, which has the same order; the flow leaves at its end
};

struct FlowLinks {
  // Dependences: the second event depends on the first one.
  std::vector<std::pair<std::size_t, std::size_t>> links{};
  std::size_t loose = 0;  // begins without an end, steps and ends without a begin
};

// Makes chains: each step depends on the event before it, and so does an end; several ends of a
// flow depend on the same event. A begin starts another flow, so that identifiers can be used
// again. An end up to `skew_ns` before the begin belongs to it: the clocks of two CPUs differ.
// Requires: the events are in the order of time. Pure; thread-safe.
FlowLinks FollowFlows(const std::vector<FlowEvent>& events, std::int64_t skew_ns);

}  // namespace schedbench::graph
