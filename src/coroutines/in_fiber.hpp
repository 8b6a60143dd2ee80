#pragma once

#include "coroutines/resumption.hpp"
#include "fibers/sched/go.hpp"
#include "futures/result.hpp"

#include <concepts>
#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

namespace schedbench::coroutines {

// co_await InFiber(function): a fiber of the coroutine's executor calls `function`, and the
// coroutine continues with its result or exception. So a coroutine can wait for everything that a
// fiber can wait for: sockets, mutexes, channels, timers.
//
//   const fibers::Transfer got = co_await InFiber([&] { return stream.ReadSome(buffer); });
//
// The function lies in the frame of the coroutine and may use its variables. It costs a fiber; put
// a loop of many operations into the function. It must unlock the mutexes that it locks. A fiber
// that never returns keeps the coroutine suspended.
template <std::invocable Function>
class InFiber final : public Resumption {
 public:
  // Makes the awaitable.
  explicit InFiber(Function function) noexcept(std::is_nothrow_move_constructible_v<Function>)
      : function_(std::move(function)) {
  }

  bool await_ready() const noexcept {
    return false;
  }

  // The frame may be gone after Submit().
  template <typename Promise>
  SB_NOINLINE void await_suspend(std::coroutine_handle<Promise> handle) {
    SetHandle(handle);
    executors::IExecutor& executor = *handle.promise().executor;
    fibers::Go(executor, [this, &executor] {
      result_.emplace(futures::Capture(std::move(function_)));
      executor.Submit(this, executors::SchedulerHint::UpToYou);
    });
  }

  auto await_resume() {
    return std::move(*result_).Value();
  }

 private:
  using Kept = decltype(futures::Capture(std::declval<Function>()));

  Function function_;
  std::optional<Kept> result_;
};

}  // namespace schedbench::coroutines
