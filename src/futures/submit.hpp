#pragma once

#include "executors/executor.hpp"
#include "futures/future.hpp"

#include <type_traits>
#include <utility>

namespace schedbench::futures {

// A state with a user function as producer. It may return a T, a Result<T> or a Future<T>.
template <typename T>
class FunctionState : public State<T>, public executors::TaskBase, private IConsumer {
 protected:
  template <typename F, typename... Args>
  void Call(F&& function, Args&&... args) noexcept {
    using Returned = std::invoke_result_t<F, Args...>;
    if constexpr (std::is_same_v<Returned, Future<T>>) {
      Result<Returned> inner = Capture([&]() -> Result<Returned> {
        return Result<Returned>(std::forward<F>(function)(std::forward<Args>(args)...));
      });
      if (!inner.HasValue()) {
        this->Set(Result<T>(inner.Error()));
        return;
      }
      inner_ = &std::move(inner).Value().Release();
      if (!inner_->TryAttach(*this)) {
        OnReady();
      }
    } else {
      this->Set(Capture(std::forward<F>(function), std::forward<Args>(args)...));
    }
  }

 private:
  // Takes over the result of the future that the function has returned.
  void OnReady() noexcept override {
    this->Set(inner_->Take());
  }

  State<T>* inner_ = nullptr;
};

// Runs `function` on `executor` and returns a future of its result. Allocates once for all.
template <typename F>
auto Submit(executors::IExecutor& executor, F function,
            executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) {
  using T = typename Unwrapped<std::invoke_result_t<F>>::Type;

  class Work final : public FunctionState<T> {
   public:
    explicit Work(F&& function)
        : function_(std::move(function)) {
    }

    void Run() noexcept override {
      // The captures are destroyed before the result is visible.
      this->Call([this]() -> std::invoke_result_t<F> {
        F function = std::move(function_);
        return std::move(function)();
      });
    }

   private:
    F function_;
  };

  auto* const work = new Work(std::move(function));
  Future<T> future(*work);
  executor.Submit(work, hint);
  return future;
}

}  // namespace schedbench::futures
