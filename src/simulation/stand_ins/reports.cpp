// Replaces, on the simulated machine, what reports on crashes and hangs need to know of fibers, and
// warnings, by nothing. Reports order nothing, and a protocol must work without them.
#include "base/failure.hpp"
#include "base/warning.hpp"
#include "fibers/core/fiber_ids.hpp"
#include "fibers/core/stack_registry.hpp"
#include "fibers/sync/blocked_thread.hpp"
#include "platform/memory/safe_read.hpp"
#include "platform/threads/signal_stack.hpp"

namespace schedbench {

// An execution is repeated thousands of times, and so would be its warnings.
void PrintWarning(std::string_view /*message*/) noexcept {
}

namespace platform {

SignalStack::SignalStack() noexcept = default;
// Empty and not "= default", like BlockedThread's: clang-tidy would want that in the real header.
SignalStack::~SignalStack() {
}

bool SafeRead(std::uintptr_t /*from*/, void* /*to*/, std::size_t /*bytes*/) noexcept {
  return false;
}

}  // namespace platform

namespace fibers {

namespace {

// Made before any execution, so it is plain memory to the machine.
SlabRecord every_slab;

}  // namespace

SlabRecord& StackRegistry::Add(void* /*lowest*/, std::size_t /*stack_bytes*/, bool /*guarded*/) {
  return every_slab;
}

void StackRegistry::Remove(SlabRecord& /*slab*/) noexcept {
}

std::uint64_t FiberIds::Next() noexcept {
  return 1;
}

void FiberIds::AddEnded(std::uint64_t /*count*/) noexcept {
}

BlockedThread::BlockedThread(Waiting waiting) noexcept
    : facts_{.name = {}, .waiting = waiting} {
}

BlockedThread::~BlockedThread() {
}

}  // namespace fibers

}  // namespace schedbench
