#pragma once

#include "futures/submit.hpp"

#include <type_traits>
#include <utility>

namespace schedbench::futures {

// Whether `F` takes the value alone, so that an error passes it by.
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

// Runs `function` on `executor` with the result of `future`, when it is there. A function that takes the value (nothing,
// where that is void) is not called for an error, which becomes the error of the returned future. One that takes a Result is
// called for both. It may return a value, a Result or a Future. One allocation; the continuation is a task inside it.
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
        // What it has captured goes before the result is seen.
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
    // Beside the consumer that waits for a future that the function returns.
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
