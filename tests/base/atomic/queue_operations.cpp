// One push and one pop of a bounded queue, written once and compiled with our Atomic and with
// std::atomic. The functions below come in pairs; compare_code.sh shows that the two of a pair are
// the same instructions.
#include "base/atomic.hpp"
#include "base/attributes.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace {

using schedbench::memory_order;
using schedbench::memory_order_acquire;
using schedbench::memory_order_relaxed;
using schedbench::memory_order_release;
using schedbench::memory_order_seq_cst;

// The two vocabularies. Nothing but the call.
template <typename T>
struct Ours {
  schedbench::Atomic<T> value;

  SB_ALWAYS_INLINE T Load(memory_order order) const {
    return value.Load(order);
  }

  SB_ALWAYS_INLINE void Store(T desired, memory_order order) {
    value.Store(desired, order);
  }

  SB_ALWAYS_INLINE bool Replace(T& expected, T desired, memory_order success,
                                memory_order failure) {
    return value.CompareExchangeWeak(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE static void Fence(memory_order order) {
    schedbench::AtomicFence(order);
  }
};

template <typename T>
struct Standard {
  std::atomic<T> value;

  SB_ALWAYS_INLINE T Load(std::memory_order order) const {
    return value.load(order);
  }

  SB_ALWAYS_INLINE void Store(T desired, std::memory_order order) {
    value.store(desired, order);
  }

  SB_ALWAYS_INLINE bool Replace(T& expected, T desired, std::memory_order success,
                                std::memory_order failure) {
    return value.compare_exchange_weak(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE static void Fence(std::memory_order order) {
    std::atomic_thread_fence(order);
  }
};

template <template <typename> typename AtomicOf>
struct Queue {
  static constexpr std::uint64_t kCapacity = 256;

  AtomicOf<std::uint64_t> head;
  AtomicOf<std::uint64_t> tail;
  AtomicOf<void*> slots[kCapacity];

  SB_ALWAYS_INLINE bool TryPush(void* task) {
    // relaxed: as in the work-stealing queue, which this is after.
    const std::uint64_t end = tail.Load(memory_order_relaxed);
    // acquire: pairs with the exchange in TryPop().
    if (end - head.Load(memory_order_acquire) == kCapacity) {
      return false;
    }
    // relaxed: published by the store of the tail, a release that pairs with the acquire in
    // TryPop().
    slots[end % kCapacity].Store(task, memory_order_relaxed);
    tail.Store(end + 1, memory_order_release);
    AtomicOf<std::uint64_t>::Fence(memory_order_seq_cst);
    return true;
  }

  SB_ALWAYS_INLINE void* TryPop() {
    // acquire: pairs with the exchange below and with the store of the tail in TryPush().
    std::uint64_t begin = head.Load(memory_order_acquire);
    for (;;) {
      if (begin == tail.Load(memory_order_acquire)) {
        return nullptr;
      }
      // relaxed: ordered by the tail.
      void* const task = slots[begin % kCapacity].Load(memory_order_relaxed);
      if (head.Replace(begin, begin + 1, memory_order_release, memory_order_relaxed)) {
        return task;
      }
    }
  }
};

}  // namespace

extern "C" {

bool PushOurs(Queue<Ours>& queue, void* task) {
  return queue.TryPush(task);
}

bool PushStandard(Queue<Standard>& queue, void* task) {
  return queue.TryPush(task);
}

void* PopOurs(Queue<Ours>& queue) {
  return queue.TryPop();
}

void* PopStandard(Queue<Standard>& queue) {
  return queue.TryPop();
}
}
