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

// co_await InFiber(function): a fiber of the coroutine's executor calls `function`, and the coroutine continues with what it has
// returned or thrown. So a coroutine can wait for all that a fiber can wait for: sockets, mutexes, channels, timers.
//
//   const fibers::Transfer got = co_await InFiber([&] { return stream.ReadSome(buffer); });
//
// The function lies in the frame of the coroutine, and may use what lives there. Costs a fiber; where many operations follow each
// other, put the loop into the function. A mutex must be unlocked by the function that locks it. A fiber that never returns keeps
// the coroutine suspended.
template <std::invocable Function>
class InFiber final : public Resumption {
 public:
  // Keeps `function`.
  explicit InFiber(Function function) noexcept(std::is_nothrow_move_constructible_v<Function>)
      : function_(std::move(function)) {
  }

  bool await_ready() const noexcept {
    return false;
  }

  // After Submit() the frame may be gone.
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
