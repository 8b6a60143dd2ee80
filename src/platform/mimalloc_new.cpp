// operator new over mimalloc, for builds with it. mimalloc brings one of its own, but as a C library, which ends
// the process when memory is short; this one throws, as the standard wants, so that the tool can say what it was
// doing. Its operator delete, and malloc for everybody else, are mimalloc's.

#include <mimalloc.h>

#include <cstddef>
#include <new>

namespace {

void* OrThrow(void* memory) {
  if (memory == nullptr) [[unlikely]] {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return OrThrow(mi_malloc(bytes));
}

void* operator new[](std::size_t bytes) {
  return OrThrow(mi_malloc(bytes));
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return OrThrow(mi_malloc_aligned(bytes, static_cast<std::size_t>(alignment)));
}

void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return OrThrow(mi_malloc_aligned(bytes, static_cast<std::size_t>(alignment)));
}
