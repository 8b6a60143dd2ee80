#pragma once

#include "base/atomic.hpp"
#include "executors/task.hpp"
#include "fibers/core/execution_context.hpp"
#include "fibers/core/waiting.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

class Fiber;
class LocalTable;
class StackPool;

// A call stack that can be suspended and resumed, with its execution context. This header lies at
// the top of the stack's own memory, so a suspended fiber costs one page. It is also the task that
// resumes the fiber, so a switch touches only the header and the stack below it.
//
// At the base of every fiber stack runs a loop that runs tasks (Loop). A new fiber does not have a
// stack: it starts as a plain call from that loop. If it suspends, it keeps the stack with the
// loop, and the worker continues in the loop of another fiber stack. When the fiber is done, it
// returns into the loop it started in, which then serves the worker that resumed the fiber last.
//
// A fiber stack is always in one of these states:
//   running     on a thread, in its loop or in a task
//   suspended   in a fiber, which will be resumed
//   idle        in its loop, kept in a StackCache or in its StackPool
class alignas(64) FiberStack final : public executors::TaskBase {
 public:
  // Makes an idle fiber stack, number `index` of its slab, in [lowest, lowest + bytes), whose first
  // page is a guard. Returns its header.
  static FiberStack* Create(void* lowest, std::size_t bytes, std::size_t index, StackPool& pool);

  // Returns the address at which Create() puts the header.
  static FiberStack* Of(void* lowest, std::size_t bytes, std::size_t index) noexcept;

  // Ends an idle fiber stack. The memory is free for other use afterwards; its frames are lost.
  void Destroy() noexcept;

  // Resumes the suspended fiber.
  void Run() noexcept override;

  // Prefetches what a switch to the suspended fiber `task` will touch: the header, and some 500
  // bytes of frames below it. With many fibers a switch would otherwise wait for both in turn. Only
  // the address is used: the task may be null, of another kind, or already deleted.
  SB_ALWAYS_INLINE static void Prefetch(const executors::TaskBase* task) noexcept {
    if (task == nullptr) {
      return;
    }
    constexpr std::ptrdiff_t kLine = 64;
    constexpr std::ptrdiff_t kLinesBelow = 7;
    const char* const top = reinterpret_cast<const char*>(task);
    for (std::ptrdiff_t line = 0; line <= kLinesBelow; ++line) {
      __builtin_prefetch(top - line * kLine);
    }
  }

  // Runs tasks for the fiber thread that runs this stack. Called once, at the base of the stack.
  [[noreturn]] void Loop() noexcept;

  // Returns the pool that the memory belongs to. Any thread.
  StackPool& Pool() const noexcept {
    return pool_;
  }

  // Returns the fiber that runs or is suspended here, or null in the loop and in plain tasks. Only
  // the thread that runs the fiber stack calls it.
  Fiber* CurrentFiber() const noexcept {
    return fiber_.Load(memory_order_relaxed);
  }

  // Records that `fiber` starts here. Only the thread that runs the fiber stack calls it.
  void BeginFiber(Fiber& fiber) noexcept {
    // release: pairs with the acquire in FiberFacts::Of(); the fiber is complete.
    fiber_.Store(&fiber, memory_order_release);
  }

  // Records that the fiber has ended. `joiner`: the fiber that ran it inline, or null. Only the
  // thread that runs the fiber stack calls it.
  void EndFiber(Fiber* joiner) noexcept {
    // release: pairs with the acquire in FiberFacts::Of(), as in BeginFiber().
    fiber_.Store(joiner, memory_order_release);
    fibers_ended_.Store(fibers_ended_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
  }

  // Returns the wait of the fiber that runs the current one inline, or null. Only the thread that
  // runs the fiber stack calls it.
  const InlineJoin* Join() const noexcept {
    return join_.Load(memory_order_relaxed);
  }

  // Sets what Join() returns. Only the thread that runs the fiber stack calls it.
  void SetJoin(const InlineJoin* join) noexcept {
    join_.Store(join, memory_order_relaxed);
  }

  // Returns whether a fiber may run another one here, from `frame` on: at most a quarter is in use,
  // so that each fiber can rely on the other three. Only the thread that runs the stack calls it.
  bool HasRoomForFiber(const void* frame) const noexcept;

  // Returns the number of fibers that have ended here. Exact while no fiber runs here.
  std::uint64_t FibersEnded() const noexcept {
    return fibers_ended_.Load(memory_order_relaxed);
  }

  // Publishes where the running fiber stored what it waits for; null if it yields.
  SB_ALWAYS_INLINE void BeginWait(const Suspension* suspension) noexcept {
    suspension_.Store(suspension, memory_order_relaxed);
  }

  ExecutionContext context;

  // True after a switch left the loop's stack in a task's Run(), which ended elsewhere.
  bool recycled = false;

  // platform::ThreadNumber() of the thread that ran the fiber when it suspended; 0 while it runs.
  // The thread that runs the fiber stack writes it.
  std::uint64_t last_thread = 0;

  // Number of NoPreempt scopes that the fiber is in. Only the fiber uses it.
  std::uint32_t no_preempt = 0;

  // The fiber-local values of the current fiber, owned, or null. They are in this header because
  // its cache line is already loaded, and most fibers do not have any.
  LocalTable* locals = nullptr;

 private:
  friend struct FiberFacts;  // Reports read everything, in every state of the fiber stack.

  explicit FiberStack(StackPool& pool) noexcept
      : TaskBase(executors::TaskKind::kSuspendedFiber),
        pool_(pool) {
  }

  ~FiberStack() = default;

  // relaxed: a thread reads its own write, or one before the hand-over; null publishes nothing.
  Atomic<Fiber*> fiber_{nullptr};
  Atomic<const Suspension*> suspension_{nullptr};  // relaxed: reports accept any value
  Atomic<const InlineJoin*> join_{nullptr};        // relaxed: the release of fiber_ publishes it
  // Number of fibers that ended here. relaxed: one writer at a time, and a statistic for others.
  Atomic<std::uint64_t> fibers_ended_{0};
  StackPool& pool_;
};

}  // namespace schedbench::fibers
