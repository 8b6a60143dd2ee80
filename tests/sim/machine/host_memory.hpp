#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

namespace schedbench::sim {

// Memory of the simulation itself: lives across executions, while operator new is the model's arena.
template <typename T>
struct HostAllocator {
  using value_type = T;

  HostAllocator() = default;

  template <typename U>
  HostAllocator(const HostAllocator<U>& /*other*/) noexcept {
  }

  T* allocate(std::size_t count) {
    void* memory = std::malloc(count * sizeof(T));
    if (memory == nullptr) {
      throw std::bad_alloc();
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
