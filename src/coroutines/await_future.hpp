#pragma once

#include "coroutines/resumption.hpp"
#include "futures/future.hpp"

#include <coroutine>

namespace schedbench::coroutines {

// The awaiter of a future. The coroutine continues when the result is there, on its own executor,
// or at once if it is there already. It throws the work's exception.
template <typename T>
class FutureAwaiter final : public Resumption, private futures::IConsumer {
 public:
  // Consumes `state` of a future, which needs one awaiter.
  explicit FutureAwaiter(futures::State<T>& state) noexcept
      : state_(state) {
  }

  bool await_ready() const noexcept {
    return state_.IsReady();
  }

  // The frame may be gone after TryAttach().
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

// The compiler finds it for co_await of a future. It is here so that futures need not know
// coroutines.
template <typename T>
auto operator co_await(Future<T>&& future) noexcept {
  return coroutines::FutureAwaiter<T>(future.Release());
}

}  // namespace schedbench::futures
