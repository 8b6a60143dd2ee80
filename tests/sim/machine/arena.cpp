#include "tests/sim/machine/arena.hpp"

#include "tests/sim/machine/model_memory.hpp"

#include <cstring>
#include <new>

namespace schedbench::sim {

namespace {

// Lies right before each block.
struct Header {
  std::size_t bytes;
  std::uint64_t state;
};

constexpr std::uint64_t kLive = 0x6c697665a5a5a5a5U;
constexpr std::uint64_t kFreed = 0x66726565a5a5a5a5U;
// Unlikely as a pointer, a count or the number of a location.
constexpr int kPoison = 0xdb;

}  // namespace

static_assert(kMaxThreads * Arena::kRegionBytes <= model_memory::kHeapBytes);

Arena::Arena()
    : memory_(model_memory::Map(model_memory::kHeap, model_memory::kHeapBytes)) {
}

void Arena::Reset() noexcept {
  used_.fill(0);
  live_ = 0;
}

void* Arena::Allocate(unsigned thread, std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t place =
      (used_[thread] + sizeof(Header) + alignment - 1) / alignment * alignment;
  const std::size_t end = (place + bytes + alignof(Header) - 1) / alignof(Header) * alignof(Header);
  if (end > kRegionBytes) {
    return nullptr;
  }
  used_[thread] = end;
  ++live_;
  char* const block = memory_ + thread * kRegionBytes + place;
  new (block - sizeof(Header)) Header{.bytes = bytes, .state = kLive};
  return block;
}

Arena::Freed Arena::Free(void* block) noexcept {
  auto* header = reinterpret_cast<Header*>(static_cast<char*>(block) - sizeof(Header));
  if (header->state != kLive) {
    return header->state == kFreed ? Freed::kTwice : Freed::kNotABlock;
  }
  header->state = kFreed;
  std::memset(block, kPoison, header->bytes);
  --live_;
  return Freed::kOk;
}

}  // namespace schedbench::sim
