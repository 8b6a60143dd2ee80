#pragma once

#include "base/assert.hpp"
#include "executors/executor.hpp"
#include "fibers/sync/event.hpp"
#include "futures/state.hpp"

#include <utility>

namespace schedbench::futures {

// The right to one result that is not there yet. Move-only; consumed once, by Get(), Then(), All(), First() or co_await.
//
// What the work throws is its result as much as a value: Get() throws it again, Then() passes it on. A future that is
// dropped or detached lets its work continue; a value is discarded, an exception ends the run, because it would go unnoticed.
//
// One thread at a time, as for any object; the work itself runs wherever it runs.
template <typename T>
class [[nodiscard]] Future {
 public:
  using Value = T;

  Future() = default;

  // Takes `state` over.
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

  // False for a default one, and after the future was consumed or moved from.
  bool IsValid() const noexcept {
    return state_ != nullptr;
  }

  // Whether Get() would return at once. Requires: valid, as all that follows.
  bool IsReady() const noexcept {
    SB_ASSERT(IsValid(), "the future has been used up");
    return state_->IsReady();
  }

  // Waits for the result and returns it: suspends a fiber, blocks a thread. Throws what the work threw.
  T Get() && {
    return std::move(*this).GetResult().Value();
  }

  // Waits for the result and returns it, a value or an error: suspends a fiber, blocks a thread. Throws nothing.
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

  // Gives up the result: the work continues.
  void Detach() && noexcept {
    Release().Drop();
  }

  // Hands the state to a consumer of another kind, which attaches itself.
  State<T>& Release() noexcept {
    SB_ASSERT(IsValid(), "a future is consumed once");
    return *std::exchange(state_, nullptr);
  }

 private:
  // Lies on the waiter's stack.
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

// The duty to give a Future its result, once. Move-only. Whatever its thread, it may be given before the Future is
// consumed or after.
template <typename T>
class Promise {
 public:
  // The producer's side of `state`. Exactly one for each state.
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

  // Publishes the result; the consumer may run meanwhile. Once. Any thread.
  void Set(Result<T> result) noexcept {
    SB_ASSERT(state_ != nullptr, "a promise is kept once");
    std::exchange(state_, nullptr)->Set(std::move(result));
  }

  // Publishes that the work is done, without a value. Once. Any thread. Requires: T is void.
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

// A promise and its future. Allocates once.
template <typename T>
Contract<T> MakeContract() {
  class Plain final : public State<T> {};
  auto* const state = new Plain;
  return {.future = Future<T>(*state), .promise = Promise<T>(*state)};
}

}  // namespace schedbench::futures
