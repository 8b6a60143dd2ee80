#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/cell.hpp"
#include "fibers/core/handle.hpp"
#include "fibers/core/waiting.hpp"
#include "fibers/net/run_call.hpp"
#include "metrics/counter.hpp"
#include "platform/net/socket_batch.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

// The reads and writes of sockets that the fibers of one worker make by one system call. A fiber
// with a call suspends while its worker has other tasks. If only calls of others wait, it makes
// them together with its own. The worker makes the calls of all such fibers when it has no other
// task, when there are SocketBatch::kMost of them, or when the first one has waited for kMostNs,
// and resumes the fibers. A call thus waits for a short time, unless a task keeps the worker busy:
// then an idle worker or the monitor of the pool takes the calls. README.md, "Calls in batches",
// has the protocol.
class alignas(kCacheLine) CallBatch {
 public:
  // The worker that the batch belongs to.
  class IWorker {
   public:
    // Returns whether the worker runs other tasks if the running fiber suspends. That fiber calls
    // it.
    virtual bool HasOtherTasks() const noexcept = 0;

   protected:
    ~IWorker() = default;
  };

  // The time that a call waits for others. In `echo` 32 calls come together within about 5 us, so
  // that a batch is full first. A handler that takes a microsecond still fills half a batch.
  static constexpr std::uint64_t kMostNs = 20'000;
  // A batch of so few calls that has waited for so long does not pay: it saves little, and each
  // call has cost its fiber a turn of tasks that take long.
  static constexpr std::size_t kFew = 3;
  static constexpr std::uint64_t kLongNs = 5 * kMostNs;
  // So many calls are then made at once: at most three of a thousand wait in vain.
  static constexpr std::uint32_t kAtOnce = 1000;

  // Makes the batch of `worker`, which outlives it.
  explicit CallBatch(const IWorker& worker) noexcept
      : worker_(worker) {
  }
  // Requires: no call waits.
  ~CallBatch();

  CallBatch(const CallBatch&) = delete;
  CallBatch& operator=(const CallBatch&) = delete;

  // Returns the batch of the calling thread's worker, or null.
  static CallBatch* Current() noexcept {
    return CurrentBatch::Get();
  }
  // Sets that batch. The worker calls it when it starts and ends on a thread.
  static void SetCurrent(CallBatch* batch) noexcept {
    CurrentBatch::Set(batch);
  }

  // Makes `call` and returns its result: in a batch if the caller is a fiber whose worker has one
  // and other tasks or calls, otherwise at once. `waiting` describes the call in reports. Any
  // thread.
  static CallResult Make(const platform::SocketCall& call, Waiting waiting) noexcept;

  // ---- The worker ----

  // Returns whether the worker has to make the calls now, even if it has other tasks.
  bool IsDue() const noexcept {
    const std::uint32_t waiting = waiting_.Load(memory_order_relaxed);
    return waiting != 0 && (waiting >= platform::SocketBatch::kMost || IsOlder(kMostNs));
  }

  // Makes all calls that wait in `from`, which may belong to another worker, and resumes their
  // fibers. Returns how many. `own`: one more call, of the caller, or null.
  std::size_t MakeAllOf(CallBatch& from, platform::SocketCall* own = nullptr) noexcept;

  // ---- Any thread ----

  // Returns whether no call waits. A true result acquires what the thread that took the calls did
  // before.
  bool IsEmpty() const noexcept {
    // acquire: pairs with the release in TakeAll().
    return waiting_.Load(memory_order_acquire) == 0;
  }

  // Returns whether a call waits and was the first one for at least `ns` nanoseconds.
  bool IsOlder(std::uint64_t ns) const noexcept;

  // Makes the calls that wait, by a system call each, and resumes their fibers. Returns how many. A
  // thread without a batch calls it.
  std::size_t MakeAllAlone() noexcept;

  // Returns whether the fibers of all calls are submitted whose suspension the caller has seen. The
  // caller then sees these submits.
  bool HasResumedAll() const noexcept {
    // acquire: pairs with the release in MakeAndResume(). Read first: a call that comes and is made
    // in between would hide one that waits.
    const std::uint64_t resumed = resumed_.Load(memory_order_acquire);
    return suspended_.Get() == resumed;
  }

  // Returns how many batches the kernel has made for this worker. Any thread.
  std::uint64_t Batches() const noexcept {
    return batches_.Get();
  }
  // Returns how many calls were in these batches. Any thread.
  std::uint64_t Calls() const noexcept {
    return calls_.Get();
  }

 private:
  struct Waiter;
  using CurrentBatch = platform::ThreadLocalPtr<CallBatch, CallBatch>;

  bool IsWorthwhile() noexcept;
  void CheckAge() noexcept;

  void Append(Waiter& waiter) noexcept;
  Waiter* TakeAll() noexcept;
  template <typename MakeCalls>
  std::size_t MakeAndResume(platform::SocketCall* own, MakeCalls make) noexcept;

  const IWorker& worker_;
  // Guards the list. The worker holds it to append a call, another thread to take all.
  platform::Mutex mutex_;
  Cell<Waiter*> first_{nullptr};  // guarded by mutex_
  Cell<Waiter*> last_{nullptr};   // guarded by mutex_
  // Length of the list. Written with the lock, read without. relaxed: with the lock, or a hint;
  // other threads use IsEmpty().
  Atomic<std::uint32_t> waiting_{0};
  Atomic<std::uint64_t> since_ns_{0};  // when the first call came; relaxed: a hint
  // Calls that are made at once, because a small batch has waited for long: the tasks of the worker
  // take long, so that a batch costs more time than it saves. relaxed: a hint.
  Atomic<std::uint32_t> at_once_{0};
  // Number of calls whose fibers have been submitted.
  Atomic<std::uint64_t> resumed_{0};
  // The worker uses these.
  metrics::Tally suspended_;  // calls whose fibers suspend; counted before that
  platform::SocketBatch ring_;
  metrics::Tally batches_;
  metrics::Tally calls_;
};

}  // namespace schedbench::fibers
