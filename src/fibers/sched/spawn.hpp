#pragma once

#include "fibers/core/current_fiber.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/event.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// What a spawned fiber and its handle share. It begins a block of memory that contains the fiber, too. The handle frees
// the block after the end of the fiber. If the handle was detached before, the fiber frees it.
class JoinState {
 public:
  // For reports: the fiber that is joined through `state`, which may be gone. Async-signal-safe.
  static std::uint64_t FiberOf(const JoinState* state) noexcept;

  // `free`: ends the lifetime of a state, and frees its block.
  using Free = void (*)(JoinState* state) noexcept;
  explicit JoinState(Free free) noexcept
      : free_(free) {
  }

  // Ends the lifetime of this state and frees its block. Requires: the fiber has ended, and the caller is the only
  // owner.
  void FreeBlock() noexcept {
    free_(this);
  }

  Event done;               // abandoned by a handle that is detached
  std::uint64_t fiber = 0;  // its id; written before it starts

 private:
  const Free free_;
};

template <typename T>
struct JoinStateOf : JoinState {
  using JoinState::JoinState;
  std::optional<T> value;
};

template <>
struct JoinStateOf<void> : JoinState {
  using JoinState::JoinState;
};

// The end of a spawned fiber, and the value that it returned. Move-only; one thread or fiber at a time. Keeps the
// memory of the fiber until it is joined or detached.
//
// A handle that goes without Join() or Detach() joins, as std::jthread does: no fiber keeps using references to a scope
// that has been left. An exception that escapes a spawned fiber ends the run, as with Go().
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
      state_->FreeBlock();
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

  // Waits until the fiber has ended, its locals and what it captured destroyed, and returns what it returned. Suspends
  // a fiber, blocks a thread. Requires: joinable; not the fiber itself.
  T Join() noexcept {
    Wait();
    JoinStateOf<T>* const state = std::exchange(state_, nullptr);
    if constexpr (std::is_void_v<T>) {
      state->FreeBlock();
    } else {
      T value = *std::move(state->value);
      state->FreeBlock();
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
    if (!state->done.TryAbandon()) {
      state->FreeBlock();
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

  class SpawnedFiber final : public Fiber {
   public:
    SpawnedFiber(executors::IExecutor& executor, const std::string& name,
                 std::source_location started_at, F&& body, State* state)
        : Fiber(executor, name, started_at),
          state_(state),
          body_(std::move(body)) {
    }

    // Called by the fiber when it ends. Its memory remains: it is a part of the block.
    static void operator delete(SpawnedFiber* self, std::destroying_delete_t /*tag*/) {
      State* const state = self->state_;
      std::destroy_at(self);
      if (!state->done.Fire()) {
        state->FreeBlock();
      }
    }

   private:
    void Body() override {
      if constexpr (std::is_void_v<Result>) {
        body_();
      } else {
        state_->value.emplace(body_());
      }
    }

    State* const state_;
    F body_;
  };

  struct Block final : State {
    Block() noexcept
        : State([](JoinState* state) noexcept { delete static_cast<Block*>(state); }) {
    }

    ~Block() {
    }

    union {
      SpawnedFiber fiber;  // from its start to its end
    };
  };

  // The handle comes last: it would wait for a fiber that could not be made.
  auto block = std::make_unique<Block>();
  SpawnedFiber* const fiber = std::construct_at(&block->fiber, executor, options.name, started_at,
                                                std::move(body), block.get());
  block->JoinState::fiber = fiber->Id();
  JoinHandle<Result> handle(block.release());
  executor.Submit(fiber, options.hint);
  return handle;
}

// Starts a fiber that runs `body` on the executor of the running fiber, and returns its handle. Requires: called from a
// fiber.
template <std::invocable F>
[[nodiscard]] auto Spawn(F body, const FiberOptions& options = {},
                         std::source_location started_at = std::source_location::current())
    -> JoinHandle<std::invoke_result_t<F&>> {
  Fiber* const self = FiberThread::CurrentFiber();
  SB_ASSERT(self != nullptr, "Spawn without an executor needs a running fiber");
  return Spawn(self->Executor(), std::move(body), options, started_at);
}

}  // namespace schedbench::fibers
