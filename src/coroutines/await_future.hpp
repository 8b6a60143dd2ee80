#pragma once

#include "coroutines/resumption.hpp"
#include "futures/future.hpp"

#include <coroutine>

namespace schedbench::coroutines {

// What co_await does with a future: the coroutine continues when the result is there, on its own executor, or at once where
// it is there already. Throws what the work threw.
template <typename T>
class FutureAwaiter final : public Resumption, private futures::IConsumer {
 public:
  // Consumes `state` of a future; one awaiter for each.
  explicit FutureAwaiter(futures::State<T>& state) noexcept
      : state_(state) {
  }

  bool await_ready() const noexcept {
    return state_.IsReady();
  }

  // After TryAttach() the frame may be gone.
  template <typename Promise>
  SB_NOINLINE bool await_suspend(std::coroutine_handle<Promise> handle) noexcept {
    SetHandle(handle);
    executor_ = handle.promise().executor;
    return state_.TryAttach(*this);
  }

  T await_resume() {
    return state_.Take().Value();
  }

 private:
  void OnReady() noexcept override {
    executor_->Submit(this, executors::SchedulerHint::UpToYou);
  }

  futures::State<T>& state_;
  executors::IExecutor* executor_ = nullptr;
};

}  // namespace schedbench::coroutines

namespace schedbench::futures {

// Found by the compiler for co_await of a future; here, so that futures need not know coroutines.
template <typename T>
auto operator co_await(Future<T>&& future) noexcept {
  return coroutines::FutureAwaiter<T>(future.Release());
}

}  // namespace schedbench::futures
