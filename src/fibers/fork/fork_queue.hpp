#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "base/cache_line.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "platform/memory/memory.hpp"
#include "platform/threads/asymmetric_fence.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace schedbench::fibers {

class ForkedCall;

// The forked calls of a worker's running fiber that no thread has taken yet: a deque of D. Chase
// and Y. Lev (2005) in which the owner passes only light fences. The worker pushes and pops at the
// bottom, the newest first; thieves take the oldest at the top. README.md in this folder has the
// protocol and its proof. Between two tasks it is empty: a fiber joins its forks, and takes its
// calls out before it suspends. Owner: the thread of the worker. Thief: any other thread.
class ForkQueue {
 public:
  // The word that a push reads: if it is 0, no worker has to be woken.
  struct Idle {
    const Atomic<std::uint64_t>* word;
    std::uint64_t mask;  // 0: there is no other worker, whatever the word is
  };

  // The owner calls both functions inside of a fork, on the scheduler's side.
  class IScheduler {
   public:
    // Announces the first push: parking workers now pass a heavy fence. Contains a full fence.
    virtual void OnFirstFork() noexcept = 0;
    // Announces a push while a worker is idle: a full fence, and a wake if no worker searches.
    virtual void OnForkWhileIdle() noexcept = 0;

   protected:
    ~IScheduler() = default;
  };

  // Makes an empty queue. `executor`: only its own fibers may fork here. It, `scheduler` and the
  // word of `idle` outlive it. `capacity`: a power of two; further forks start fibers.
  ForkQueue(const executors::IExecutor& executor, IScheduler& scheduler, Idle idle,
            std::size_t capacity) noexcept
      : executor_(executor),
        scheduler_(scheduler),
        idle_(idle),
        mask_(capacity - 1) {
  }

  ForkQueue(const ForkQueue&) = delete;
  ForkQueue& operator=(const ForkQueue&) = delete;

  // ---- Any thread ----

  // Returns the queue of the calling worker in its own loop, or null. Never keep it over a switch.
  static ForkQueue* Current() noexcept {
    return Pointer::Get();
  }

