#pragma once

#include "base/atomic.hpp"
#include "metrics/counter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace schedbench::executors {

// The counts of a strand at one moment, or at slightly different moments if it is at work.
struct StrandReading {
  // Bucket i holds the batches of [2^i, 2^(i+1)) tasks; the last one holds all larger ones too.
  static constexpr std::size_t kBuckets = 16;

  std::uint64_t visits = 0;   // runs on the underlying executor
  std::uint64_t batches = 0;  // taken from the inbox, each in one step
  std::uint64_t tasks = 0;    // in those batches
  std::array<std::uint64_t, kBuckets> batch_sizes{};

  // Returns the size of batches at this quantile, rounded down to a power of two; 0 without any.
  std::uint64_t BatchQuantile(double share) const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t count : batch_sizes) {
      all += count;
    }
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      below += batch_sizes[i];
      if (below > 0 && static_cast<double>(below) >= share * static_cast<double>(all)) {
        return std::uint64_t{1} << i;
      }
    }
    return 0;
  }

  // Returns the mean size; 0 without batches.
  double MeanBatch() const noexcept {
    return batches == 0 ? 0 : static_cast<double>(tasks) / static_cast<double>(batches);
  }
};

// The counters of a strand. The one visit writes them by plain loads and stores; any thread reads
// them. A LogHistogram instead of powers of two would cost each of many strands 18 kB.
class StrandMetrics {
 public:
  // Counts a visit. Only the visit calls it.
  void OnVisit() noexcept {
    visits_.Add();
  }

  // Counts a batch; `size` is at least 1. Only the visit calls it.
  void OnBatch(std::size_t size) noexcept {
    batches_.Add();
    tasks_.Add(size);
    const auto bucket = static_cast<std::size_t>(std::bit_width(size)) - 1;
    Atomic<std::uint64_t>& count = batch_sizes_[std::min(bucket, StrandReading::kBuckets - 1)];
    // relaxed: see batch_sizes_.
    count.Store(count.Load(memory_order_relaxed) + 1, memory_order_relaxed);
  }

  // Returns the counts so far. Any thread.
  StrandReading Read() const noexcept {
    StrandReading reading{.visits = visits_.Get(),
                          .batches = batches_.Get(),
                          .tasks = tasks_.Get(),
                          .batch_sizes = {}};
    for (std::size_t i = 0; i < StrandReading::kBuckets; ++i) {
      reading.batch_sizes[i] = batch_sizes_[i].Load(memory_order_relaxed);
    }
    return reading;
  }

 private:
  template <FixedString Name, FixedString Unit, FixedString Doc>
  using Sum = metrics::Counter<Name, Unit, metrics::Aggregation::kSum, Doc>;

  Sum<"visits", "ops", "Times that the strand ran on its executor"> visits_;
  Sum<"batches", "ops", "Batches taken from the inbox"> batches_;
  Sum<"tasks", "tasks", "Tasks in those batches"> tasks_;
  std::array<Atomic<std::uint64_t>, StrandReading::kBuckets> batch_sizes_;  // relaxed: one writer
};

}  // namespace schedbench::executors
