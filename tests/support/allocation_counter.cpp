#include "tests/support/allocation_counter.hpp"

#include "base/attributes.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

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

// From sanitizer/allocator_interface.h, which g++ does not bring along.
extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void* memory, std::size_t bytes),
    void (*free_hook)(const volatile void* memory));

[[maybe_unused]] static const int kHooked = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void* /*memory*/, std::size_t /*bytes*/) { CountAllocation(); },
    [](const volatile void* /*memory*/) {});

#else

// glibc's own names of what is replaced; operator new of libstdc++ ends in malloc.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
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
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

#endif
