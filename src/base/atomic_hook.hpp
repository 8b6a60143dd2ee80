#pragma once

#include "base/attributes.hpp"

#include <atomic>

// What base/atomic.hpp is made of on a real machine: std::atomic, and hooks that do nothing. Other
// machines have another file of this name.
namespace schedbench {

enum class Access { kRead, kWrite, kModify, kFence };

// Where an access stands in the source.
struct CallSite {
  static constexpr CallSite current() noexcept {
    return {};
  }
};

template <typename T>
class AtomicValue : public std::atomic<T> {
  static_assert(std::atomic<T>::is_always_lock_free);

 public:
  using std::atomic<T>::atomic;
};

// Encloses each access of an Atomic, and each fence.
struct AccessHook {
  SB_ALWAYS_INLINE constexpr AccessHook(Access /*access*/, const void* /*atomic*/,
                                        CallSite /*where*/) noexcept {
  }
};

SB_ALWAYS_INLINE void ThreadFence(std::memory_order order) noexcept {
  std::atomic_thread_fence(order);
}

// A part of each Cell.
struct CellHook {
  SB_ALWAYS_INLINE void BeforeRead(CallSite /*where*/) const noexcept {
  }
  SB_ALWAYS_INLINE void BeforeWrite(CallSite /*where*/) noexcept {
  }
};

}  // namespace schedbench
