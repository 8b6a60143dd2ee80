#include "graph/check.hpp"

#include "executors/hint.hpp"
#include "graph/walk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace schedbench::graph {

namespace {

constexpr std::uint64_t kLongestStepNs = 86'400'000'000'000;  // arbitrary: no replay waits a day

// Returns what is wrong with a step on its own.
std::string CheckStep(const TaskGraph& graph, std::size_t task, const Step& step) {
  const bool is_outside = task == kOutside;
  const bool has_hint = step.kind == StepKind::kSpawn || step.kind == StepKind::kWake;
  if (has_hint && step.detail > static_cast<std::uint8_t>(executors::SchedulerHint::Yield)) {
    return fmt::format("task {} has the hint {}; there are 0 to 2", task, step.detail);
  }
  if (step.ns > kLongestStepNs) {
    return fmt::format("task {} has a step of {} s, longer than a day: the clock has jumped", task,
                       step.ns / 1'000'000'000);
  }
  switch (step.kind) {
    case StepKind::kRun:
      return "";
    case StepKind::kSpawn:
      return step.target == kOutside || step.target >= graph.tasks.size()
                 ? fmt::format("task {} spawns task {}; there are tasks 1 to {}", task, step.target,
                               graph.tasks.size() - 1)
                 : "";
    case StepKind::kWait:
    case StepKind::kYield:
      if (is_outside || graph.tasks[task].is_plain) {
        return fmt::format("task {} has the step {}, which only a fiber can do", task,
                           ToText(step.kind));
      }
      [[fallthrough]];
    case StepKind::kWake:
      return step.kind != StepKind::kYield && step.target >= graph.waits
                 ? fmt::format("task {} has a {} of the wait {}; there are {} waits", task,
                               ToText(step.kind), step.target, graph.waits)
                 : "";
  }
  return fmt::format("task {} has a step of the unknown kind {}", task,
                     static_cast<unsigned>(step.kind));
}

}  // namespace

std::string Check(const TaskGraph& graph) {
  if (graph.tasks.size() < 2) {
    return "it has no task";
  }
  std::vector<std::uint8_t> spawns(graph.tasks.size(), 0);
  std::array<std::vector<std::uint8_t>, 2> ends{std::vector<std::uint8_t>(graph.waits, 0),
                                                std::vector<std::uint8_t>(graph.waits, 0)};
  const auto count = [](std::uint8_t& counter) {
    counter = static_cast<std::uint8_t>(std::min(counter + 1, 2));
  };
  for (std::size_t task = 0; task < graph.tasks.size(); ++task) {
    if (graph.tasks[task].label >= graph.labels.size()) {
      return fmt::format("task {} has the label {}; there are {}", task, graph.tasks[task].label,
                         graph.labels.size());
    }
    for (const Step& step : graph.StepsOf(task)) {
      if (std::string wrong = CheckStep(graph, task, step); !wrong.empty()) {
        return wrong;
      }
      if (step.kind == StepKind::kSpawn) {
        count(spawns[step.target]);
      } else if (step.kind == StepKind::kWake || step.kind == StepKind::kWait) {
        count(ends[step.kind == StepKind::kWait ? 1 : 0][step.target]);
      }
    }
  }
  for (std::size_t task = 1; task < spawns.size(); ++task) {
    if (spawns[task] != 1) {
      return fmt::format("task {} is spawned {}", task, spawns[task] == 0 ? "by no task" : "twice");
    }
  }
  for (std::size_t wait = 0; wait < graph.waits; ++wait) {
    if (ends[0][wait] != 1 || ends[1][wait] != 1) {
      return fmt::format("the wait {} must be begun once and ended once", wait);
    }
  }
  std::vector<std::size_t> done(graph.tasks.size(), 0);
  const bool is_acyclic = Walk(graph, [&](std::size_t task, std::size_t) { ++done[task]; });
  if (!is_acyclic) {
    std::size_t task = 0;
    while (done[task] == graph.tasks[task].step_count) {
      ++task;
    }
    return fmt::format("the graph has a cycle: step {} of task {} depends on itself",
                       done[task] + 1, task);
  }
  return "";
}

}  // namespace schedbench::graph
