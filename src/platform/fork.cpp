#include "platform/fork.hpp"

#include "base/assert.hpp"
#include "base/atomic.hpp"

#include <pthread.h>

namespace schedbench::platform {

namespace {

Atomic<std::uint64_t> generation{1};

void CountFork() noexcept {
  // relaxed: the child has one thread.
  generation.FetchAdd(1, memory_order_relaxed);
}

}  // namespace

std::uint64_t ForkGeneration() noexcept {
  [[maybe_unused]] static const int registered = ::pthread_atfork(nullptr, nullptr, &CountFork);
  // relaxed: it changes only before the process has a second thread.
  return generation.Load(memory_order_relaxed);
}

void RequireSameProcess(std::uint64_t made_in) noexcept {
  // relaxed: as above.
  SB_ASSERT(
      generation.Load(memory_order_relaxed) == made_in,
      "a scheduler was used in a child of fork(), where its workers do not exist: fork before "
      "the scheduler is made, or exec at once");
}

}  // namespace schedbench::platform
