#pragma once

#include "base/atomic.hpp"
#include "schedulers/pool/worker_limits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace schedbench::schedulers {

// A set of workers, with one bit for each. Any thread may call any function. Each change is one
// atomic step; a read of more than one word is not.
class WorkerSet {
 public:
  // Makes an empty set for the workers below `workers`.
  explicit WorkerSet(std::uint32_t workers) noexcept
      : words_in_use_((workers + kWorkersPerWord - 1) / kWorkersPerWord) {
  }

  // Adds a worker that is not in the set.
  void Add(std::uint32_t worker) noexcept {
    // release: pairs with the acquire in TryRemove(). The thread that removes the worker writes its
    // wake word after the worker has emptied it.
    words_[worker / kWorkersPerWord].FetchOr(Bit(worker), memory_order_release);
  }

  // Removes a worker. False: it is not in the set. Of several threads one removes it.
  bool TryRemove(std::uint32_t worker) noexcept {
    // acquire: pairs with the release in Add().
    return (words_[worker / kWorkersPerWord].FetchAnd(~Bit(worker), memory_order_acquire) &
            Bit(worker)) != 0;
  }

  // Removes one worker and returns it: the first from `first` on, otherwise the first below.
  // Requires: the set has at least one worker for each thread in this function. Lock-free: a thread
  // finds all words empty only if others have added and removed workers in the meantime.
  std::uint32_t Take(std::uint32_t first) noexcept {
    std::uint64_t mask = ~(Bit(first) - 1);
    for (std::uint32_t i = first / kWorkersPerWord;; i = i + 1 < words_in_use_ ? i + 1 : 0) {
      // relaxed: TryRemove() checks it, and the loop comes back to a bit that it has missed.
      std::uint64_t seen = words_[i].Load(memory_order_relaxed) & mask;
      for (; seen != 0; seen &= seen - 1) {
        const std::uint32_t worker =
            i * kWorkersPerWord + static_cast<std::uint32_t>(std::countr_zero(seen));
        if (TryRemove(worker)) {
          return worker;
        }
      }
      mask = ~std::uint64_t{0};
    }
  }

  // Returns how many of the workers from `first` to `end` - 1 are in the set. A recent value.
  std::uint32_t Count(std::uint32_t first, std::uint32_t end) const noexcept {
    std::uint32_t count = 0;
    for (std::uint32_t begin = first; begin < end;) {
      const std::uint32_t next = std::min(end, (begin / kWorkersPerWord + 1) * kWorkersPerWord);
      // relaxed: for a decision that another step checks, and for reports.
      const std::uint64_t word = words_[begin / kWorkersPerWord].Load(memory_order_relaxed);
      const std::uint64_t below_next =
          next % kWorkersPerWord == 0 ? ~std::uint64_t{0} : Bit(next) - 1;
      count += static_cast<std::uint32_t>(std::popcount(word & below_next & ~(Bit(begin) - 1)));
      begin = next;
    }
    return count;
  }

 private:
  static constexpr std::uint64_t Bit(std::uint32_t worker) noexcept {
    return std::uint64_t{1} << (worker % kWorkersPerWord);
  }

  const std::uint32_t words_in_use_;
  std::array<Atomic<std::uint64_t>, kMaxWorkers / kWorkersPerWord> words_;
};

}  // namespace schedbench::schedulers
