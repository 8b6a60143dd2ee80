#include "fibers/sync/blocked_thread.hpp"

#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"

namespace schedbench::fibers {

namespace {

platform::Mutex mutex;
BlockedThread* newest_blocked = nullptr;  // guarded by mutex

}  // namespace

BlockedThread::BlockedThread(Waiting waiting) noexcept
    : facts_{.name = platform::ThreadName(), .waiting = waiting} {
  const platform::MutexLock lock(mutex);
  next_ = newest_blocked;
  if (next_ != nullptr) {
    next_->previous_ = this;
  }
  newest_blocked = this;
}

BlockedThread::~BlockedThread() {
  const platform::MutexLock lock(mutex);
  (previous_ == nullptr ? newest_blocked : previous_->next_) = next_;
  if (next_ != nullptr) {
    next_->previous_ = previous_;
  }
}

std::vector<BlockedThread::Facts> BlockedThread::All() {
  std::vector<Facts> all;
  const platform::MutexLock lock(mutex);
  for (const BlockedThread* thread = newest_blocked; thread != nullptr; thread = thread->next_) {
    all.push_back(thread->facts_);
  }
  return all;
}

}  // namespace schedbench::fibers
