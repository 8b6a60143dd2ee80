#include "harness/compare/block_value.hpp"

#include "base/vector_of.hpp"
#include "harness/round.hpp"

#include <algorithm>

namespace schedbench::harness {

std::optional<double> RoundValue(const registry::Metric& metric, const RoundReply& round) {
  if (metric.name == "throughput") {
    return Mapped(Quotient(round.operations, round.wall_ns),
                  [](double per_ns) { return 1e9 * per_ns; });
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
  return Mapped(CountOf(round, metric.name),
                [&round](std::uint64_t count) { return Quotient(count, round.operations); });
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
