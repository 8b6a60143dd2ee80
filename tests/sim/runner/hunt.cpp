#include "tests/sim/runner/hunt.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::sim {

namespace {

// How much of each model a look is, and the strategy: depth first finds what few preemptions show,
// priorities what lies deep in a long execution.
constexpr std::pair<Strategy, std::uint64_t> kLooks[] = {{Strategy::kDepthFirst, 300},
                                                         {Strategy::kPriorities, 300},
                                                         {Strategy::kDepthFirst, 5'000},
                                                         {Strategy::kPriorities, 5'000},
                                                         {Strategy::kDepthFirst, UINT64_MAX}};

}  // namespace

Finding Hunt(const std::vector<const Model*>& models, double seconds) {
  Finding total;
  for (const auto& [strategy, executions] : kLooks) {
    total.complete = true;
    for (const Model* model : models) {
      Effort effort;
      effort.strategy = strategy;
      effort.limits = model->limits;
      effort.executions = executions;
      effort.seconds = seconds - total.seconds;
      if (strategy != Strategy::kDepthFirst) {
        effort.limits.preemptions = Limits::kUnlimited;
      }
      const Finding finding = Explore(*model, effort);
      total.executions += finding.executions;
      total.seconds += finding.seconds;
      total.complete &= finding.complete;
      if (finding.failed) {
        total.failed = true;
        total.failure = finding.failure;
        total.schedule = model->name + " " + finding.schedule;
        return total;
      }
      if (total.seconds >= seconds) {
        total.complete = false;
        return total;
      }
    }
    if (total.complete) {
      break;
    }
  }
  return total;
}

}  // namespace schedbench::sim
