#include "workloads/parts/load_metrics.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace schedbench::workloads {

namespace {

using Moment = std::uint64_t RequestTimes::*;

std::vector<double> Between(std::span<const RequestTimes> requests, Moment from, Moment to) {
  return VectorOf(requests, [&](const auto& request) {
    return static_cast<double>(request.*to - request.*from);
  });
}

double Mean(const std::vector<double>& times) {
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

LatencyMetrics Latency(const std::vector<double>& times) {
  return {.mean = Mean(times),
          .p50 = stats::Median(times),
          .p99 = stats::Quantile(times, 0.99),
          .p99_9 = stats::Quantile(times, 0.999)};
}

double PerSecond(std::size_t requests, std::uint64_t ns) {
  return 1e9 * static_cast<double>(requests) / static_cast<double>(std::max<std::uint64_t>(ns, 1));
}

// Returns the requests that had arrived and had not ended just before `time`.
std::int64_t Unfinished(std::span<const RequestTimes> requests, std::uint64_t time) {
  return std::ranges::count_if(requests, [time](const RequestTimes& request) {
    return request.due < time && request.ended >= time;
  });
}

}  // namespace

LoadMetrics ReadLoad(std::span<const RequestTimes> requests, std::uint64_t start) {
  SB_ASSERT(!requests.empty(), "a round without requests");
  const std::uint64_t last_end = std::ranges::max(requests, {}, &RequestTimes::ended).ended;
  return {.latency = Latency(Between(requests, &RequestTimes::due, &RequestTimes::ended)),
          .uncorrected = Latency(Between(requests, &RequestTimes::submitted, &RequestTimes::ended)),
          .late_p99 = stats::Quantile(
              Between(requests, &RequestTimes::due, &RequestTimes::submitted), 0.99),
          .service_mean = Mean(Between(requests, &RequestTimes::begun, &RequestTimes::ended)),
          .offered = PerSecond(requests.size(), requests.back().due - start),
          .achieved = PerSecond(requests.size(), last_end - start),
          .backlog_growth = BacklogGrowth(requests)};
}

double BacklogGrowth(std::span<const RequestTimes> requests) {
  const std::size_t quarter = requests.size() / 4;
  const std::int64_t grown =
      Unfinished(requests, requests.back().due) - Unfinished(requests, requests[quarter].due);
  return std::max(0.0, static_cast<double>(grown) / static_cast<double>(requests.size() - quarter));
}

}  // namespace schedbench::workloads
