#pragma once

#include "futures/submit.hpp"

#include <type_traits>
#include <utility>

namespace schedbench::futures {

// Returns whether `F` takes only the value, so errors bypass it.
template <typename F, typename T>
constexpr bool TakesValue() {
  if constexpr (std::is_void_v<T>) {
    return std::is_invocable_v<F>;
  } else {
    return std::is_invocable_v<F, T>;
  }
}

template <typename F, typename T>
struct ThenReturns {
  using Type = std::invoke_result_t<F, Result<T>>;
};

template <typename F, typename T>
  requires(TakesValue<F, T>())
struct ThenReturns<F, T> {
  using Type = std::invoke_result_t<F, T>;
};

template <typename F>
  requires(std::is_invocable_v<F>)
struct ThenReturns<F, void> {
  using Type = std::invoke_result_t<F>;
};

// Runs `function` on `executor` with the result of `future` when that is there. If it takes the
// value (nothing for void), an error bypasses it and becomes the error of the returned future. If
// it takes a Result, it is called for both. It may return a value, a Result or a Future. One
// allocation, which includes the continuation's task.
template <typename T, typename F>
auto Then(Future<T> future, executors::IExecutor& executor, F function,
          executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) {
  using Returned = typename ThenReturns<F, T>::Type;
  using U = typename Unwrapped<Returned>::Type;

  class Link final : public FunctionState<U> {
   public:
    Link(State<T>& from, executors::IExecutor& executor, executors::SchedulerHint hint,
         F&& function)
        : from_(*this, from),
          executor_(executor),
          hint_(hint),
          function_(std::move(function)) {
    }

    void Start() noexcept {
      if (!from_.state.TryAttach(from_)) {
        from_.OnReady();
      }
    }

    void Run() noexcept override {
      Result<T> result = from_.state.Take();
      if constexpr (TakesValue<F, T>()) {
        if (!result.HasValue()) {
          this->Set(Result<U>(result.Error()));
          return;
        }
      }
      this->Call([&]() -> Returned {
        // The captures are destroyed before the result is visible.
        F function = std::move(function_);
        if constexpr (!TakesValue<F, T>()) {
          return std::move(function)(std::move(result));
        } else if constexpr (std::is_void_v<T>) {
          return std::move(function)();
        } else {
          return std::move(function)(std::move(result).Value());
        }
      });
    }

   private:
    // The consumer of `from`; FunctionState is the consumer of a future that the function returns.
    struct From final : IConsumer {
      From(Link& link, State<T>& state) noexcept
          : link(link),
            state(state) {
      }

      void OnReady() noexcept override {
        link.executor_.Submit(&link, link.hint_);
      }

      Link& link;
      State<T>& state;
    };

    From from_;
    executors::IExecutor& executor_;
    const executors::SchedulerHint hint_;
    F function_;
  };

  auto* const link = new Link(future.Release(), executor, hint, std::move(function));
  Future<U> next(*link);
  link->Start();
  return next;
}

}  // namespace schedbench::futures
