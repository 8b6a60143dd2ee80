#include "tests/sim/machine/model_memory.hpp"

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>

namespace schedbench::sim::model_memory {

char* Map(std::uintptr_t address, std::size_t bytes) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const memory =
      ::mmap(wanted, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) {
    std::perror("the addresses of the simulated machine are taken");
    std::abort();
  }
  // Each execution touches the same few pages, far from each other.
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<char*>(memory);
}

}  // namespace schedbench::sim::model_memory
