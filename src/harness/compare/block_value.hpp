#pragma once

#include "harness/experiment/data.hpp"
#include "registry/metric.hpp"
#include "stats/order_statistics.hpp"

#include <optional>
#include <vector>

// The value of a block of rounds. Pure functions; thread-safe.

namespace schedbench::harness {

// A metric of the process, not of a round, so it is not a RoundMetric.
inline constexpr registry::Metric kPeakMemory{"peak_memory", "B", registry::Better::kLower,
                                              "Largest memory of the process in RAM"};

// Returns the value of a metric in a round. Values that follow from time and operations are
// computed here, for agents that do not report them.
std::optional<double> RoundValue(const registry::Metric& metric, const RoundReply& round);

// Returns the median of the rounds of a block; none if a round does not have a value.
template <typename Value>
std::optional<double> BlockValue(const std::vector<RoundReply>& rounds, Value value) {
  std::vector<double> values;
  for (const RoundReply& round : rounds) {
    const std::optional<double> one = value(round);
    if (!one) {
      return std::nullopt;
    }
    values.push_back(*one);
  }
  return values.empty() ? std::nullopt : std::optional(stats::Median(values));
}

// The value of each block of a series; none where a round does not have a value.
using BlockValues = std::vector<std::optional<double>>;

template <typename Value>
BlockValues ValuesByBlock(const Series& series, Value value) {
  BlockValues values;
  for (const auto& block : series.blocks) {
    values.push_back(BlockValue(block, value));
  }
  return values;
}

// Returns the values of a metric by block.
BlockValues ValuesByBlock(const Series& series, const registry::Metric& metric);

// Returns the values that exist.
std::vector<double> Present(const BlockValues& values);

// The values of blocks that both series have, in the order of the blocks.
struct BlockPairs {
  BlockPairs(const BlockValues& first, const BlockValues& second);

  std::vector<double> a;
  std::vector<double> b;
};

}  // namespace schedbench::harness
