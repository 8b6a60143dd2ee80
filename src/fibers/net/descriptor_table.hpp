#pragma once

#include "base/atomic.hpp"
#include "fibers/net/descriptor.hpp"
#include "platform/threads/mutex.hpp"

#include <array>
#include <cstdint>

namespace schedbench::fibers {

// All descriptors, by their numbers in the table. Their chunks are never freed, so the poller finds
// the descriptor of an event without a lock.
class DescriptorTable {
 public:
  DescriptorTable() = default;

  DescriptorTable(const DescriptorTable&) = delete;
  DescriptorTable& operator=(const DescriptorTable&) = delete;

  // Returns an unused descriptor with the next sequence number, new slots and a closed gate.
  // Returns null without memory or after too many. Prefers the last returned. Any thread.
  Descriptor* Take() noexcept;

  // Takes back a descriptor for another use. Requires: closed and unused. Any thread.
  void GiveBack(Descriptor& descriptor) noexcept;

  // Returns the key of `descriptor` in epoll's events: its number and its sequence number.
  static std::uint64_t KeyOf(const Descriptor& descriptor) noexcept;

  // Returns the descriptor of `key`, or null if it has been given back since.
  Descriptor* Find(std::uint64_t key) const noexcept;

  // Calls `visit` with each descriptor, used or not.
  template <typename Visit>
  void ForEach(Visit visit) noexcept {
    for (const auto& place : chunks_) {
      // acquire: pairs with the release in AddChunk().
      if (Chunk* const chunk = place.Load(memory_order_acquire)) {
        for (Descriptor& descriptor : *chunk) {
          visit(descriptor);
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kChunkSize = 256;
  // A million descriptors is the kernel's default limit for a process.
  static constexpr std::uint32_t kMaxChunks = 4096;

  using Chunk = std::array<Descriptor, kChunkSize>;

  bool AddChunk() noexcept;

  platform::Mutex mutex_;
  Descriptor* free_ = nullptr;     // guarded by mutex_
  std::uint32_t chunk_count_ = 0;  // guarded by mutex_
  std::array<Atomic<Chunk*>, kMaxChunks> chunks_;
};

}  // namespace schedbench::fibers
