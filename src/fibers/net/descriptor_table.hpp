#pragma once

#include "base/atomic.hpp"
#include "fibers/net/descriptor.hpp"
#include "platform/threads/mutex.hpp"

#include <array>
#include <cstdint>

namespace schedbench::fibers {

// All descriptors, by their numbers in the table. They come in chunks that are never freed: the poller looks up what an event
// names without a lock.
class DescriptorTable {
 public:
  DescriptorTable() = default;

  DescriptorTable(const DescriptorTable&) = delete;
  DescriptorTable& operator=(const DescriptorTable&) = delete;

  // Returns an unused descriptor with the next sequence number, whose slots are new and whose gate is closed; null: no memory,
  // or too many. The one that was given back last comes first. Any thread.
  Descriptor* Take() noexcept;

  // Takes back a descriptor, for another use. Any thread. Requires: closed and unused.
  void GiveBack(Descriptor& descriptor) noexcept;

  // What epoll reports events of `descriptor` by: its number and its sequence number.
  static std::uint64_t KeyOf(const Descriptor& descriptor) noexcept;

  // Returns the descriptor of `key`, or null: it has been given back since.
  Descriptor* Find(std::uint64_t key) const noexcept;

  // Calls `visit` with each descriptor, used or not.
  template <typename Visit>
  void ForEach(Visit visit) noexcept {
    for (const auto& place : chunks_) {
      // acquire: pairs with the release in Take().
      if (Chunk* const chunk = place.Load(memory_order_acquire)) {
        for (Descriptor& descriptor : *chunk) {
          visit(descriptor);
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kChunkSize = 256;
  static constexpr std::uint32_t kMaxChunks =
      4096;  // a million descriptors: the kernel's default limit of a process

  using Chunk = std::array<Descriptor, kChunkSize>;

  bool AddChunk() noexcept;

  platform::Mutex mutex_;
  Descriptor* free_ = nullptr;     // guarded by mutex_
  std::uint32_t chunk_count_ = 0;  // guarded by mutex_
  std::array<Atomic<Chunk*>, kMaxChunks> chunks_;
};

}  // namespace schedbench::fibers
