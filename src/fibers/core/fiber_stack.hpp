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

// A call stack that can be suspended and resumed, with its execution context. This header lies at the top of the stack's own
// memory, so that a suspended fiber costs one page; and it is the task that resumes the fiber, so that a switch touches the
// header and the stack below it, and nothing else.
//
// At the base of every fiber stack runs a loop that runs tasks (Loop). A fiber is bound to no stack until it
// runs: it begins as a plain call from that loop. Only if it suspends does it take the stack, loop and all,
// along; the worker continues in the loop of another fiber stack. When the fiber is done it returns into the
// loop it began in, which then serves whichever worker resumed the fiber last.
//
// So at any time a fiber stack is one of
//   running     on a thread, in its loop or in a task
//   suspended   in a fiber, which will be resumed
//   idle        in its loop, kept in a StackCache or in its StackPool
class alignas(64) FiberStack final : public executors::TaskBase {
 public:
  // Makes an idle fiber stack in [lowest, lowest + bytes), whose first page is a guard; it is number `index` of
  // its slab. Returns its header.
  static FiberStack* Create(void* lowest, std::size_t bytes, std::size_t index, StackPool& pool);

  // Where Create() puts, or has put, the header.
  static FiberStack* Of(void* lowest, std::size_t bytes, std::size_t index) noexcept;

  // Ends the fiber stack. Requires: idle. The memory is free for other use afterwards; frames on it are given up.
  void Destroy() noexcept;

  // Resumes the suspended fiber.
  void Run() noexcept override;

  // Asks the memory for what a switch to `task` will touch, if `task` is a suspended fiber: the header, and right
  // below it the frames to return to (some 500 bytes). With many fibers a switch would else wait for both, one
  // after the other. Only the address is used: the task may be null, of another kind, or gone by now.
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

  // The pool that the memory belongs to. Any thread.
  StackPool& Pool() const noexcept {
    return pool_;
  }

  // The fiber that runs or is suspended here; null in the loop and in plain tasks. By the thread that runs the
  // fiber stack.
  Fiber* CurrentFiber() const noexcept {
    // relaxed: written by this thread, or before the fiber stack was handed to it.
    return fiber_.Load(memory_order_relaxed);
  }

  // `fiber` begins here. By the thread that runs the fiber stack.
  void BeginFiber(Fiber& fiber) noexcept {
    // release: pairs with the acquire in FiberFacts::Of(); the fiber is made.
    fiber_.Store(&fiber, memory_order_release);
  }

  // The fiber that runs here has ended, and is counted. By the thread that runs the fiber stack.
  void EndFiber() noexcept {
    // relaxed: one writer at a time, and readers only want to know how many, sooner or later.
    fiber_.Store(nullptr, memory_order_relaxed);
    fibers_ended_.Store(fibers_ended_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
  }

  // How many fibers have ended here. Exact while none runs here.
  std::uint64_t FibersEnded() const noexcept {
    // relaxed: a statistic.
    return fibers_ended_.Load(memory_order_relaxed);
  }

  // Publishes where the running fiber, before it suspends, has stored what it waits for; null: it yields and waits for nothing.
  SB_ALWAYS_INLINE void BeginWait(const Suspension* suspension) noexcept {
    // relaxed: for reports, which say what they find.
    suspension_.Store(suspension, memory_order_relaxed);
  }

  ExecutionContext context;

  // Set when the loop's stack was left in the middle of a task's Run(): that run ended elsewhere.
  bool recycled = false;

  // platform::ThreadNumber() of the one that ran the fiber when it suspended; 0 while it runs. Written by the thread that runs
  // the fiber stack.
  std::uint64_t last_thread = 0;

  // How many NoPreempt scopes the fiber is in. By the fiber.
  std::uint32_t no_preempt = 0;

  // The fiber-local values of the fiber that runs or is suspended here, owned; null where it has none. Here and not in the
  // fiber, because this line is at hand anyway, and most fibers have none.
  LocalTable* locals = nullptr;

 private:
  friend struct FiberFacts;  // reads it all, wherever the fiber stack is

  explicit FiberStack(StackPool& pool) noexcept
      : TaskBase(executors::TaskKind::kSuspendedFiber),
        pool_(pool) {
  }

  ~FiberStack() = default;

  Atomic<Fiber*> fiber_{nullptr};
  Atomic<const Suspension*> suspension_{nullptr};
  Atomic<std::uint64_t> fibers_ended_{0};  // that ended here
  StackPool& pool_;
};

}  // namespace schedbench::fibers
