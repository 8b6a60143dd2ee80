#include "platform/fork.hpp"

#include "base/assert.hpp"
#include "base/atomic.hpp"

#include <pthread.h>

namespace schedbench::platform {

namespace {

constexpr const char* kMistake =
    "a scheduler was used in a child of fork(), where its workers do not exist: fork before the "
    "scheduler is made, or "
    "exec at once";

Atomic<std::uint64_t> generation{1};

void CountFork() noexcept {
  // relaxed: the child has one thread.
  generation.FetchAdd(1, memory_order_relaxed);
}

[[maybe_unused]] const bool counts = CallInChildren(&CountFork);

}  // namespace

std::uint64_t ForkGeneration() noexcept {
  // relaxed: it changes only before the process has a second thread.
  return generation.Load(memory_order_relaxed);
}

bool CallInChildren(void (*forget)() noexcept) noexcept {
  SB_ASSERT(::pthread_atfork(nullptr, nullptr, forget) == 0, "no memory for a handler of fork()");
  return true;
}

void RequireSameProcess(std::uint64_t made_in) noexcept {
  // relaxed: as above.
  SB_ASSERT(generation.Load(memory_order_relaxed) == made_in, kMistake);
}

void RefuseInChild() noexcept {
  AssertionFailed(__FILE__, __LINE__, "in the same process", kMistake);
}

}  // namespace schedbench::platform
