// operator new over mimalloc, for builds with it. mimalloc's own is that of a C library and ends
// the process without memory; this one calls the new-handler or throws, so the tool can report its
// current work. operator delete, and malloc for all other code, are mimalloc's.

#include <mimalloc.h>

#include <cstddef>
#include <new>

namespace {

// The standard requires this loop: a new-handler may free memory, or end the process.
template <typename Allocate>
void* OrThrow(Allocate allocate) {
  for (;;) {
    if (void* const memory = allocate()) [[likely]] {
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

}  // namespace

void* operator new(std::size_t bytes) {
  return OrThrow([=] { return mi_malloc(bytes); });
}

void* operator new[](std::size_t bytes) {
  return OrThrow([=] { return mi_malloc(bytes); });
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return OrThrow([=] { return mi_malloc_aligned(bytes, static_cast<std::size_t>(alignment)); });
}

void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return OrThrow([=] { return mi_malloc_aligned(bytes, static_cast<std::size_t>(alignment)); });
}
