#include "fibers/core/stack_registry.hpp"

#include "fibers/core/fiber_stack.hpp"

namespace schedbench::fibers {

namespace {

Atomic<SlabRecord*> newest_slab{nullptr};

// Takes a record whose slab is gone, so that the list does not grow when pools come and go.
SlabRecord* TryReuse(std::uintptr_t lowest) noexcept {
  // acquire: pairs with the release in Add().
  for (SlabRecord* slab = newest_slab.Load(memory_order_acquire); slab != nullptr;
       slab = slab->next) {
    std::uintptr_t free = 0;
    // acquire: pairs with the release in Remove(). relaxed: a record in use is skipped.
    if (slab->lowest.CompareExchange(free, lowest, memory_order_acquire, memory_order_relaxed)) {
      return slab;
    }
  }
  return nullptr;
}

}  // namespace

SlabRecord& StackRegistry::Add(void* lowest, std::size_t stack_bytes, bool guarded) {
  const auto address = reinterpret_cast<std::uintptr_t>(lowest);
  SlabRecord* slab = TryReuse(address);
  const bool is_new = slab == nullptr;
  if (is_new) {
    slab = new SlabRecord;
  }
  slab->stack_bytes.Store(stack_bytes, memory_order_relaxed);
  slab->guarded.Store(guarded, memory_order_relaxed);
  if (is_new) {
    // release: pairs with the acquire in ForEach().
    slab->lowest.Store(address, memory_order_release);
    // relaxed: the exchange in the loop checks it.
    slab->next = newest_slab.Load(memory_order_relaxed);
    // release: pairs with the acquire in First() and TryReuse(). relaxed: a failure retries.
    while (!newest_slab.CompareExchangeWeak(slab->next, slab, memory_order_release,
                                            memory_order_relaxed)) {
    }
  }
  return *slab;
}

void StackRegistry::Remove(SlabRecord& slab) noexcept {
  // relaxed: the next store publishes it to the thread that takes the record next.
  slab.stacks.Store(0, memory_order_relaxed);
  // release: pairs with the acquire in TryReuse().
  slab.lowest.Store(0, memory_order_release);
}

StackSpot StackRegistry::Find(std::uintptr_t address) noexcept {
  for (const SlabRecord* slab = First(); slab != nullptr; slab = slab->next) {
    // acquire: pairs with the release in Add() and AddStack().
    const std::uintptr_t lowest = slab->lowest.Load(memory_order_acquire);
    const std::uint64_t stacks = slab->stacks.Load(memory_order_acquire);
    const std::size_t bytes = slab->stack_bytes.Load(memory_order_relaxed);
    if (lowest == 0 || stacks == 0 || address < lowest) {
      continue;
    }
    const std::size_t index = (address - lowest) / StrideBytes(bytes);
    const std::size_t offset = (address - lowest) % StrideBytes(bytes);
    if (index < kStacksPerSlab && offset < bytes && (stacks >> index & 1U) != 0) {
      return Spot(*slab, lowest, index);
    }
  }
  return {};
}

const SlabRecord* StackRegistry::First() noexcept {
  // acquire: pairs with the release in Add().
  return newest_slab.Load(memory_order_acquire);
}

StackSpot StackRegistry::Spot(const SlabRecord& slab, std::uintptr_t lowest,
                              std::size_t index) noexcept {
  const std::size_t bytes = slab.stack_bytes.Load(memory_order_relaxed);
  const std::uintptr_t own = lowest + index * StrideBytes(bytes);
  return {.lowest = own,
          .bytes = bytes,
          .guarded = slab.guarded.Load(memory_order_relaxed),
          .fiber_stack = FiberStack::Of(reinterpret_cast<void*>(own), bytes, index)};
}

}  // namespace schedbench::fibers
