#pragma once

#include "base/assert.hpp"
#include "executors/executor.hpp"
#include "fibers/sync/event.hpp"
#include "futures/state.hpp"

#include <utility>

namespace schedbench::futures {

// The right to one future result. Move-only; consumed once, by Get(), Then(), All(), First() or
// co_await. An exception of the work is a result like a value: Get() throws it again, Then() passes
// it on. The work of a dropped or detached future continues; then a value is discarded, but an
// exception ends the run, because it would be lost. One thread at a time uses it.
template <typename T>
class [[nodiscard]] Future {
 public:
  using Value = T;

  Future() = default;

  // Takes over `state`.
  explicit Future(State<T>& state) noexcept
      : state_(&state) {
  }

  Future(Future&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {
  }

  Future& operator=(Future&& other) noexcept {
    Future old(std::exchange(state_, std::exchange(other.state_, nullptr)));
    return *this;
  }

  ~Future() {
    if (state_ != nullptr) {
      state_->Drop();
    }
  }

  // Returns false for a default one, and after the future was consumed or moved from.
  bool IsValid() const noexcept {
    return state_ != nullptr;
  }

  // Returns whether Get() would return at once. Requires: valid, as do all further functions.
  bool IsReady() const noexcept {
    SB_ASSERT(IsValid(), "the future has been used up");
    return state_->IsReady();
  }

  // Waits for the result and returns or throws it. Suspends a fiber, blocks a thread.
  T Get() && {
    return std::move(*this).GetResult().Value();
  }

  // Waits for the result, a value or an error. Never throws. Suspends a fiber, blocks a thread.
  Result<T> GetResult() && noexcept {
    State<T>& state = Release();
    if (!state.IsReady()) {
      Waiter waiter;
      if (state.TryAttach(waiter)) {
        waiter.ready.WaitAs({.kind = fibers::WaitKind::kFuture, .object = &state});
      }
    }
    return state.Take();
  }

  // Drops the result: the work continues.
  void Detach() && noexcept {
    Release().Drop();
  }

  // Passes the state to a consumer of another kind, which attaches itself.
  State<T>& Release() noexcept {
    SB_ASSERT(IsValid(), "a future is consumed once");
    return *std::exchange(state_, nullptr);
  }

 private:
  // A consumer on the waiter's stack.
  struct Waiter final : IConsumer {
    void OnReady() noexcept override {
      ready.Fire();
    }

    fibers::Event ready;
  };

  explicit Future(State<T>* state) noexcept
      : state_(state) {
  }

  State<T>* state_ = nullptr;
};

template <typename T>
struct Unwrapped<Future<T>> {
  using Type = T;
};

// The duty to give a Future its result, once. Move-only. The result may be set on any thread,
// before or after the Future is consumed.
template <typename T>
class Promise {
 public:
  // The producer's side of `state`. Each state has exactly one.
  explicit Promise(State<T>& state) noexcept
      : state_(&state) {
  }

  Promise(Promise&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {
  }

  Promise& operator=(Promise&&) = delete;

  ~Promise() {
    SB_ASSERT(state_ == nullptr, "a promise is broken: the consumer would wait forever");
  }

  // Publishes the result; the consumer may run at once. Call it once. Any thread.
  void Set(Result<T> result) noexcept {
    SB_ASSERT(state_ != nullptr, "a promise is kept once");
    std::exchange(state_, nullptr)->Set(std::move(result));
  }

  // Publishes the end of the work without a value. Call it once. Any thread. Requires: T is void.
  void SetDone() noexcept
    requires std::is_void_v<T>
  {
    Set(Result<T>(typename Result<T>::Unit{}));
  }

 private:
  State<T>* state_;
};

template <typename T>
struct Contract {
  Future<T> future;
  Promise<T> promise;
};

// Makes a promise and its future with one allocation.
template <typename T>
Contract<T> MakeContract() {
  class Plain final : public State<T> {};
  auto* const state = new Plain;
  return {.future = Future<T>(*state), .promise = Promise<T>(*state)};
}

}  // namespace schedbench::futures
