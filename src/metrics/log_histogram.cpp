#include "metrics/log_histogram.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace schedbench::metrics {

std::uint64_t SamplesFor(double quantile) {
  return static_cast<std::uint64_t>(std::ceil(std::log(0.05) / std::log(quantile)));
}

void HistogramSnapshot::Add(const HistogramSnapshot& other) {
  counts_.resize(std::max(counts_.size(), other.counts_.size()), 0);
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    counts_[i] += other.counts_[i];
  }
  total_ += other.total_;
}

void HistogramSnapshot::Subtract(const HistogramSnapshot& earlier) {
  SB_ASSERT(earlier.counts_.size() <= counts_.size(), "the other reading is not an earlier one");
  for (std::size_t i = 0; i < earlier.counts_.size(); ++i) {
    counts_[i] -= earlier.counts_[i];
  }
  total_ -= earlier.total_;
}

std::optional<double> HistogramSnapshot::Quantile(double quantile) const {
  if (total_ < SamplesFor(quantile)) {
    return std::nullopt;
  }
  return AtRank(static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(total_))));
}

std::optional<QuantileEstimate> HistogramSnapshot::QuantileWithInterval(double quantile) const {
  const auto value = Quantile(quantile);
  if (!value) {
    return std::nullopt;
  }
  constexpr double kNormal95 = 1.96;
  const auto count = static_cast<double>(total_);
  const double rank = quantile * count;
  const double reach = kNormal95 * std::sqrt(count * quantile * (1 - quantile));
  return QuantileEstimate{
      .value = *value,
      .low = AtRank(static_cast<std::uint64_t>(std::max(1.0, std::floor(rank - reach)))),
      .high = AtRank(static_cast<std::uint64_t>(std::min(count, std::ceil(rank + reach) + 1)))};
}

double HistogramSnapshot::AtRank(std::uint64_t rank) const {
  std::uint64_t seen = 0;
  std::size_t i = 0;
  while (i + 1 < counts_.size() && seen + counts_[i] < rank) {
    seen += counts_[i];
    ++i;
  }
  return LogBuckets::ValueOf(i);
}

std::optional<double> HistogramSnapshot::Max() const {
  for (std::size_t i = counts_.size(); i-- > 0;) {
    if (counts_[i] != 0) {
      return LogBuckets::ValueOf(i);
    }
  }
  return std::nullopt;
}

HistogramSnapshot LogHistogram::Snapshot() const {
  HistogramSnapshot snapshot;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const std::uint64_t count = counts_[i].Load(memory_order_relaxed);
    if (count != 0) {
      snapshot.Add(i, count);
    }
  }
  return snapshot;
}

}  // namespace schedbench::metrics
