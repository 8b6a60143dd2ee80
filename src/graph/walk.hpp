#pragma once

#include "graph/task_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::graph {

// Calls visit(task, index of the step in it) for each step after its dependences: the earlier steps
// of its task, the spawn of its task, and for a wait its wake. Returns whether all steps were
// visited; the others form a cycle. Requires: the numbers in the steps are in range.
template <typename Visit>
bool Walk(const TaskGraph& graph, Visit visit) {
  enum class Wait : std::uint8_t { kOpen, kWaiting, kEnded };
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<Wait> waits(graph.waits, Wait::kOpen);
  std::vector<std::uint32_t> waiting_task(graph.waits, kNone);
  std::vector<std::size_t> next(graph.tasks.size(), 0);
  std::vector<std::uint32_t> ready{kOutside};
  std::size_t visited = 0;
  while (!ready.empty()) {
    const std::uint32_t task = ready.back();
    ready.pop_back();
    const auto steps = graph.StepsOf(task);
    for (std::size_t& i = next[task]; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (step.kind == StepKind::kWait && waits[step.target] != Wait::kEnded) {
        waits[step.target] = Wait::kWaiting;
        waiting_task[step.target] = task;
        break;
      }
      visit(task, i);
      ++visited;
      if (step.kind == StepKind::kSpawn) {
        ready.push_back(step.target);
      } else if (step.kind == StepKind::kWake) {
        const bool was_waiting = waits[step.target] == Wait::kWaiting;
        waits[step.target] = Wait::kEnded;
        if (was_waiting) {
          ready.push_back(waiting_task[step.target]);
        }
      }
    }
  }
  return visited == graph.steps.size();
}

}  // namespace schedbench::graph
