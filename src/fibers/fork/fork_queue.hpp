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

// The forked calls of the fiber that a worker runs, which no thread has taken yet: a deque of D. Chase and Y. Lev
// (2005) in which the owner passes light fences only. The worker pushes and pops at the bottom, the newest first;
// thieves take the oldest at the top. README.md in this folder has the protocol and its proof.
//
// Between two tasks it is empty: a fiber joins what it forks, and a fiber that suspends has taken its calls out before.
//
// Owner: the thread of the worker. Thief: any other thread.
class ForkQueue {
 public:
  // What a push looks at, to wake a worker for it.
  struct Idle {
    const Atomic<std::uint64_t>* word;
    std::uint64_t mask;  // bits of the word of which one is set while a worker is idle
  };

  // Called by the owner, inside of a fork. Both functions are called on the scheduler's side.
  class IScheduler {
   public:
    // Before the first push: workers that park pass a heavy fence from now on. Contains a full fence.
    virtual void OnFirstFork() noexcept = 0;
    // A worker is idle, and a forked call has been pushed: contains a full fence, and wakes a worker if none searches.
    virtual void OnForkWhileIdle() noexcept = 0;

   protected:
    ~IScheduler() = default;
  };

  // `executor`: only its own fibers may fork here. It, `scheduler` and the word of `idle` outlive the queue.
  // `capacity`: a power of two; when so many calls wait, a forked call is a fiber.
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

  // The queue of the calling worker, if it runs a fiber in its own loop; else null. Never keep it over a switch.
  static ForkQueue* Current() noexcept {
    return Pointer::Get();
  }

  // How many calls wait. A recent value; exact between two tasks, and after a heavy fence at least what was pushed
  // before it.
  std::size_t Size() const noexcept {
    // acquire: pairs with the exchange in TrySteal(); what is not there any more has been announced.
    const std::uint64_t top = top_.Load(memory_order_acquire);
    // acquire: pairs with the release in TryPush().
    const std::uint64_t bottom = bottom_.Load(memory_order_acquire);
    return bottom > top ? bottom - top : 0;
  }

  // Whether Size() is 0.
  bool IsEmpty() const noexcept {
    return Size() == 0;
  }

  // The calling thread is a worker with this queue, whose loop begins; or, null, ends.
  static void SetCurrent(ForkQueue* queue) noexcept {
    Pointer::Set(queue);
  }

  // ---- Owner ----

  // The worker changes its thread.
  void Detach() noexcept {
    fiber_thread_ = nullptr;
    most_stack_ = 0;
  }

  // Whether the thread runs a fiber of the scheduler in its loop, and enough of its stack is left to call functions.
  // `frame`: of the caller.
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

  // Whether the thread runs a fiber in its loop, and not one that is hosted. False where none has forked here yet.
  SB_ALWAYS_INLINE bool IsServing() const noexcept {
    return fiber_thread_ != nullptr && fiber_thread_->Served() != nullptr;
  }

  // Whether enough of `stack` is left, of stacks of `stack_bytes` each.
  static bool HasRoom(const FiberStack& stack, std::size_t stack_bytes,
                      const void* frame) noexcept {
    return Used(stack, frame) < MostUsed(stack_bytes);
  }

  // Returns false if the queue is full.
  SB_ALWAYS_INLINE bool TryPush(ForkedCall& call) noexcept {
    return TryPushAll(1, [&call](std::uint64_t /*i*/) { return &call; });
  }

