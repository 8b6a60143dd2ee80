#pragma once

#include "base/atomic.hpp"
#include "platform/memory/memory.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

class FiberStack;

// A slab of stacks in a form that a crash handler can read. Never freed; a later slab reuses it.
struct SlabRecord {
  Atomic<std::uintptr_t> lowest{0};  // 0 if the record is free
  // relaxed: written before the first AddStack(), and used only by readers that see a stack.
  Atomic<std::size_t> stack_bytes{0};
  Atomic<std::uint64_t> stacks{0};  // a bit for each stack that exists
  Atomic<bool> guarded{false};      // relaxed: as stack_bytes
  SlabRecord* next = nullptr;       // fixed once the record is in the list
};

// The stack that contains an address.
struct StackSpot {
  std::uintptr_t lowest = 0;  // start of the stack, which is the guard page if there is a guard
  std::size_t bytes = 0;      // size of the stack; 0 if the address is in no stack
  bool guarded = false;
  const FiberStack* fiber_stack = nullptr;

  // Returns whether the address lies in a fiber's stack, including its guard page.
  bool IsStack() const noexcept {
    return bytes != 0;
  }
};

// Knows all fiber stacks of the process, for reports on crashes and hangs. Lookups are
// async-signal-safe: they take no lock and touch only the records. They walk all slabs:
// microseconds for thousands.
class StackRegistry {
 public:
  static constexpr std::size_t kStacksPerSlab = 64;

  // Returns the distance between two stacks of a slab. The size of a stack is a power of two; one
  // more page makes the distance an odd number of pages. Otherwise all top pages would share few
  // sets of the translation lookaside buffer, and some hundred stacks would evict each other's
  // translations. The page between two stacks is never touched.
  static std::size_t StrideBytes(std::size_t stack_bytes) noexcept {
    return stack_bytes + platform::kPageBytes;
  }

  // Registers a slab, without stacks yet. Any thread.
  static SlabRecord& Add(void* lowest, std::size_t stack_bytes, bool guarded);

  // Registers the complete stack number `index` of the slab. Call it once per stack. Any thread.
  static void AddStack(SlabRecord& slab, std::size_t index) noexcept {
    // release: pairs with the acquire in ForEach() and Find(); the stack's header is complete.
    slab.stacks.FetchOr(std::uint64_t{1} << index, memory_order_release);
  }

  // Removes the slab and its stacks. Call it before the slab is unmapped. A concurrent report may
  // still read the stacks, by platform::SafeRead.
  static void Remove(SlabRecord& slab) noexcept;

  // Returns the stack that contains `address`, if any. Any thread; async-signal-safe.
  static StackSpot Find(std::uintptr_t address) noexcept;

  // Calls visit(spot) for each stack. Async-signal-safe if `visit` is.
  template <typename Visit>
  static void ForEach(Visit visit) {
    for (const SlabRecord* slab = First(); slab != nullptr; slab = slab->next) {
      // acquire: pairs with the release in Add() and AddStack().
      const std::uintptr_t lowest = slab->lowest.Load(memory_order_acquire);
      std::uint64_t stacks = lowest == 0 ? 0 : slab->stacks.Load(memory_order_acquire);
      for (; stacks != 0; stacks &= stacks - 1) {
        visit(Spot(*slab, lowest, static_cast<std::size_t>(std::countr_zero(stacks))));
      }
    }
  }

 private:
  static const SlabRecord* First() noexcept;
  static StackSpot Spot(const SlabRecord& slab, std::uintptr_t lowest, std::size_t index) noexcept;
};

}  // namespace schedbench::fibers
