#include "fibers/sync/rw_lock.hpp"

#include "platform/memory/safe_read.hpp"

namespace schedbench::fibers {

void RwLock::Unlock() noexcept {
  lock_.Lock();
  SB_ASSERT(written_, "Unlock without Lock");
  written_ = false;
  // Readers do not have deadlines, so the batch is the whole list.
  Waiter* reader = readers_.TakeAll();
  shared_ = waiting_readers_;
  waiting_readers_ = 0;
  Writer* writer = nullptr;
  if (reader == nullptr) {
    writer = TryPop<Writer>(writers_);
    if (writer != nullptr) {
      BeginWriting(writer->id);
    }
  }
  lock_.Unlock();
  if (writer != nullptr) {
    writer->Resume();
  }
  while (reader != nullptr) {
    Waiter* const next = reader->next;
    reader->Resume();
    reader = next;
  }
}

void RwLock::UnlockShared() noexcept {
  Writer* writer = nullptr;
  lock_.Lock();
  SB_ASSERT(shared_ > 0, "UnlockShared without LockShared");
  if (--shared_ == 0) {
    writer = TryPop<Writer>(writers_);
    if (writer != nullptr) {
      BeginWriting(writer->id);
    }
  }
  lock_.Unlock();
  if (writer != nullptr) {
    writer->Resume();
  }
}

RwLock::Holders RwLock::HoldersOf(const RwLock* lock) noexcept {
  Holders holders;
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&lock->shared_), holders.readers);
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&lock->writer_), holders.writer);
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&lock->written_), holders.written);
  return holders;
}

}  // namespace schedbench::fibers
