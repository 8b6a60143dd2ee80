#include "graph/overhead.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace schedbench::graph {

namespace {

constexpr std::size_t kPairs = kStepKinds * kStepKinds;

// The mean length by pair, without the longest; none where there are too few.
std::vector<std::optional<double>> Means(const TaskGraph& graph) {
  constexpr std::size_t kEnough = 20;  // arbitrary: fewer have no stable mean
  std::vector<std::vector<std::uint64_t>> lengths(kPairs);
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    const auto steps = graph.StepsOf(task);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kind == StepKind::kRun) {
        const auto before = i == 0 ? StepKind::kRun : steps[i - 1].kind;
        const auto after = i + 1 == steps.size() ? StepKind::kRun : steps[i + 1].kind;
        lengths[static_cast<std::size_t>(before) * kStepKinds + static_cast<std::size_t>(after)]
            .push_back(steps[i].ns);
      }
    }
  }
  std::vector<std::optional<double>> means(kPairs);
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    std::vector<std::uint64_t>& sample = lengths[pair];
    if (sample.size() >= kEnough) {
      std::ranges::sort(sample);
      sample.resize(sample.size() - (sample.size() + 99) / 100);
      means[pair] =
          std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
    }
  }
  return means;
}

std::int32_t Clamped(double ns) {
  constexpr double kMost = 1e9;  // arbitrary: no step of a scheduler takes a second
  return static_cast<std::int32_t>(std::clamp(std::round(ns), -kMost, kMost));
}

}  // namespace

void FitOverhead(TaskGraph& graph, const TaskGraph& replayed) {
  const auto wanted = Means(graph);
  const auto got = Means(replayed);
  Overhead overhead = graph.overhead.value_or(Overhead{});
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    if (wanted[pair] && got[pair]) {
      std::int32_t& ns = overhead[pair / kStepKinds][pair % kStepKinds];
      ns = Clamped(std::max(0.0, ns + *got[pair] - *wanted[pair]));
    }
  }
  graph.overhead = overhead;
}

void ShiftOverhead(TaskGraph& graph, double ns) {
  Overhead overhead = graph.overhead.value_or(Overhead{});
  for (auto& row : overhead) {
    for (std::int32_t& one : row) {
      one = Clamped(one + ns);
    }
  }
  graph.overhead = overhead;
}

}  // namespace schedbench::graph
