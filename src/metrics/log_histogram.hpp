#pragma once

#include "base/atomic.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace schedbench::metrics {

// Buckets of the histogram: values below 64 exactly, above that 64 buckets per power of two, so the
// middle of a bucket is at most 2^-7 (0.8 %) off. The layout of HdrHistogram (G. Tene) with 6 bits.
struct LogBuckets {
  static constexpr unsigned kSubBits = 6;
  static constexpr std::size_t kSub = std::size_t{1} << kSubBits;
  // Values of 2^40 and more (over 5 minutes of ticks) share the last bucket.
  static constexpr unsigned kValueBits = 40;
  static constexpr std::size_t kCount = (kValueBits - kSubBits + 1) * kSub;

  static constexpr std::size_t IndexOf(std::uint64_t value) noexcept {
    if (value < kSub) {
      return static_cast<std::size_t>(value);
    }
    const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - kSubBits;
    const std::size_t index = octave * kSub + ((value >> (octave - 1)) - kSub);
    return index < kCount ? index : kCount - 1;
  }

  // Returns the middle of the bucket.
  static constexpr double ValueOf(std::size_t index) noexcept {
    if (index < kSub) {
      return static_cast<double>(index);
    }
    const std::size_t octave = index / kSub;
    const auto width = static_cast<double>(std::uint64_t{1} << (octave - 1));
    return (static_cast<double>(kSub + index % kSub) + 0.5) * width;
  }
};

// Returns the least sample size to show this quantile, between 0 and 1: below ceil(ln 0.05 / ln
// quantile) the chance that all values are under it is over 5 %. p50 needs 5, p99 299, p99.9 2995.
std::uint64_t SamplesFor(double quantile);

// A quantile with its 95 % confidence interval for the population.
struct QuantileEstimate {
  double value = 0;
  double low = 0;
  double high = 0;

  bool operator==(const QuantileEstimate&) const = default;
};

// Counts of a histogram at one moment; a plain value.
class HistogramSnapshot {
 public:
  void Add(std::size_t bucket, std::uint64_t count) {
    if (bucket >= counts_.size()) {
      counts_.resize(bucket + 1, 0);
    }
    counts_[bucket] += count;
    total_ += count;
  }

  void Add(const HistogramSnapshot& other);

  // Subtracts `earlier`, an older reading of the same histogram.
  void Subtract(const HistogramSnapshot& earlier);

  std::uint64_t Total() const {
    return total_;
  }

  // Returns the smallest value with at least the share `quantile` of all values at or below it;
  // nothing for fewer than SamplesFor(quantile) values.
  std::optional<double> Quantile(double quantile) const;

  // Returns Quantile() with an interval by order statistics: the number of values below a quantile
  // is binomial, here in its normal approximation.
  std::optional<QuantileEstimate> QuantileWithInterval(double quantile) const;

  // Returns nothing when empty.
  std::optional<double> Max() const;

 private:
  // Returns the value with a rank from 1 to Total().
  double AtRank(std::uint64_t rank) const;

  std::vector<std::uint64_t> counts_;  // The buckets end with the last one that ever had a value.
  std::uint64_t total_ = 0;
};

// A histogram with one writer and any number of readers: no lock and no locked instruction.
class LogHistogram {
 public:
  // Counts a value. Only the owner calls it.
  void Record(std::uint64_t value) noexcept {
    Atomic<std::uint64_t>& count = counts_[LogBuckets::IndexOf(value)];  // relaxed: see counts_
    count.Store(count.Load(memory_order_relaxed) + 1, memory_order_relaxed);
  }

  // Returns the counts, perhaps without those recorded at the same time. Any thread.
  HistogramSnapshot Snapshot() const;

 private:
  std::array<Atomic<std::uint64_t>, LogBuckets::kCount> counts_;  // relaxed: one writer
};

}  // namespace schedbench::metrics
