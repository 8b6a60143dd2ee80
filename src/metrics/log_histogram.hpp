#pragma once

#include "base/atomic.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace schedbench::metrics {

// Buckets of the histogram: values below 64 exactly, above that 64 buckets per power of two, so that the
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

  // Middle of the bucket.
  static constexpr double ValueOf(std::size_t index) noexcept {
    if (index < kSub) {
      return static_cast<double>(index);
    }
    const std::size_t octave = index / kSub;
    const auto width = static_cast<double>(std::uint64_t{1} << (octave - 1));
    return (static_cast<double>(kSub + index % kSub) + 0.5) * width;
  }
};

// Returns how many values a sample must have to show this quantile, between 0 and 1: below ceil(ln 0.05 / ln quantile) the
// chance that all of them lie under it is over 5 %. p50 needs 5, p99 299, p99.9 2995.
std::uint64_t SamplesFor(double quantile);

// A quantile with the interval that contains that of the population with a probability of 95 %.
struct QuantileEstimate {
  double value = 0;
  double low = 0;
  double high = 0;

  bool operator==(const QuantileEstimate&) const = default;
};

// Counts of a histogram at one moment; a plain value.
class HistogramSnapshot {
 public:
  HistogramSnapshot()
      : counts_(LogBuckets::kCount, 0) {
  }

  void Add(std::size_t bucket, std::uint64_t count) {
    counts_[bucket] += count;
    total_ += count;
  }

  void Add(const HistogramSnapshot& other);

  // Takes away what `earlier`, a reading of the same histogram, held already.
  void Subtract(const HistogramSnapshot& earlier);

  std::uint64_t Total() const {
    return total_;
  }

  // The smallest value with at least the share `quantile` of all at or below it.
  // None where there are fewer than SamplesFor(quantile).
  std::optional<double> Quantile(double quantile) const;

  // The same with an interval by order statistics: how many values lie below a quantile is binomial, here by its normal
  // approximation.
  std::optional<QuantileEstimate> QuantileWithInterval(double quantile) const;

  // None when empty.
  std::optional<double> Max() const;

 private:
  // The value with a rank from 1 to Total().
  double AtRank(std::uint64_t rank) const;

  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

// A histogram with one writer and any number of readers: no lock and no locked instruction.
class LogHistogram {
 public:
  // Owner only.
  void Record(std::uint64_t value) noexcept {
    Atomic<std::uint64_t>& count = counts_[LogBuckets::IndexOf(value)];
    // relaxed: statistics order nothing; one writer, so that no update is lost.
    count.Store(count.Load(memory_order_relaxed) + 1, memory_order_relaxed);
  }

  // Any thread. May miss what is recorded meanwhile.
  HistogramSnapshot Snapshot() const;

 private:
  std::array<Atomic<std::uint64_t>, LogBuckets::kCount> counts_;
};

}  // namespace schedbench::metrics
