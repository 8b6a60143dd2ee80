#include "graph/fit/overhead.hpp"

#include "base/stable_sort.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace schedbench::graph {

namespace {

constexpr std::size_t kPairs = kStepKinds * kStepKinds;

// The lengths of a pair of steps.
struct Lengths {
  double mean = 0;  // without the longest hundredth
  double most = 0;  // nine of ten are at most this long
  double longest = 0;
  double count = 0;
};

// Returns the lengths by pair; none where there are too few.
std::vector<std::optional<Lengths>> LengthsIn(const TaskGraph& graph) {
  constexpr std::size_t kEnough = 20;  // arbitrary: fewer have no stable mean
  std::vector<std::vector<std::uint64_t>> samples(kPairs);
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    const auto steps = graph.StepsOf(task);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kind == StepKind::kRun) {
        const auto before = i == 0 ? StepKind::kRun : steps[i - 1].kind;
        const auto after = i + 1 == steps.size() ? StepKind::kRun : steps[i + 1].kind;
        samples[static_cast<std::size_t>(before) * kStepKinds + static_cast<std::size_t>(after)]
            .push_back(steps[i].ns);
      }
    }
  }
  std::vector<std::optional<Lengths>> lengths(kPairs);
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    std::vector<std::uint64_t>& sample = samples[pair];
    if (sample.size() >= kEnough) {
      std::ranges::sort(sample);
      const auto most = static_cast<double>(sample[sample.size() * 9 / 10]);
      const auto longest = static_cast<double>(sample.back());
      const auto count = static_cast<double>(sample.size());
      sample.resize(sample.size() - (sample.size() + 99) / 100);
      lengths[pair] = {.mean = std::accumulate(sample.begin(), sample.end(), 0.0) /
                               static_cast<double>(sample.size()),
                       .most = most,
                       .longest = longest,
                       .count = count};
    }
  }
  return lengths;
}

std::int32_t Clamped(double ns) {
  constexpr double kMost = 1e9;  // arbitrary: no step of a scheduler takes a second
  return static_cast<std::int32_t>(std::clamp(std::round(ns), -kMost, kMost));
}

}  // namespace

void FitOverhead(TaskGraph& graph, const TaskGraph& replayed) {
  const auto wanted = LengthsIn(graph);
  const auto got = LengthsIn(replayed);
  Overhead overhead = graph.overhead.value_or(Overhead{});
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    if (wanted[pair] && got[pair]) {
      std::int32_t& ns = overhead[pair / kStepKinds][pair % kStepKinds];
      ns = Clamped(std::clamp(ns + got[pair]->mean - wanted[pair]->mean, 0.0, wanted[pair]->most));
    }
  }
  graph.overhead = overhead;
}

void ShiftOverhead(TaskGraph& graph, double ns) {
  const auto lengths = LengthsIn(graph);
  Overhead overhead = graph.overhead.value_or(Overhead{});
  const auto count_of = [&](std::size_t pair) { return lengths[pair] ? lengths[pair]->count : 0; };
  std::vector<std::size_t> pairs(kPairs);
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  // Take frequent pairs first: the others can compensate their rounding.
  StableSort(pairs, std::ranges::greater{}, count_of);
  double rounded_off = 0;  // sum over all computations so far
  for (const std::size_t pair : pairs) {
    std::int32_t& one = overhead[pair / kStepKinds][pair % kStepKinds];
    if (!lengths[pair]) {
      // The length of a rare pair is unknown.
      one = Clamped(std::min(one + ns, std::max<double>(0, one)));
      continue;
    }
    const double wanted = one + ns;
    const double rest = std::clamp(rounded_off / count_of(pair), -1.0, 1.0);
    one = Clamped(std::min(wanted + rest, lengths[pair]->longest));
    if (one < lengths[pair]->longest) {
      rounded_off += (wanted - one) * count_of(pair);
    }
  }
  graph.overhead = overhead;
}

}  // namespace schedbench::graph
