#include "profile/sampling/sample_ring.hpp"

#include "base/assert.hpp"

namespace schedbench::profile {

SampleRing::SampleRing(unsigned bits)
    : mask_((std::size_t{1} << bits) - 1),
      words_(std::make_unique_for_overwrite<std::uint64_t[]>(mask_ + 1)) {
}

bool SampleRing::TryPush(std::span<const std::uint64_t> record) noexcept {
  const std::uint64_t written = written_.Load(memory_order_relaxed);
  // acquire: pairs with the release in TryPop(); the words are no longer read.
  const std::uint64_t used = written - read_.Load(memory_order_acquire);
  if (record.size() + 1 > mask_ + 1 - used) {
    lost_.Store(lost_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
    return false;
  }
  words_[written & mask_] = record.size();
  for (std::size_t i = 0; i < record.size(); ++i) {
    words_[(written + 1 + i) & mask_] = record[i];
  }
  // release: pairs with the acquire in TryPop(); the record is whole.
  written_.Store(written + 1 + record.size(), memory_order_release);
  return true;
}

bool SampleRing::TryPop(std::vector<std::uint64_t>& record) {
  const std::uint64_t read = read_.Load(memory_order_relaxed);
  // acquire: pairs with the release in TryPush(); the record is whole.
  if (written_.Load(memory_order_acquire) == read) {
    return false;
  }
  const std::uint64_t size = words_[read & mask_];
  SB_ASSERT(size <= mask_, "a record of the ring is longer than it");
  record.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    record[i] = words_[(read + 1 + i) & mask_];
  }
  // release: pairs with the acquire in TryPush(); we are done with the words.
  read_.Store(read + 1 + size, memory_order_release);
  return true;
}

}  // namespace schedbench::profile
