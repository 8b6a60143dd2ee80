#pragma once

#include <cstdint>
#include <span>

namespace schedbench::workloads {

// When things happened to a request: nanoseconds of one clock, due <= submitted <= begun <= ended.
struct RequestTimes {
  std::uint64_t due;  // as the load has it: its user has waited since then, whoever kept it back
  std::uint64_t submitted;
  std::uint64_t begun;
  std::uint64_t ended;
};

// Of some times; nanoseconds.
struct LatencyFigures {
  double mean = 0;
  double p50 = 0;
  double p99 = 0;
  double p99_9 = 0;
};

// What a round of requests tells.
struct LoadFigures {
  // From due to end. A source that is late, because it is held up or because submitting takes it so long, does not hide
  // what those had to wait who came meanwhile ("coordinated omission", G. Tene).
  LatencyFigures latency;
  LatencyFigures
      uncorrected;  // from submit to end: what a source sees that asks for no more than it submits
  double late_p99 = 0;        // from due to submit, nanoseconds
  double service_mean = 0;    // from begin to end, nanoseconds
  double offered = 0;         // requests per second of the time in which they came
  double achieved = 0;        // requests per second until the last had ended
  double backlog_growth = 0;  // a share; see BacklogGrowth
};

// Returns the figures of requests in the order in which they were due. `start`: of the round, on their clock. Percentiles
// are exact (stats::Quantile); whether there are requests enough for them is the caller's to decide.
// Requires: at least one request.
LoadFigures ReadLoad(std::span<const RequestTimes> requests, std::uint64_t start);

// Returns by how much the number of unfinished requests grew after the first quarter of the requests had come, as a share
// of those that came from then on; 0 where it fell. What is offered and not served stays: at a load of 1.1 it is 1 - 1 / 1.1.
// The first quarter is left out because a round begins with nobody waiting.
double BacklogGrowth(std::span<const RequestTimes> requests);

// Above that the load was not kept. Of simulated queues with 1, 4 and 64 servers and rounds of 1000 requests at a load of 0.8
// at most 1 % are above it, at 1.2 all but 1 %; of 5000, at 0.95 and below as few, at 1.1 all but 6 %. Bursts need more of
// them: 5000 requests in bursts of 50 are above it at 0.8 in 5 %, which the median of several rounds forgives.
inline constexpr double kSaturatedGrowth = 0.05;
// Fewer requests are too few to say.
inline constexpr std::uint64_t kRequestsToSeeGrowth = 1000;

}  // namespace schedbench::workloads
