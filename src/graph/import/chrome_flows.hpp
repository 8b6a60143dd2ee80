#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace schedbench::graph {

// An event of a flow in Chrome's JSON format: its begin ("s"), a step ("t") or its end ("f"); or a slice with "bind_id".
struct FlowEvent {
  enum class Phase { kStart, kStep, kEnd };

  std::string flow{};  // its identifier in its scope; the flows of two scopes never have the same
  Phase phase = Phase::kStart;
  std::int64_t ns = 0;
  std::size_t thread = 0;
  std::size_t order = 0;  // in the file
  bool binds_to_next =
      false;  // to the next slice that begins on its thread, else to the one that encloses it
  bool is_whole_slice = false;  // the flow leaves when the slice ends
};

// A dependence between two slices.
struct FlowLink {
  FlowEvent from;
  FlowEvent to;
};

struct FlowLinks {
  std::vector<FlowLink> links{};
  std::size_t loose = 0;  // begins without an end, steps and ends without a begin
};

// Makes chains: each step depends on the event before it, and so does an end; several ends of a flow depend on the same event.
// The events count in the order of time, then of the file. A begin starts another flow, so that identifiers can be used again.
// An end up to `skew_ns` before the begin belongs to it: the clocks of two CPUs differ.
FlowLinks FollowFlows(std::vector<FlowEvent> events, std::int64_t skew_ns);

}  // namespace schedbench::graph
