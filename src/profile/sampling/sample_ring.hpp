#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace schedbench::profile {

// Records on their way from one thread's signal handler, which must neither wait nor allocate, to
// the thread that collects them. A record is some words. Records without room are counted and lost.
// One writer, one reader. (I1) words [read_, written_) are whole records and belong to the reader,
// all others to the writer. Each changes only its index, after it is done with the words.
class SampleRing {
 public:
  // Has room for 2^`bits` words of 8 bytes. Memory is taken at its first use.
  explicit SampleRing(unsigned bits);

  // Called by the writer. Returns false, and counts, if there is no room. Async-signal-safe.
  bool TryPush(std::span<const std::uint64_t> record) noexcept;

  // Called by the reader: moves the oldest record to `record`. Returns false if there is none.
  bool TryPop(std::vector<std::uint64_t>& record);

  // Returns the number of lost records so far. Any thread.
  std::uint64_t Lost() const noexcept {
    return lost_.Load(memory_order_relaxed);
  }

 private:
  const std::size_t mask_;
  const std::unique_ptr<std::uint64_t[]> words_;
  alignas(kCacheLine) Atomic<std::uint64_t> written_{0};  // relaxed: only the writer changes it
  Atomic<std::uint64_t> lost_{0};  // written by the writer; relaxed: for reports
  alignas(kCacheLine) Atomic<std::uint64_t> read_{0};  // relaxed: only the reader changes it
};

}  // namespace schedbench::profile
