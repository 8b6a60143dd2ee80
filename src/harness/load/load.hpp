#pragma once

#include "harness/agent/message.hpp"
#include "harness/load/clock_offset.hpp"
#include "harness/load/plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// One of the processes of a load.
struct LoadPart {
  std::string failure = "";  // why there is no result of it; "": there is one
  bool refused = false;      // the machine, the connection or the input, and not the agent
  std::optional<OpenReply> opened = std::nullopt;
  std::optional<ClockOffset> clock = std::nullopt;        // before the load
  std::optional<ClockOffset> clock_after = std::nullopt;  // after it
  std::optional<RoundReply> round = std::nullopt;
  std::string trouble = "";  // what has gone wrong first, although there is a result; "": nothing
};

struct Generator {
  LoadPart part;
  std::vector<std::uint64_t> latency_ns = {};  // ascending, of requests with an answer
  std::vector<std::uint64_t> delay_ns = {};    // ascending, of all requests
  std::uint64_t unanswered = 0;
  std::uint64_t span_ns = 0;  // from the start until the last answer
};

struct Server {
  LoadPart part;
  std::uint64_t cpu_ns =
      0;  // of its process, from when it accepted the last connection until all had ended
};

struct LoadData {
  std::vector<Server> servers;        // as in the plan
  std::vector<Generator> generators;  // as in the plan
  bool complete = true;               // false: interrupted
};

// Called on the thread of the caller.
struct LoadEvents {
  std::function<void(const std::string& text)> progress;  // a step begins
  std::function<bool()> cancelled;                        // asked many times a second
};

// Starts the servers and the generators, lets all generators begin at the same time, and collects what they measured. What fails
// leaves a hole: the other parts are measured and collected.
LoadData MeasureLoad(const LoadPlan& plan, const LoadEvents& events);

}  // namespace schedbench::harness
