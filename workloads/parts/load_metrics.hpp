#pragma once

#include <cstdint>
#include <span>

namespace schedbench::workloads {

// The times of a request: nanoseconds of one clock, due <= submitted <= begun <= ended.
struct RequestTimes {
  std::uint64_t due;  // from the load: its user waits from then on, whatever delays it
  std::uint64_t submitted;
  std::uint64_t begun;
  std::uint64_t ended;
};

// Statistics of times in nanoseconds.
struct LatencyMetrics {
  double mean = 0;
  double p50 = 0;
  double p99 = 0;
  double p99_9 = 0;
};

// The metrics of a round of requests.
struct LoadMetrics {
  // Times from due to end. The delay of a late source or of a slow submit is part of the latency
  // and hides no waiting ("coordinated omission", G. Tene).
  LatencyMetrics latency;
  LatencyMetrics uncorrected;  // from submit to end: without the delay of the source
  double late_p99 = 0;         // from due to submit, nanoseconds
  double service_mean = 0;     // from start to end, nanoseconds
  double offered = 0;          // requests per second until the last was due
  double achieved = 0;         // requests per second until the last ended
  double backlog_growth = 0;   // a share; see BacklogGrowth
};

// Returns the metrics of requests in the order of their due times. `start`: the start of the round,
// on the same clock. Percentiles are exact (stats::Quantile); the caller decides whether there are
// enough requests for them. Requires: at least one request.
LoadMetrics ReadLoad(std::span<const RequestTimes> requests, std::uint64_t start);

// Returns the growth of the number of unfinished requests after the first quarter of the requests
// had arrived, as a share of the later requests; 0 if it fell. Requests that are not served
// accumulate: at a load of 1.1 the growth is 1 - 1 / 1.1. The first quarter does not count because
// a round begins without waiting requests.
double BacklogGrowth(std::span<const RequestTimes> requests);

// Above this growth the scheduler did not keep up with the load. Measured on simulated queues with
// 1, 4 and 64 servers. Of rounds of 1000 requests at most 1 % are above it at a load of 0.8, and
// all but 1 % at 1.2. Of rounds of 5000 requests at most 1 % are above it up to 0.95, and all but 6
// % at 1.1. Bursts need more requests: at 0.8, 5 % of the rounds of 5000 requests in bursts of 50
// are above it, which the median of several rounds tolerates.
inline constexpr double kSaturatedGrowth = 0.05;
// Fewer requests are inconclusive.
inline constexpr std::uint64_t kRequestsToSeeGrowth = 1000;

}  // namespace schedbench::workloads
