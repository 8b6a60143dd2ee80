#pragma once

#include "simulation/machine/lines.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sim_scaling {

// The memory of the simulated program, with a Line for each 64 bytes: a heap per core, stacks of
// threads, stacks of fibers. A heap has lists of free blocks per size, like mimalloc: a block
// returns to the heap of the core that allocated it.
class Memory {
 public:
  static constexpr std::size_t kMebi = std::size_t{1} << 20U;
  static constexpr std::size_t kHeapBytes = 256 * kMebi;
  static constexpr std::size_t kThreadStackBytes = std::size_t{256} << 10U;
  static constexpr std::size_t kFiberStacksBytes = 16384 * kMebi;

  Memory();

  // Clears all of it.
  void Reset() noexcept;

  bool Contains(const void* address) const noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_) <
           kBytes;
  }

  // Returns the line of an address. Requires: Contains(address).
  Line& LineOf(const void* address) noexcept {
    return lines_[(static_cast<const char*>(address) - base_) / kLineBytes];
  }

  // Returns a block, or null if the heap is full. `shared`: if another core returned this block,
  // the line for returning blocks that it and the owner use; otherwise null.
  void* Allocate(unsigned core, std::size_t bytes, std::size_t alignment,
                 const void*& shared) noexcept;
  void Free(unsigned core, void* block, const void*& shared) noexcept;

  // Returns the size of the block that starts there, or of a line if none does.
  std::size_t SizeOf(const void* block) const noexcept;

  char* ThreadStack(unsigned thread) noexcept {
    return base_ + kThreadStacks + thread * kThreadStackBytes;
  }

  void* ReserveFiberStacks(std::size_t bytes) noexcept;

  // Returns the number of the stack of `address`. Requires: a fiber's stack of the default size.
  std::size_t FiberStackOf(const void* address) const noexcept {
    return (static_cast<std::size_t>(static_cast<const char*>(address) - base_) - kFiberStacks) /
           kFiberStackBytes;
  }
  static constexpr std::size_t kFiberStackBytes = std::size_t{64} << 10U;

 private:
  static constexpr std::size_t kThreadStacks = kMaxCores * kHeapBytes;
  static constexpr std::size_t kFiberStacks = kThreadStacks + kMaxCores * kThreadStackBytes;
  static constexpr std::size_t kBytes = kFiberStacks + kFiberStacksBytes;
  static constexpr std::size_t kPageBytes = std::size_t{64} << 10U;
  static constexpr std::size_t kPages = kHeapBytes / kPageBytes;
  static constexpr std::size_t kSmallest = 16;
  static constexpr std::size_t kLargestSmall = 1024;
  static constexpr std::size_t kClasses = kLargestSmall / kSmallest + 28;

  struct Block {
    Block* next;
  };
  struct Heap {
    std::array<Block*, kClasses> free;
    std::array<Block*, kClasses> returned;  // returned by other cores
    std::array<char*, kClasses> fresh;      // the rest of a page
    std::array<std::uint32_t, kPages> block_bytes;
    std::size_t pages;  // used; the first holds the shared lines
  };

  static std::size_t ClassOf(std::size_t bytes) noexcept {
    return bytes <= kLargestSmall ? (bytes + kSmallest - 1) / kSmallest
                                  : kLargestSmall / kSmallest + std::bit_width(bytes - 1) - 10;
  }
  static std::size_t BytesOf(std::size_t index) noexcept {
    return index <= kLargestSmall / kSmallest
               ? index * kSmallest
               : std::size_t{1} << (index - kLargestSmall / kSmallest + 10);
  }
  char* HeapBase(std::size_t core) noexcept {
    return base_ + core * kHeapBytes;
  }
  const void* SharedLine(const void* block) noexcept;
  char* TakePages(unsigned core, std::size_t index) noexcept;

  char* base_;
  Line* lines_;
  Heap* heaps_;
  std::size_t fiber_stacks_used_ = 0;
};

}  // namespace sim_scaling