  // Pushes call_at(0), call_at(1) and so on, so that the last one is the newest. Returns false, and pushes none, if
  // there is no room for all of them.
  template <typename CallAt>
  SB_ALWAYS_INLINE bool TryPushAll(std::uint64_t count, CallAt call_at) noexcept {
    // relaxed: written by this thread.
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);
    if (bottom + count > end_) [[unlikely]] {
      if (!MakeRoom(bottom, count)) {
        return false;
      }
    }
    for (std::uint64_t i = 0; i != count; ++i) {
      // relaxed: the store of bottom_ publishes it.
      slots_[(bottom + i) & mask_].Store(call_at(i), memory_order_relaxed);
    }
    // release: pairs with the acquire in TrySteal(); the calls are made.
    bottom_.Store(bottom + count, memory_order_release);
    // (N) of the pool's protocol: pairs with the heavy fence of a worker that parks.
    platform::LightFence();
    // relaxed: after the fence; the scheduler looks again.
    if ((idle_.word->Load(memory_order_relaxed) & idle_.mask) != 0) [[unlikely]] {
      scheduler_.OnForkWhileIdle();
    }
    return true;
  }

  // Takes the newest call out, which is the newest that the running fiber has forked and not joined. Returns false if a
  // thief has it, or if the fiber has suspended since it was forked.
  SB_ALWAYS_INLINE bool TryPop() noexcept {
    // relaxed: written by this thread.
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed) - 1;
    // release: pairs with the acquire in TrySteal(), which may read this value and not that of a push. (B) orders the
    // store before the load of top_.
    bottom_.Store(bottom, memory_order_release);
    // (B): pairs with the heavy fence (H) in TrySteal().
    platform::LightFence();
    // acquire: pairs with the exchange in TrySteal(); the thief has counted what it took.
    const std::uint64_t top = top_.Load(memory_order_acquire);
    if (static_cast<std::int64_t>(bottom - top) > 0) [[likely]] {
      return true;
    }
    return PopLast(bottom, top);
  }

  // Takes the oldest call out, or returns null.
  ForkedCall* TakeOldest() noexcept;

  // Whether calls wait. For a fiber that suspends.
  SB_ALWAYS_INLINE bool HasCalls() const noexcept {
    // relaxed: written by this thread. acquire: pairs with the exchange in TrySteal(): a fiber all of whose calls were
    // stolen suspends after they were announced.
    return bottom_.Load(memory_order_relaxed) != top_.Load(memory_order_acquire);
  }

  // Whether the newest call is `call`, if there is one. For an assertion.
  bool IsEmptyOrEndsWith(const ForkedCall& call) const noexcept {
    // relaxed: written by this thread.
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);
    // relaxed: if thieves have taken more meanwhile, the slot still has what this thread wrote.
    return bottom == top_.Load(memory_order_relaxed) ||
           slots_[(bottom - 1) & mask_].Load(memory_order_relaxed) == &call;
  }

  // ---- Thief ----

  // Takes the oldest call, or returns null. Calls `announce()` before the call can be missing here, and returns whether
  // it did in `announced`.
  template <typename Announce>
  ForkedCall* TrySteal(Announce announce, bool& announced) noexcept {
    // acquire: pairs with the exchange below, of another thief: what was pushed before it was pushed before this.
    std::uint64_t top = top_.Load(memory_order_acquire);
    // relaxed: a hint. A heavy fence for an empty queue would disturb all workers.
    if (static_cast<std::int64_t>(bottom_.Load(memory_order_relaxed) - top) <= 0) {
      return nullptr;
    }
    // (H): pairs with (B) in TryPop(). Either the owner sees that top_ has passed, or this sees that bottom_ has.
    platform::HeavyFence();
    // acquire: pairs with the release in TryPush(); the call is made.
    if (static_cast<std::int64_t>(bottom_.Load(memory_order_acquire) - top) <= 0) {
      return nullptr;
    }
    // relaxed: the load of bottom_ orders it. If the owner has reused the slot, top_ has moved, and the exchange fails.
    ForkedCall* const call = slots_[top & mask_].Load(memory_order_relaxed);
    announce();
    announced = true;
    // seq_cst: pairs with the acquire in TryPop(): an owner that misses the call sees that it was announced. relaxed:
    // lost.
    return top_.CompareExchange(top, top + 1, memory_order_seq_cst, memory_order_relaxed) ? call
                                                                                          : nullptr;
  }

 private:
  using Pointer = platform::ThreadLocalPtr<ForkQueue, class ForkQueueTag>;

  // Of the bytes above the guard page a quarter is left to functions that do not fork; half of them where a sanitizer
  // enlarges each frame.
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

  void Attach() noexcept;
  bool MakeRoom(std::uint64_t bottom, std::uint64_t count) noexcept;
  bool PopLast(std::uint64_t bottom, std::uint64_t top) noexcept;

  // ---- Owner only ----
  const executors::IExecutor& executor_;
  IScheduler& scheduler_;
  const Idle idle_;
  const FiberThread* fiber_thread_ = nullptr;  // of the worker; known from its first fork on
  std::size_t most_stack_ = 0;                 // 0: no fiber of the loop has forked yet
  std::uint64_t end_ =
      0;  // up to here bottom_ may grow without a look at top_; 0: nothing was pushed yet
  const std::uint64_t mask_;
  // Made at the first push; a thief reads the pointer after it has seen a call in bottom_.
  std::unique_ptr<Atomic<ForkedCall*>[]> slots_;

  // Written by the owner, read by thieves.
  Atomic<std::uint64_t> bottom_{1};  // from 1, so that a pop does not pass 0
  // Written by thieves, and by the owner for the last call.
  alignas(kCacheLine) Atomic<std::uint64_t> top_{1};
};

}  // namespace schedbench::fibers
