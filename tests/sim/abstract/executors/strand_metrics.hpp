#pragma once

// Stands in for src/executors/strand_metrics.hpp in models of strands: the numbers are not what is
// checked, but that only the visit writes them is. A Cell detects another writer, or a visit that
// is over.

#include "base/atomic.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::executors {

// Beside the real ones in the same program.
inline namespace abstract {

struct StrandReading {
  std::uint64_t visits = 0;
};

class StrandMetrics {
 public:
  void OnVisit() noexcept {
    visits_.Write(visits_.Read() + 1);
  }

  void OnBatch(std::size_t size) noexcept {
    tasks_.Write(tasks_.Read() + size);
  }

  StrandReading Read() const noexcept {
    return {};
  }

 private:
  Cell<std::uint64_t> visits_;
  Cell<std::uint64_t> tasks_;
};

}  // namespace abstract

}  // namespace schedbench::executors