  // Returns a recent number of calls, exact between tasks. A heavy fence shows all earlier pushes.
  std::size_t Size() const noexcept {
    // relaxed: only a number; a caller that takes a call acquires it in TrySteal().
    const std::uint64_t top = top_.Load(memory_order_relaxed);
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);
    return bottom > top ? bottom - top : 0;
  }

  // Returns whether Size() is 0.
  bool IsEmpty() const noexcept {
    return Size() == 0;
  }

  // Sets the queue of the calling thread when its loop starts; null when the loop ends.
  static void SetCurrent(ForkQueue* queue) noexcept {
    Pointer::Set(queue);
  }

  // ---- Owner ----

  // Forgets the thread, before the worker changes it.
  void Detach() noexcept {
    fiber_thread_ = nullptr;
    most_stack_ = 0;
  }

  // Returns whether the thread runs a fiber of the scheduler in its loop with enough stack to call
  // functions. `frame`: the frame of the caller.
  SB_ALWAYS_INLINE bool CanFork(const void* frame) noexcept {
    if (most_stack_ == 0) [[unlikely]] {
      Attach();
    }
    const FiberStack* const stack = fiber_thread_->Served();
    if (stack == nullptr || Used(*stack, frame) >= most_stack_) [[unlikely]] {
      return false;
    }
    const Fiber* const fiber = stack->CurrentFiber();
    return fiber != nullptr && &fiber->Executor() == &executor_;
  }

  // Returns whether the thread runs a fiber in its loop, not a hosted one; false before any fork.
  SB_ALWAYS_INLINE bool IsServing() const noexcept {
    return fiber_thread_ != nullptr && fiber_thread_->Served() != nullptr;
  }

  // Returns whether enough of `stack` is left, if stacks have `stack_bytes`.
  static bool HasRoom(const FiberStack& stack, std::size_t stack_bytes,
                      const void* frame) noexcept {
    return Used(stack, frame) < MostUsed(stack_bytes);
  }

  // Pushes a call. Returns false if the queue is full.
  SB_ALWAYS_INLINE bool TryPush(ForkedCall& call) noexcept {
    return TryPushAll(1, [&call](std::uint64_t /*i*/) { return &call; });
  }

  // Pushes call_at(0), call_at(1), ..., the newest last. Returns false, and pushes none, if full.
  template <typename CallAt>
  SB_ALWAYS_INLINE bool TryPushAll(std::uint64_t count, CallAt call_at) noexcept {
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);
    if (bottom + count > end_) [[unlikely]] {
      if (!MakeRoom(bottom, count)) {
        return false;
      }
    }
    // relaxed: Answer() reads it again.
    if (asked_.Load(memory_order_relaxed) != answered_.Load(memory_order_relaxed)) [[unlikely]] {
      Answer();
    }
    for (std::uint64_t i = 0; i != count; ++i) {
      slots_[(bottom + i) & mask_].Store(call_at(i), memory_order_relaxed);
    }
    // release: pairs with the acquire in TrySteal(); the calls are complete.
    bottom_.Store(bottom + count, memory_order_release);
    // (publish) of the pool's protocol: pairs with the heavy fence of a worker that parks.
    platform::LightFence();
    // relaxed: after the fence; the scheduler checks again.
    if ((idle_.word->Load(memory_order_relaxed) & idle_.mask) != 0) [[unlikely]] {
      scheduler_.OnForkWhileIdle();
    }
    return true;
  }

  // Takes out the newest call, which is the newest that the running fiber has forked and not
  // joined. Returns false if a thief has it, or if the fiber has suspended since the fork.
  SB_ALWAYS_INLINE bool TryPop() noexcept {
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed) - 1;
    // release: pairs with the acquire in TrySteal(), which may read this value instead of a push's.
    // (pop fence) orders the store before the load of top_.
    bottom_.Store(bottom, memory_order_release);
    // (pop fence): pairs with the heavy fence (steal fence) in TrySteal().
    platform::LightFence();
    // relaxed: of a call that is missing here, the parent acquires the end in WaitForFiber(), or
    // the announcement in HasCalls() and TakeOldest(), before it suspends.
    const std::uint64_t top = top_.Load(memory_order_relaxed);
    if (static_cast<std::int64_t>(bottom - top) > 0) [[likely]] {
      return true;
    }
    return PopLast(bottom, top);
  }

  // Takes out the oldest call, or returns null.
  ForkedCall* TakeOldest() noexcept;

  // Returns whether calls wait. A fiber that suspends asks this.
  SB_ALWAYS_INLINE bool HasCalls() const noexcept {
    // acquire: pairs with the exchange in TrySteal(): if all calls of a fiber were stolen, it
    // suspends after their announcement.
    return bottom_.Load(memory_order_relaxed) != top_.Load(memory_order_acquire);
  }

  // Returns whether the newest call, if any, is `call`. For an assertion.
  bool IsEmptyOrEndsWith(const ForkedCall& call) const noexcept {
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);
    // relaxed: if thieves take more now, the slot still has this thread's value.
    return bottom == top_.Load(memory_order_relaxed) ||
           slots_[(bottom - 1) & mask_].Load(memory_order_relaxed) == &call;
  }

  // ---- Thief ----

  // Takes the oldest call, or returns null. Calls `announce()` before the call can be missing here,
  // and sets `announced` if it did.
  template <typename Announce>
  ForkedCall* TrySteal(Announce announce, bool& announced) noexcept {
    // relaxed: before (steal fence), which orders it.
    std::uint64_t top = top_.Load(memory_order_relaxed);
    // relaxed: a hint. A request for an empty queue would disturb its owner in vain.
    if (static_cast<std::int64_t>(bottom_.Load(memory_order_relaxed) - top) <= 0) {
      return nullptr;
    }
    // (steal fence): pairs with (pop fence) in TryPop(). The owner sees the new top_, or this the
    // new bottom_.
    OrderWithOwner();
    // acquire: pairs with the release in TryPush(); the call is complete.
    if (static_cast<std::int64_t>(bottom_.Load(memory_order_acquire) - top) <= 0) {
      return nullptr;
    }
    // relaxed: the load of bottom_ orders it. If the slot was reused, the exchange fails.
    ForkedCall* const call = slots_[top & mask_].Load(memory_order_relaxed);
    announce();
    announced = true;
    // release: pairs with the acquires in HasCalls() and TakeOldest(): an owner that misses the
    // call sees its announcement. relaxed: another thread took the call.
    return top_.CompareExchange(top, top + 1, memory_order_release, memory_order_relaxed) ? call
                                                                                          : nullptr;
  }

 private:
  using Pointer = platform::ThreadLocalPtr<ForkQueue, class ForkQueueTag>;

  // A quarter of the bytes above the guard page is left for functions that do not fork; half of
  // them with a sanitizer, which enlarges each frame.
  static std::size_t MostUsed(std::size_t stack_bytes) noexcept {
#if defined(SB_ASAN) || defined(SB_TSAN)
    constexpr std::size_t kQuarters = 2;
#else
    constexpr std::size_t kQuarters = 3;
#endif
    return (stack_bytes - platform::kPageBytes) / 4 * kQuarters;
  }

  // The header of a stack lies at its top.
  SB_ALWAYS_INLINE static std::size_t Used(const FiberStack& stack, const void* frame) noexcept {
    return reinterpret_cast<std::uintptr_t>(&stack) - reinterpret_cast<std::uintptr_t>(frame);
  }

  // Returns after a moment of the owner: this thread sees what the owner wrote before it, and the
  // owner reads after it what this thread has read before the call, or something newer. An owner
  // that forks all the time answers. Otherwise a heavy fence orders both, which costs a system call
  // and an interrupt of each CPU that runs a thread of the process.
  void OrderWithOwner() noexcept;
  SB_NOINLINE void Answer() noexcept;

  void Attach() noexcept;
  bool MakeRoom(std::uint64_t bottom, std::uint64_t count) noexcept;
  bool PopLast(std::uint64_t bottom, std::uint64_t top) noexcept;

  // ---- Owner only ----
  const executors::IExecutor& executor_;
  IScheduler& scheduler_;
  const Idle idle_;
  const FiberThread* fiber_thread_ = nullptr;  // the worker's; known from its first fork on
  std::size_t most_stack_ = 0;                 // 0 before the first fork of a fiber of the loop
  // bottom_ may grow up to here without reading top_; 0 before the first push.
  std::uint64_t end_ = 0;
  const std::uint64_t mask_;
  // Made at the first push; a thief reads the pointer after it has seen a call in bottom_. relaxed:
  // the owner reads its own values, and bottom_ publishes a call to thieves.
  std::unique_ptr<Atomic<ForkedCall*>[]> slots_;

  // The owner writes it, thieves read it. relaxed: the owner reads its own value.
  Atomic<std::uint64_t> bottom_{1};  // from 1, so that a pop does not pass 0
  // The owner writes it: the value of asked_ at its last answer to thieves. relaxed: the owner
  // reads its own value.
  Atomic<std::uint64_t> answered_{0};
  // Thieves write it, and the owner for the last call or as it suspends, each by an exchange.
  alignas(kCacheLine) Atomic<std::uint64_t> top_{1};
  // How often thieves have asked for an answer. The owner reads it at each push; it has this line
  // in its cache, because it reads top_ at each pop. relaxed: Answer() acquires it.
  Atomic<std::uint64_t> asked_{0};
};

}  // namespace schedbench::fibers
