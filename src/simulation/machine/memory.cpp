#include "simulation/machine/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>

namespace sim_scaling {

namespace {

// Reserves memory that takes no RAM before it is touched.
void* Reserve(std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "error: no address space for the simulated memory (ulimit -v)\n");
    std::exit(2);
  }
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

constexpr std::size_t kLineRecords = sizeof(Line);

}  // namespace

Memory::Memory()
    : base_(static_cast<char*>(Reserve(kBytes))),
      lines_(static_cast<Line*>(Reserve(kBytes / kLineBytes * kLineRecords))),
      heaps_(static_cast<Heap*>(Reserve(kMaxCores * sizeof(Heap)))) {
}

void Memory::Reset() noexcept {
  ::madvise(base_, kBytes, MADV_DONTNEED);
  ::madvise(lines_, kBytes / kLineBytes * kLineRecords, MADV_DONTNEED);
  ::madvise(heaps_, kMaxCores * sizeof(Heap), MADV_DONTNEED);
  fiber_stacks_used_ = 0;
}

const void* Memory::SharedLine(const void* block) noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(block) - base_);
  const std::size_t core = offset / kHeapBytes;
  return HeapBase(core) + offset % kHeapBytes / kPageBytes * kLineBytes;
}

char* Memory::TakePages(unsigned core, std::size_t index) noexcept {
  Heap& heap = heaps_[core];
  heap.pages = std::max<std::size_t>(heap.pages, 1);
  const std::size_t pages = std::max<std::size_t>(BytesOf(index) / kPageBytes, 1);
  if (heap.pages + pages > kPages) {
    return nullptr;
  }
  char* const memory = HeapBase(core) + heap.pages * kPageBytes;
  heap.block_bytes[heap.pages] = static_cast<std::uint32_t>(BytesOf(index));
  heap.pages += pages;
  return memory;
}

void* Memory::Allocate(unsigned core, std::size_t bytes, std::size_t alignment,
                       const void*& shared) noexcept {
  bytes = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  const std::size_t index = ClassOf(bytes);
  Heap& heap = heaps_[core];
  shared = nullptr;
  if (heap.free[index] == nullptr && heap.returned[index] != nullptr) {
    heap.free[index] = heap.returned[index];
    heap.returned[index] = nullptr;
    shared = SharedLine(heap.free[index]);
  }
  if (Block* const block = heap.free[index]) {
    heap.free[index] = block->next;
    return block;
  }
  char*& fresh = heap.fresh[index];
  if (fresh == nullptr) {
    fresh = TakePages(core, index);
    if (fresh == nullptr) {
      return nullptr;
    }
  }
  char* const block = fresh;
  fresh += BytesOf(index);
  const std::size_t left = kPageBytes - static_cast<std::size_t>(fresh - base_) % kPageBytes;
  if (left == kPageBytes || left < BytesOf(index)) {
    fresh = nullptr;
  }
  return block;
}

void Memory::Free(unsigned core, void* block, const void*& shared) noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<char*>(block) - base_);
  const std::size_t owner = offset / kHeapBytes;
  Heap& heap = heaps_[owner];
  const std::size_t index = ClassOf(heap.block_bytes[offset % kHeapBytes / kPageBytes]);
  auto* const freed = static_cast<Block*>(block);
  Block*& list = owner == core ? heap.free[index] : heap.returned[index];
  shared = owner == core ? nullptr : SharedLine(block);
  freed->next = list;
  list = freed;
}

std::size_t Memory::SizeOf(const void* block) const noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(block) - base_);
  if (offset >= kThreadStacks) {
    return kLineBytes;
  }
  const std::uint32_t bytes =
      heaps_[offset / kHeapBytes].block_bytes[offset % kHeapBytes / kPageBytes];
  return bytes == 0 || bytes > kLargestSmall ? kLineBytes : bytes;
}

void* Memory::ReserveFiberStacks(std::size_t bytes) noexcept {
  if (fiber_stacks_used_ + bytes > kFiberStacksBytes) {
    return nullptr;
  }
  char* const memory = base_ + kFiberStacks + fiber_stacks_used_;
  fiber_stacks_used_ += bytes;
  return memory;
}

}  // namespace sim_scaling
