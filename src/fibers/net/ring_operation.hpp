#pragma once

#include "fibers/core/handle.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/files/file_request.hpp"
#include "platform/net/ready_event.hpp"
#include "platform/threads/mutex.hpp"

#include <cstdint>
#include <optional>

namespace schedbench::fibers {

// An operation on a file that io_uring runs while its fiber waits. It lies on that fiber's stack.
class RingOperation {
 public:
  // Runs `request` by io_uring while the fiber is suspended, and returns its result. Returns
  // nothing if the caller has to run it: outside of fibers, without a scheduler that uses the ring,
  // if the kernel refuses, or if the thread that started the operation has ended. Any thread.
  static std::optional<std::int64_t> TryRun(const platform::FileRequest& request) noexcept;

  // Returns the request for io_uring.
  const platform::FileRequest& Request() const noexcept {
    return request_;
  }

 private:
  friend class RingOperations;

  RingOperation(const platform::FileRequest& request, const void* frame) noexcept
      : request_(request),
        frame_(frame) {
  }

  const platform::FileRequest& request_;
  const void* const frame_;  // an address on the stack of the fiber
  FiberHandle fiber_;
  int result_ = 0;
  // RingOperations guards these.
  RingOperation* previous_ = nullptr;
  RingOperation* next_ = nullptr;
};

// The operations that io_uring runs. A scheduler's end waits for them. Any thread.
class RingOperations {
 public:
  RingOperations() = default;

  RingOperations(const RingOperations&) = delete;
  RingOperations& operator=(const RingOperations&) = delete;

  // Returns the key of `operation` in events.
  static std::uint64_t KeyOf(const RingOperation& operation) noexcept {
    return reinterpret_cast<std::uintptr_t>(&operation) | platform::ReadyEvent::kOperation;
  }

  // Adds `operation`, before the kernel gets it.
  void Begin(RingOperation& operation) noexcept;

  // Takes out the operation of `ended`, which exists until the returned fiber is resumed.
  FiberHandle End(const platform::ReadyEvent& ended) noexcept;

  // Calls `visit` with the key of each operation on a stack of `pool`. It must not change the list.
  template <typename Visit>
  void ForEachOf(const StackPool& pool, Visit visit) noexcept {
    const platform::MutexLock lock(mutex_);
    for (const RingOperation* at = first_; at != nullptr; at = at->next_) {
      if (pool.Contains(at->frame_)) {
        visit(KeyOf(*at));
      }
    }
  }

 private:
  platform::Mutex mutex_;
  RingOperation* first_ = nullptr;  // guarded by mutex_
};

}  // namespace schedbench::fibers
