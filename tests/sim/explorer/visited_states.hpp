#pragma once

#include "tests/sim/machine/host_memory.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// States that have been explored, each with the least number of preemptions that led to it: from
// there on everything that is within the bound is known. A state is its 60-bit hash; with n states
// two of them are taken for one with a probability of about n^2 / 2^61 (10^8 states: 0.4 %).
class VisitedStates {
 public:
  static constexpr unsigned kMaxPreemptions = 15;

  VisitedStates()
      : slots_(kInitialSlots) {
  }

  void Clear() {
    HostVector<std::uint64_t>(kInitialSlots).swap(slots_);
    size_ = 0;
  }

  // Returns false iff the state was there with as few preemptions. When the table is full, states
  // are no longer added: the exploration is then longer, not less complete.
  bool Insert(std::uint64_t state, unsigned preemptions) {
    const std::uint64_t key = state | kPreemptionMask;
    std::uint64_t* slot = Find(key);
    if (*slot != 0) {
      if ((*slot & kPreemptionMask) <= preemptions) {
        return false;
      }
    } else {
      if (size_ >= kLimit) {
        return true;
      }
      if (++size_ > slots_.size() / 2) {
        Grow();
        slot = Find(key);
      }
    }
    *slot = (key & ~kPreemptionMask) | preemptions;
    return true;
  }

  std::size_t Size() const noexcept {
    return size_;
  }

 private:
  static constexpr std::uint64_t kPreemptionMask = kMaxPreemptions;
  static constexpr std::size_t kInitialSlots = std::size_t{1} << 12U;
  // 2 GiB.
  static constexpr std::size_t kLimit = std::size_t{1} << 27U;

  std::uint64_t* Find(std::uint64_t key) {
    for (std::size_t i = (key >> 4U) & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i] == 0 || (slots_[i] | kPreemptionMask) == key) {
        return &slots_[i];
      }
    }
  }

  void Grow() {
    HostVector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const std::uint64_t slot : old) {
      if (slot != 0) {
        *Find(slot | kPreemptionMask) = slot;
      }
    }
  }

  HostVector<std::uint64_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace schedbench::sim
