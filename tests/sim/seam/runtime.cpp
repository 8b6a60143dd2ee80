// What the program's runtime is on the simulated machine: memory, assertions, failures, stacks.
#include "base/assert.hpp"
#include "base/failure.hpp"
#include "platform/memory/memory.hpp"
#include "tests/sim/machine/machine.hpp"

#include <array>
#include <cstdlib>
#include <new>

namespace {

using schedbench::sim::Machine;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  Machine& machine = Machine::Instance();
  if (machine.IsRunning()) {
    return machine.Allocate(bytes, alignment);
  }
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void Free(void* memory) noexcept {
  if (memory != nullptr && !Machine::Instance().Free(memory)) {
    std::free(memory);
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

namespace schedbench {

void AssertionFailed(const char* file, int line, const char* condition,
                     const char* message) noexcept {
  Machine::Instance().Fail("%s:%d: assertion failed: %s (%s)", file, line, condition, message);
}

void FailRun(std::string_view message, FailureKind /*kind*/) noexcept {
  Machine::Instance().Fail("%.*s", static_cast<int>(message.size()), message.data());
}

namespace platform {

namespace {

// Stacks for the fibers of one execution; the next one gets the same.
struct StackMemory {
  static constexpr std::size_t kBytes = schedbench::sim::model_memory::kFiberStacksBytes;

  char* const base =
      schedbench::sim::model_memory::Map(schedbench::sim::model_memory::kFiberStacks, kBytes);
  std::size_t used = 0;
  std::uint32_t execution = 0;
};

StackMemory& Stacks() {
  static StackMemory* const stacks = new (std::malloc(sizeof(StackMemory))) StackMemory;
  return *stacks;
}

}  // namespace

void* ReserveMemory(std::size_t bytes) noexcept {
  StackMemory& stacks = Stacks();
  const std::uint32_t execution = Machine::Instance().Execution();
  if (stacks.execution != execution) {
    stacks.execution = execution;
    stacks.used = 0;
  }
  if (stacks.used + bytes > StackMemory::kBytes) {
    return nullptr;
  }
  char* const memory = stacks.base + stacks.used;
  stacks.used += bytes;
  return memory;
}

void ReleaseMemory(void* /*memory*/, std::size_t /*bytes*/) noexcept {
}

bool InstallGuard(void* /*page*/, GuardKind /*kind*/) noexcept {
  return true;
}

bool InstallGuards(std::span<void* const> /*pages*/) noexcept {
  return true;
}

bool PopulatePages(std::span<void* const> /*pages*/) noexcept {
  return true;
}

std::size_t MaxMappings() noexcept {
  return 65530;
}

}  // namespace platform
}  // namespace schedbench
