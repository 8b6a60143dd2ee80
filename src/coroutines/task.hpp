#pragma once

#include "base/assert.hpp"
#include "coroutines/promise.hpp"

#include <coroutine>
#include <utility>

namespace schedbench::coroutines {

// A coroutine that returns a T. It does not run until another one awaits it, or until it is spawned
// (spawn.hpp). Move-only; owns its frame, which the compiler allocates once. An exception that
// escapes it is thrown in its awaiter. co_await std::move(task) runs it in place, by symmetric
// transfer, without a scheduler or growth of the stack. It runs on the executor of the awaiting
// coroutine until it switches to another one (SwitchTo).
template <typename T>
class [[nodiscard]] Task {
 public:
  struct promise_type : ResultPromise<T> {
    Task get_return_object() noexcept {
      auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
      this->handle = handle;
      return Task(handle);
    }
  };

  Task(Task&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {
  }

  Task& operator=(Task&&) = delete;

  ~Task() {
    if (handle_) {
      handle_.destroy();
    }
  }

  // ---- For spawn.hpp ----

  // Returns the promise in the frame. Requires: not moved from or destroyed.
  promise_type& Promise() const noexcept {
    return handle_.promise();
  }

  // Runs it up to its first suspension. Call it once.
  void Start() const noexcept {
    handle_.resume();
  }

  // Destroys the frame. Requires: the coroutine is suspended, perhaps at its end.
  void Destroy() noexcept {
    std::exchange(handle_, nullptr).destroy();
  }

  class Awaiter {
   public:
    // Awaits `task`, which must outlive the awaiter.
    explicit Awaiter(std::coroutine_handle<promise_type> task) noexcept
        : task_(task) {
    }

    bool await_ready() const noexcept {
      return false;
    }

    template <typename Awaiting>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Awaiting> awaiting) noexcept {
      PromiseBase& promise = task_.promise();
      SB_ASSERT(promise.awaiting == nullptr && promise.root == nullptr, "a task is awaited once");
      promise.awaiting = &awaiting.promise();
      promise.executor = promise.awaiting->executor;
      return task_;
    }

    T await_resume() {
      return (*std::move(task_.promise().result)).Value();
    }

   private:
    const std::coroutine_handle<promise_type> task_;
  };

  Awaiter operator co_await() && noexcept {
    SB_ASSERT(handle_, "a task that has been moved from");
    return Awaiter(handle_);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) noexcept
      : handle_(handle) {
  }

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace schedbench::coroutines
