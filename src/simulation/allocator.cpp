// operator new of a simulating program: the simulated heap in a simulation, otherwise the system's.
#include "simulation/machine/machine.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(SB_SCALING_MIMALLOC)
#include <mimalloc.h>
#endif

namespace {

using sim_scaling::Machine;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  Machine& machine = Machine::Instance();
  if (machine.AllocatesHere()) [[unlikely]] {
    return machine.Allocate(bytes, alignment);
  }
#if defined(SB_SCALING_MIMALLOC)
  void* const memory = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                           ? mi_malloc(bytes)
                           : mi_malloc_aligned(bytes, alignment);
#else
  void* const memory =
      alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
          ? std::malloc(bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#endif
  if (memory == nullptr) [[unlikely]] {
    throw std::bad_alloc();
  }
  return memory;
}

void Free(void* memory) noexcept {
  if (memory != nullptr && !Machine::Instance().Free(memory)) [[likely]] {
#if defined(SB_SCALING_MIMALLOC)
    mi_free(memory);
#else
    std::free(memory);
#endif
  }
}

}  // namespace

void* operator new(std::size_t bytes) {
  return Allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept {
  Free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  Free(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  Free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  Free(memory);
}
