#pragma once

#include "workloads/parts/load.hpp"
#include "workloads/parts/load_metrics.hpp"

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

// What becomes of drawn requests where nothing but they takes time: to compare theory, and real
// schedulers, with.

namespace schedbench::tests {

// Serves them first come, first served, by so many servers, in virtual time from 0. A server that
// has nothing to do needs `wake_ns` to begin.
inline std::vector<workloads::RequestTimes> ServeVirtually(
    std::span<const workloads::DrawnRequest> requests, std::uint32_t servers = 1,
    std::uint64_t wake_ns = 0) {
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> free_at;
  for (std::uint32_t i = 0; i < servers; ++i) {
    free_at.push(0);
  }
  std::vector<workloads::RequestTimes> times;
  times.reserve(requests.size());
  for (const workloads::DrawnRequest& request : requests) {
    const std::uint64_t begun =
        free_at.top() <= request.due_ns ? request.due_ns + wake_ns : free_at.top();
    const std::uint64_t ended = begun + request.service_ns;
    free_at.pop();
    free_at.push(ended);
    times.push_back(
        {.due = request.due_ns, .submitted = request.due_ns, .begun = begun, .ended = ended});
  }
  return times;
}

}  // namespace schedbench::tests
