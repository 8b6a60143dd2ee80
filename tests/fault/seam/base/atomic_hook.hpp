#pragma once

// Stands in for src/base/atomic_hook.hpp in the tests under tests/fault: at each access something may come between.

#include "base/attributes.hpp"
#include "tests/fault/disturbance.hpp"

#include <atomic>

namespace schedbench {

enum class Access { kRead, kWrite, kModify, kFence };

struct CallSite {
  static constexpr CallSite current() noexcept {
    return {};
  }
};

class AccessHook {
 public:
  AccessHook(Access /*access*/, const void* /*atomic*/, CallSite /*where*/) noexcept {
  }

 private:
  const fault::Point point_;
};

template <typename T>
class AtomicValue : public std::atomic<T> {
 public:
  using std::atomic<T>::atomic;

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) noexcept {
    if (fault::WeakExchangeFails()) {
      expected = this->load(failure);
      return false;
    }
    return std::atomic<T>::compare_exchange_weak(expected, desired, success, failure);
  }
};

inline void ThreadFence(std::memory_order order) noexcept {
  std::atomic_thread_fence(order);
}

struct CellHook {
  void BeforeRead(CallSite /*where*/) const noexcept {
  }
  void BeforeWrite(CallSite /*where*/) noexcept {
  }
};

}  // namespace schedbench
