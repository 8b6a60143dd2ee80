#include "graph/median_graph.hpp"

#include "base/assert.hpp"
#include "graph/analysis.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace schedbench::graph {

namespace {

// With the same numbers, so that the lengths belong to the same steps.
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

// Of an even number the lower one. Reorders `sample`.
std::uint64_t LowMedian(std::vector<std::uint64_t>& sample) {
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>((sample.size() - 1) / 2);
  std::ranges::nth_element(sample, middle);
  return *middle;
}

}  // namespace

TaskGraph MedianGraph(std::vector<TaskGraph> recordings) {
  SB_ASSERT(!recordings.empty(), "there is no recording");
  const auto least = std::ranges::min_element(recordings, {}, [](const TaskGraph& graph) {
    return Analyse(graph).work_ns;
  });
  std::swap(*least, recordings.front());
  TaskGraph median = recordings.front();
  std::erase_if(recordings, [&](const TaskGraph& graph) {
    return !HasSameSteps(graph, median);
  });
  std::vector<std::uint64_t> sample(recordings.size());
  const auto median_of = [&](auto value) {
    std::ranges::transform(recordings, sample.begin(), value);
    return LowMedian(sample);
  };
  for (std::size_t i = 0; i < median.steps.size(); ++i) {
    median.steps[i].ns = median_of([i](const TaskGraph& graph) {
      return graph.steps[i].ns;
    });
  }
  median.makespan_ns = median_of([](const TaskGraph& graph) {
    return graph.makespan_ns;
  });
  return median;
}

}  // namespace schedbench::graph
