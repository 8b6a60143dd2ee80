#pragma once

// Stands in for the library's header on the simulated machine: includes it, unmodified, and gives it the machine's
// atomics, fences, threads and memory. Where the library says std::, within its own namespace, a namespace std in there is
// found first. What is declared in it hides what is real; the rest comes through it. The library's assertions are on.

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "tests/sim/machine/machine.hpp"

// All that the library includes, so that it is read before anything is hidden.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

namespace moodycamel::std {

using namespace ::std;

using Place = ::schedbench::sim::Place;

// What the library uses of std::atomic.
template <typename T>
class atomic {
 public:
  constexpr atomic() noexcept = default;

  constexpr atomic(T value) noexcept
      : value_(value) {
  }

  T load(memory_order order, Place where = Place::current()) const noexcept {
    return value_.Load(order, where);
  }

  void store(T value, memory_order order, Place where = Place::current()) noexcept {
    value_.Store(value, order, where);
  }

  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             Place where = Place::current()) noexcept {
    return value_.CompareExchangeWeak(expected, desired, success, failure, where);
  }

  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               Place where = Place::current()) noexcept {
    return value_.CompareExchange(expected, desired, success, failure, where);
  }

  T fetch_add(T delta, memory_order order, Place where = Place::current()) noexcept {
    return value_.FetchAdd(delta, order, where);
  }

  T fetch_sub(T delta, memory_order order, Place where = Place::current()) noexcept {
    return value_.FetchSub(delta, order, where);
  }

 private:
  ::schedbench::Atomic<T> value_;
};

class atomic_flag {
 public:
  bool test_and_set(memory_order order, Place where = Place::current()) noexcept {
    return set_.Exchange(true, order, where);
  }

  void clear(memory_order order, Place where = Place::current()) noexcept {
    set_.Store(false, order, where);
  }

 private:
  ::schedbench::Atomic<bool> set_;
};

inline void atomic_thread_fence(memory_order order, Place where = Place::current()) noexcept {
  ::schedbench::AtomicFence(order, where);
}

// Only its id: that of a simulated thread.
struct thread {
  struct id {
    uint64_t number = 0;  // 0: none

    bool operator==(const id&) const noexcept = default;
  };
};

namespace this_thread {

inline thread::id get_id() noexcept {
  return {::schedbench::sim::Machine::Instance().CurrentThread() + 1};
}

}  // namespace this_thread

template <typename T>
struct hash;

template <>
struct hash<thread::id> {
  size_t operator()(const thread::id& id) const noexcept {
    return id.number;
  }
};

// The arena's, which sees leaks and uses after free.
inline void* malloc(size_t bytes) {
  return ::operator new(bytes);
}

inline void free(void* memory) noexcept {
  ::operator delete(memory);
}

}  // namespace moodycamel::std

// On x86 the library tells threads apart by the address of a thread-local variable, which all simulated threads share; on
// ARM by std::this_thread::get_id(). Nothing else in it depends on this name.
#pragma push_macro("_M_ARM")
#define _M_ARM
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <cassert>
#define __assert_fail(condition, file, line, function) \
  ::schedbench::AssertionFailed(file, line, condition, "of the library")

#include_next <concurrentqueue/concurrentqueue.h>

#undef __assert_fail
#pragma pop_macro("NDEBUG")
#include <cassert>
#pragma pop_macro("_M_ARM")
