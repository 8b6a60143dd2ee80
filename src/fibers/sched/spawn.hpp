#pragma once

#include "fibers/core/current_fiber.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/event.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// What a spawned fiber and its handle share: two owners, the last of which frees it.
class JoinState {
 public:
  // For reports: the fiber that is joined through `state`, which may be gone. Async-signal-safe.
  static std::uint64_t FiberOf(const JoinState* state) noexcept;

  Event done;
  std::uint64_t fiber = 0;  // its id; written before it starts

  // Returns whether the caller was the last owner.
  bool DropOwner() noexcept {
    // release: pairs with the acquire of the last owner, which frees what the other has written. acquire: that pairing.
    return owners_.FetchSub(1, memory_order_acq_rel) == 1;
  }

 private:
  Atomic<std::uint32_t> owners_{2};
};

template <typename T>
struct JoinStateOf : JoinState {
  std::optional<T> value;
};

template <>
struct JoinStateOf<void> : JoinState {};

// The end of a spawned fiber, and the value that it returned. Move-only; one thread or fiber at a time.
//
// A handle that goes without Join() or Detach() joins, as std::jthread does: no fiber keeps using references to a scope that
// has been left. An exception that escapes a spawned fiber ends the run, as with Go().
template <typename T>
class JoinHandle {
 public:
  // Without a fiber: not joinable.
  JoinHandle() = default;

  JoinHandle(JoinHandle&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {
  }

  // Joins what it had.
  JoinHandle& operator=(JoinHandle&& other) noexcept {
    JoinHandle taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }

  ~JoinHandle() {
    if (IsJoinable()) {
      Wait();
      Detach();
    }
  }

  // False after Join() and Detach().
  bool IsJoinable() const noexcept {
    return state_ != nullptr;
  }

  // Whether Join() would return at once. Requires: joinable.
  bool IsDone() const noexcept {
    RequireJoinable();
    return state_->done.IsFired();
  }

  // Waits until the fiber has ended, its locals and what it captured destroyed, and returns what it returned. Suspends a
  // fiber, blocks a thread. Requires: joinable; not the fiber itself.
  T Join() noexcept {
    Wait();
    if constexpr (std::is_void_v<T>) {
      Detach();
    } else {
      T value = *std::move(state_->value);
      Detach();
      return value;
    }
  }

  // Waits as Join() does, `deadline` at the most. Returns whether the fiber has ended. The handle stays joinable.
  bool WaitUntil(Deadline deadline) noexcept {
    RequireJoinable();
    return state_->done.WaitUntilAs(deadline, {.kind = WaitKind::kJoin, .object = state_});
  }

  // Waits as Join() does, for at most `time` from now. Returns whether the fiber has ended. The handle stays joinable.
  bool WaitFor(std::chrono::nanoseconds time) noexcept {
    return WaitUntil(Deadline::In(time));
  }

  // Lets the fiber continue alone; what it returns is lost. Requires: joinable.
  void Detach() noexcept {
    RequireJoinable();
    JoinStateOf<T>* const state = std::exchange(state_, nullptr);
    if (state->DropOwner()) {
      delete state;
    }
  }

 private:
  template <std::invocable F>
  friend auto Spawn(executors::IExecutor& executor, F body, const FiberOptions& options,
                    std::source_location started_at) -> JoinHandle<std::invoke_result_t<F&>>;

  explicit JoinHandle(JoinStateOf<T>* state) noexcept
      : state_(state) {
  }

  void RequireJoinable() const noexcept {
    SB_ASSERT(IsJoinable(), "the handle was joined, detached or moved from");
  }

  void Wait() const noexcept {
    RequireJoinable();
    SB_ASSERT(state_->fiber != CurrentFiberId(), "a fiber that joins itself waits forever");
    state_->done.WaitAs({.kind = WaitKind::kJoin, .object = state_});
  }

  JoinStateOf<T>* state_ = nullptr;
};

// Starts a fiber as Go() does and returns its handle. Any thread, also from a fiber.
template <std::invocable F>
[[nodiscard]] auto Spawn(executors::IExecutor& executor, F body, const FiberOptions& options = {},
                         std::source_location started_at = std::source_location::current())
    -> JoinHandle<std::invoke_result_t<F&>> {
  using Result = std::invoke_result_t<F&>;
  using State = JoinStateOf<Result>;
  static_assert(!std::is_reference_v<Result>, "return a value, or a pointer");

  // Fires when the fiber has ended and all that it had is destroyed.
  struct End {
    explicit End(State* of)
        : state(of) {
    }

    ~End() {
      state->done.Fire();
      if (state->DropOwner()) {
        delete state;
      }
    }

    End(const End&) = delete;
    End& operator=(const End&) = delete;

    State* const state;
  };

  class SpawnedFiber final : public Fiber {
   public:
    SpawnedFiber(executors::IExecutor& executor, const std::string& name,
                 std::source_location started_at, F&& body, State* state)
        : Fiber(executor, name, started_at),
          end_(state),
          body_(std::move(body)) {
    }

   private:
    void Body() override {
      if constexpr (std::is_void_v<Result>) {
        body_();
      } else {
        end_.state->value.emplace(body_());
      }
    }

    End end_;  // before the body, so that it goes after it
    F body_;
  };

  // The handle comes last: it would wait for a fiber that could not be made.
  auto state = std::make_unique<State>();
  auto* const fiber =
      new SpawnedFiber(executor, options.name, started_at, std::move(body), state.get());
  state->fiber = fiber->Id();
  JoinHandle<Result> handle(state.release());
  executor.Submit(fiber, options.hint);
  return handle;
}

// Starts a fiber that runs `body` on the executor of the running fiber, and returns its handle. Requires: called from a fiber.
template <std::invocable F>
[[nodiscard]] auto Spawn(F body, const FiberOptions& options = {},
                         std::source_location started_at = std::source_location::current())
    -> JoinHandle<std::invoke_result_t<F&>> {
  Fiber* const self = FiberThread::CurrentFiber();
  SB_ASSERT(self != nullptr, "Spawn without an executor needs a running fiber");
  return Spawn(self->Executor(), std::move(body), options, started_at);
}

}  // namespace schedbench::fibers
