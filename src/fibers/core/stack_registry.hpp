#pragma once

#include "base/atomic.hpp"
#include "platform/memory/memory.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

class FiberStack;

// A slab of stacks, as a crash handler can find it: the record is never freed, and taken again for another slab
// when its own is gone.
struct SlabRecord {
  Atomic<std::uintptr_t> lowest{0};  // 0: the record is free
  Atomic<std::size_t> stack_bytes{0};
  Atomic<std::uint64_t> stacks{0};  // a bit for each that is made
  Atomic<bool> guarded{false};
  SlabRecord* next = nullptr;  // fixed once the record is in the list
};

// Where an address lies.
struct StackSpot {
  std::uintptr_t lowest = 0;  // of the stack; the guard page, where there is one
  std::size_t bytes = 0;      // of the stack; 0: the address is in no stack
  bool guarded = false;
  const FiberStack* fiber_stack = nullptr;

  // Whether the address lies in a fiber's stack, its guard page included.
  bool IsStack() const noexcept {
    return bytes != 0;
  }
};

// Knows all stacks of fibers in the process, for reports on crashes and hangs. Lookups take no lock and touch
// nothing but the records: async-signal-safe. They walk all slabs, microseconds for thousands.
class StackRegistry {
 public:
  static constexpr std::size_t kStacksPerSlab = 64;

  // From one stack of a slab to the next. A stack is a power of two, so one more page makes the distance an odd number of
  // pages. Otherwise the low bits of all top pages are equal, they share few sets of the translation lookaside buffer, and
  // some hundred stacks evict each other's translations. The page between two stacks is never touched.
  static std::size_t StrideBytes(std::size_t stack_bytes) noexcept {
    return stack_bytes + platform::kPageBytes;
  }

  // Registers a slab, without stacks yet. Any thread.
  static SlabRecord& Add(void* lowest, std::size_t stack_bytes, bool guarded);

  // Registers stack number `index` of the slab, which is ready. Any thread, once for each.
  static void AddStack(SlabRecord& slab, std::size_t index) noexcept {
    // release: pairs with the acquire in ForEach() and Find(); the stack's header is there.
    slab.stacks.FetchOr(std::uint64_t{1} << index, memory_order_release);
  }

  // Forgets the slab and its stacks. Call it before the slab is unmapped. A report that runs at this very moment may still look
  // at it; it reads stacks by platform::SafeRead.
  static void Remove(SlabRecord& slab) noexcept;

  // Returns the stack that `address` lies in; IsStack() is false if it lies in none. Any thread; async-signal-safe.
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
