#include "tests/support/allocation_counter.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/attributes.hpp"

namespace schedbench::tests {

namespace {

constinit std::atomic<std::uint64_t> allocations{0};

}  // namespace

std::uint64_t Allocations() noexcept {
  return allocations.load(std::memory_order_relaxed);
}

static void CountAllocation() noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace schedbench::tests

using schedbench::tests::CountAllocation;

#if defined(SB_ASAN) || defined(SB_TSAN)

static void* New(std::size_t bytes) {
  CountAllocation();
  if (void* memory = std::malloc(bytes)) {
    return memory;
  }
  throw std::bad_alloc();
}

static void* New(std::size_t bytes, std::align_val_t alignment) {
  CountAllocation();
  const auto align = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(align, (bytes + align - 1) / align * align)) {
    return memory;
  }
  throw std::bad_alloc();
}

void* operator new(std::size_t bytes) {
  return New(bytes);
}

void* operator new[](std::size_t bytes) {
  return New(bytes);
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return New(bytes, alignment);
}

void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return New(bytes, alignment);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete[](void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*align*/) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t /*bytes*/, std::align_val_t /*align*/) noexcept {
  std::free(memory);
}

#else

// glibc's own names of what we replace; operator new of libstdc++ ends in malloc.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  CountAllocation();
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  CountAllocation();
  return __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
  CountAllocation();
  return __libc_realloc(memory, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  CountAllocation();
  return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  CountAllocation();
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  CountAllocation();
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
}

#endif
