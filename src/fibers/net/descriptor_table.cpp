#include "fibers/net/descriptor_table.hpp"

#include <new>
#include <utility>

namespace schedbench::fibers {

bool DescriptorTable::AddChunk() noexcept {
  auto* const chunk = chunk_count_ < kMaxChunks ? new (std::nothrow) Chunk : nullptr;
  if (chunk == nullptr) {
    return false;
  }
  for (std::uint32_t i = kChunkSize; i > 0; --i) {
    Descriptor& descriptor = (*chunk)[i - 1];
    descriptor.index_ = chunk_count_ * kChunkSize + i - 1;
    descriptor.next_free_ = std::exchange(free_, &descriptor);
  }
  // release: pairs with the acquire in Find() and ForEach().
  chunks_[chunk_count_++].Store(chunk, memory_order_release);
  return true;
}

Descriptor* DescriptorTable::Take() noexcept {
  const platform::MutexLock lock(mutex_);
  if (free_ == nullptr && !AddChunk()) {
    return nullptr;
  }
  Descriptor* const taken = free_;
  free_ = taken->next_free_;
  taken->read_.slot.Open();
  taken->write_.slot.Open();
  taken->read_.turn.Open();
  taken->write_.turn.Open();
  taken->reports_new_bytes_ = false;
  taken->has_ended_.Store(false, memory_order_relaxed);
  return taken;
}

void DescriptorTable::GiveBack(Descriptor& descriptor) noexcept {
  const platform::MutexLock lock(mutex_);
  // An event of this moment counts as an earlier one; at worst it sets a hint.
  descriptor.sequence_.Store(descriptor.sequence_.Load(memory_order_relaxed) + 1,
                             memory_order_relaxed);
  descriptor.next_free_ = std::exchange(free_, &descriptor);
}

std::uint64_t DescriptorTable::KeyOf(const Descriptor& descriptor) noexcept {
  return std::uint64_t{descriptor.index_} << 32U | descriptor.sequence_.Load(memory_order_relaxed);
}

Descriptor* DescriptorTable::Find(std::uint64_t key) const noexcept {
  const auto index = static_cast<std::uint32_t>(key >> 32U);
  // acquire: pairs with the release in AddChunk().
  Chunk* const chunk = chunks_[index / kChunkSize].Load(memory_order_acquire);
  Descriptor& descriptor = (*chunk)[index % kChunkSize];
  return KeyOf(descriptor) == key ? &descriptor : nullptr;
}

}  // namespace schedbench::fibers
