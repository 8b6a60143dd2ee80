#pragma once

#include "executors/executor.hpp"
#include "futures/result.hpp"

#include <coroutine>
#include <optional>
#include <utility>

namespace schedbench::coroutines {

// Owns the outermost coroutine of a chain and is called when it ends.
class IRoot {
 public:
  // Called when the coroutine is suspended for the last time. This may destroy its frame.
  virtual void OnDone() noexcept = 0;

 protected:
  ~IRoot() = default;
};

// The part of a coroutine's promise that does not depend on its result.
struct PromiseBase {
  // The current executor. An awaited coroutine takes over that of its awaiter; the awaiter
  // continues on the executor on which the awaited one ended.
  executors::IExecutor* executor = nullptr;

  // Exactly one of the two is set before the coroutine starts.
  PromiseBase* awaiting = nullptr;  // the coroutine that resumes when this one ends
  IRoot* root = nullptr;

  std::coroutine_handle<> handle;  // this coroutine; type-erased

  // Lazy: a coroutine runs when it is awaited or spawned.
  std::suspend_always initial_suspend() noexcept {
    return {};
  }

  // Transfers directly to the awaiting coroutine in this stack frame: long chains need no stack.
  struct FinalAwaiter {
    bool await_ready() noexcept {
      return false;
    }

    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
      PromiseBase& promise = done.promise();
      if (promise.awaiting == nullptr) {
        promise.root->OnDone();
        return std::noop_coroutine();
      }
      promise.awaiting->executor = promise.executor;
      return promise.awaiting->handle;
    }

    void await_resume() noexcept {
    }
  };

  FinalAwaiter final_suspend() noexcept {
    return {};
  }
};

// The part that depends on the result type.
template <typename T>
struct ResultPromise : PromiseBase {
  template <typename U>
  void return_value(U&& value) {
    result.emplace(futures::Result<T>(T(std::forward<U>(value))));
  }

  void unhandled_exception() noexcept {
    result.emplace(futures::Result<T>(std::current_exception()));
  }

  std::optional<futures::Result<T>> result;
};

template <>
struct ResultPromise<void> : PromiseBase {
  void return_void() noexcept {
    result.emplace(futures::Result<void>(futures::Result<void>::Unit{}));
  }

  void unhandled_exception() noexcept {
    result.emplace(futures::Result<void>(std::current_exception()));
  }

  std::optional<futures::Result<void>> result;
};

}  // namespace schedbench::coroutines
