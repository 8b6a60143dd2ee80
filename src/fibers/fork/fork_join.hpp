#pragma once

#include "base/assert.hpp"
#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/fork/forked_call.hpp"

#include <concepts>
#include <source_location>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

namespace detail {

template <typename First, typename Second>
struct Both {
  static_assert(!std::is_void_v<First> && !std::is_void_v<Second>,
                "both functions return a value, or neither does");
  static_assert(!std::is_reference_v<First> && !std::is_reference_v<Second>,
                "return a value, or a pointer");
  using Result = std::pair<First, Second>;
};

template <>
struct Both<void, void> {
  using Result = void;
};

template <typename F, typename G>
using ResultOfBoth = typename Both<std::invoke_result_t<F&>, std::invoke_result_t<G&>>::Result;

// The situation of a fork's caller.
enum class ForkPlace : std::uint8_t {
  kNoFiber,
  kLittleStack,
  kFiber,  // in a fiber, whose scheduler does not have a ForkQueue here
};
// Finds the situation. `frame`: the frame of the caller.
ForkPlace PlaceOf(const void* frame) noexcept;

// Submits a fiber for a call that no queue holds to the executor of the running fiber.
void SubmitFiberOf(ForkedCall& call, executors::SchedulerHint hint);

// Returns the queue that a fork may use here, or null. `frame`: the frame of the caller.
SB_ALWAYS_INLINE ForkQueue* QueueFor(const void* frame) noexcept {
  const executors::SchedulerSide side;
  ForkQueue* const queue = ForkQueue::Current();
  return queue != nullptr && queue->CanFork(frame) ? queue : nullptr;
}

// Pushes a call. Returns false if the queue is full.
SB_ALWAYS_INLINE bool TryPush(ForkQueue& queue, ForkedCall& call) noexcept {
  executors::HappensBefore(&call);
  const executors::SchedulerSide side;
  return queue.TryPush(call);
}

// Returns whether the caller has to make its newest call itself. The thread may have changed.
SB_ALWAYS_INLINE bool TryPop() noexcept {
  const executors::SchedulerSide side;
  ForkQueue* const queue = ForkQueue::Current();
  return queue != nullptr && queue->IsServing() && queue->TryPop();
}

// The holder of a forked call: a queue, or a fiber already.
enum class Held : std::uint8_t { kByQueue, kByFiber };

// TryPop() of this call, if user code orders the joins, which must reverse the forks.
inline bool TryPopOf(const ForkedCall& call) noexcept {
  const executors::SchedulerSide side;
  ForkQueue* const queue = ForkQueue::Current();
  if (queue == nullptr || !queue->IsServing()) {
    return false;
  }
  SB_ASSERT(queue->IsEmptyOrEndsWith(call), "scopes join in the reverse order of their forks");
  return queue->TryPop();
}

// Makes the call, or waits for the fiber that makes it.
template <Held held, typename G>
SB_ALWAYS_INLINE std::invoke_result_t<G&> Join(ForkedCallOf<G>& call) {
  if (held == Held::kByQueue && TryPop()) [[likely]] {
    return call.Call();
  }
  return call.JoinFiber();
}

// Joins a call for a parent that throws an exception of its own.
template <Held held, typename G>
SB_NOINLINE void JoinAndDrop(ForkedCallOf<G>& call) noexcept {
  try {
    static_cast<void>(Join<held>(call));
  } catch (...) {  // the parent's exception counts
  }
}

// Calls `f`; if it throws, joins `call` before the exception leaves.
template <Held held, typename F, typename G>
SB_ALWAYS_INLINE std::invoke_result_t<F&> CallBeforeJoin(F& f, ForkedCallOf<G>& call) {
  try {
    return f();
  } catch (...) {
    JoinAndDrop<held>(call);
    throw;
  }
}

// Calls `f`, then joins `call`.
template <Held held, typename F, typename G>
SB_ALWAYS_INLINE auto CallAndJoin(F& f, ForkedCallOf<G>& call) -> ResultOfBoth<F, G> {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    CallBeforeJoin<held>(f, call);
    Join<held>(call);
  } else {
    auto first = CallBeforeJoin<held>(f, call);
    return {std::move(first), Join<held>(call)};
  }
}

// Calls `f`, then `g`, also if `f` throws.
template <typename F, typename G>
auto CallInTurn(F& f, G& g) -> ResultOfBoth<F, G> {
  const auto first_call = [&]() -> std::invoke_result_t<F&> {
    try {
      return f();
    } catch (...) {
      try {
        static_cast<void>(g());
      } catch (...) {  // the exception of `f` counts
      }
      throw;
    }
  };
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    first_call();
    g();
  } else {
    auto first = first_call();
    return {std::move(first), g()};
  }
}

// ForkJoin() if there is no ForkQueue, if it is full, or if little of the stack is left. It never
// calls `f` before `g` has a fiber, because `f` may wait for `g`.
template <typename F, typename G>
SB_NOINLINE auto ForkJoinSlow(F& f, G& g, std::source_location forked_at) -> ResultOfBoth<F, G>;

}  // namespace detail

// Calls `f` and `g`, perhaps in parallel, and returns when both have returned: their results as a
// pair, or nothing if both return nothing. `f` runs at once on the calling fiber. `g` runs
// afterwards as a plain call, unless another worker has taken it and runs it in a fiber. Both may
// fork, block and suspend. Both are called, also if one throws; the exception leaves after both
// have ended, that of `f` if both throw. Outside of fibers it calls both in turn.
//
// A fork that no worker takes costs some nanoseconds: it allocates nothing, and on `fast` and
// `work_stealing`, while no worker is idle, only the outermost fork has a locked instruction. On
// the other schedulers each fork starts a fiber. With little stack left, both calls get a new one.
template <std::invocable F, std::invocable G>
SB_ALWAYS_INLINE auto ForkJoin(F&& f, G&& g,
                               std::source_location forked_at = std::source_location::current())
    -> detail::ResultOfBoth<F, G> {
  ForkQueue* const queue = detail::QueueFor(__builtin_frame_address(0));
  if (queue == nullptr) [[unlikely]] {
    return detail::ForkJoinSlow(f, g, forked_at);
  }
  ForkedCallOf<std::remove_reference_t<G>&> call(g, forked_at);
  if (!detail::TryPush(*queue, call)) [[unlikely]] {
    return detail::ForkJoinSlow(f, g, forked_at);
  }
  return detail::CallAndJoin<detail::Held::kByQueue>(f, call);
}

namespace detail {

// The definition of the function declared at the top of this file.
template <typename F, typename G>
auto ForkJoinSlow(F& f, G& g, std::source_location forked_at) -> ResultOfBoth<F, G> {
  switch (PlaceOf(__builtin_frame_address(0))) {
    case ForkPlace::kNoFiber:
      return CallInTurn(f, g);
    case ForkPlace::kLittleStack: {
      const auto both = [&]() -> ResultOfBoth<F, G> { return ForkJoin(f, g, forked_at); };
      ForkedCallOf<decltype(both)&> call(both, forked_at);
      SubmitFiberOf(call, executors::SchedulerHint::Next);
      return call.JoinFiber();
    }
    case ForkPlace::kFiber:
      break;
  }
  ForkedCallOf<std::remove_reference_t<G>&> call(g, forked_at);
  SubmitFiberOf(call, executors::SchedulerHint::UpToYou);
  return CallAndJoin<Held::kByFiber>(f, call);
}

}  // namespace detail

}  // namespace schedbench::fibers
