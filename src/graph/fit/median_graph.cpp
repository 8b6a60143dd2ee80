#include "graph/fit/median_graph.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace schedbench::graph {

namespace {

constexpr std::size_t kEnough = 3;  // the median of two would always be the shorter computation

// The graphs have equal numbers, so the lengths belong to equal steps.
bool HasSameSteps(const TaskGraph& one, const TaskGraph& other) {
  const auto is_same_task = [](const Task& a, const Task& b) {
    return a.first_step == b.first_step && a.is_plain == b.is_plain;
  };
  const auto is_same_step = [](const Step& a, const Step& b) {
    return a.kind == b.kind && a.target == b.target;
  };
  return std::ranges::equal(one.tasks, other.tasks, is_same_task) &&
         std::ranges::equal(one.steps, other.steps, is_same_step);
}

std::uint64_t RecordedWork(const TaskGraph& graph) {
  std::uint64_t work = 0;
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    for (const Step& step : graph.StepsOf(task)) {
      work += step.kind == StepKind::kRun ? graph.RecordedNs(step) : 0;
    }
  }
  return work;
}

// Returns the median, the lower one of two. Reorders `sample`.
std::uint64_t LowMedian(std::vector<std::uint64_t>& sample) {
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>((sample.size() - 1) / 2);
  std::ranges::nth_element(sample, middle);
  return *middle;
}

}  // namespace

TaskGraph MedianGraph(std::vector<TaskGraph> recordings) {
  SB_ASSERT(!recordings.empty(), "there is no recording");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> costs(recordings.size());
  std::ranges::transform(recordings, costs.begin(), [](const TaskGraph& graph) {
    return std::pair(graph.lost_events, RecordedWork(graph));
  });
  const auto least = std::ranges::min_element(costs) - costs.begin();
  std::swap(recordings[static_cast<std::size_t>(least)], recordings.front());
  TaskGraph median = recordings.front();
  std::erase_if(recordings, [&](const TaskGraph& graph) {
    return (graph.lost_events > 0 && median.lost_events == 0) || !HasSameSteps(graph, median);
  });
  if (recordings.size() < kEnough) {
    return median;
  }
  std::vector<std::uint64_t> sample(recordings.size());
  const auto median_of = [&](auto value) {
    std::ranges::transform(recordings, sample.begin(), value);
    return LowMedian(sample);
  };
  for (std::size_t i = 0; i < median.steps.size(); ++i) {
    median.steps[i].ns = median_of([i](const TaskGraph& graph) { return graph.steps[i].ns; });
  }
  median.makespan_ns = median_of([](const TaskGraph& graph) { return graph.makespan_ns; });
  return median;
}

}  // namespace schedbench::graph
