#pragma once

#include "base/attributes.hpp"

#include <atomic>

// What atomic.hpp runs on: here the CPU. Where an access stands in the source is a parameter on
// other machines, which have another file of this name.
#define SB_SITE_PARAMETER
#define SB_SITE

namespace schedbench {

template <typename T>
using AtomicValue = std::atomic<T>;

SB_ALWAYS_INLINE void AtomicFence(std::memory_order order) noexcept {
  std::atomic_thread_fence(order);
}

}  // namespace schedbench
