#include "harness/compare/block_value.hpp"

#include "base/vector_of.hpp"
#include "harness/round.hpp"

#include <algorithm>

namespace schedbench::harness {

std::optional<double> RoundValue(const registry::Metric& metric, const RoundReply& round) {
  if (metric.name == "throughput") {
    const auto per_ns = Quotient(round.operations, round.wall_ns);
    return per_ns ? std::optional(1e9 * *per_ns) : std::nullopt;
  }
  if (metric.name == "cpu_per_operation") {
    return Quotient(round.cpu_ns, round.operations);
  }
  if (metric.name == kPeakMemory.name) {
    return static_cast<double>(round.peak_rss_bytes);
  }
  const auto found = std::ranges::find(round.metrics, metric.name, &NamedMetric::first);
  if (found != round.metrics.end()) {
    return found->second;
  }
  const auto count = std::ranges::find(round.counts, metric.name, &NamedCount::first);
  return count == round.counts.end() ? std::nullopt : Quotient(count->second, round.operations);
}

BlockValues ValuesByBlock(const Series& series, const registry::Metric& metric) {
  return ValuesByBlock(series,
                       [&metric](const RoundReply& round) { return RoundValue(metric, round); });
}

std::vector<double> Present(const BlockValues& values) {
  return PresentOf(values);
}

BlockPairs::BlockPairs(const BlockValues& first, const BlockValues& second) {
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (first[i] && second[i]) {
      a.push_back(*first[i]);
      b.push_back(*second[i]);
    }
  }
}

}  // namespace schedbench::harness
