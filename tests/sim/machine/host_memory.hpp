#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace schedbench::sim {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20U;

// Memory of the simulation itself: lives across executions, while operator new is the model's
// arena. What is large, such as the states that have been visited, is read all over the place: huge
// pages save it most misses of the TLB.
template <typename T>
struct HostAllocator {
  using value_type = T;

  HostAllocator() = default;

  template <typename U>
  HostAllocator(const HostAllocator<U>& /*other*/) noexcept {
  }

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory =
        bytes < kHugePage
            ? std::malloc(bytes)
            : std::aligned_alloc(kHugePage, (bytes + kHugePage - 1) & ~(kHugePage - 1));
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    if (bytes >= kHugePage) {
      ::madvise(memory, bytes, MADV_HUGEPAGE);
    }
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t /*count*/) noexcept {
    std::free(memory);
  }

  bool operator==(const HostAllocator& /*other*/) const noexcept {
    return true;
  }
};

template <typename T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace schedbench::sim
