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

// The state that a spawned fiber and its handle share, at the start of a block of memory that also
// contains the fiber. After the end of the fiber the handle frees the block; if it was detached,
// the fiber does.
class JoinState {
 public:
  // Returns the fiber of `state`, which may be gone. For reports. Async-signal-safe.
  static std::uint64_t FiberOf(const JoinState* state) noexcept;

  // `free`: ends the lifetime of a state and frees its block.
  using Free = void (*)(JoinState* state) noexcept;
  explicit JoinState(Free free) noexcept
      : free_(free) {
  }

  // Ends this state and frees its block. Requires: the fiber has ended; no other owner.
  void FreeBlock() noexcept {
    free_(this);
  }

  Event done;               // a detached handle abandons it
  std::uint64_t fiber = 0;  // its id; written before it starts
  Fiber* start = nullptr;   // the fiber, which is gone after its end; written before it starts

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

// The end of a spawned fiber, and its result. Move-only; one thread or fiber at a time uses it. It
// keeps the memory of the fiber until it is joined or detached. Its destructor joins, as that of
// std::jthread, unless Join() or Detach() was called: no fiber keeps using references to a scope
// that has been left. An exception that escapes a spawned fiber ends the run, as with Go().
template <typename T>
class JoinHandle {
 public:
  // Holds no fiber, so it is not joinable.
  JoinHandle() = default;

  JoinHandle(JoinHandle&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {
  }

  // Joins the fiber that this handle had.
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

  // Returns false after Join() and Detach().
  bool IsJoinable() const noexcept {
    return state_ != nullptr;
  }

  // Returns whether Join() would return at once. Requires: joinable.
  bool IsDone() const noexcept {
    RequireJoinable();
    return state_->done.IsFired();
  }

  // Waits until the fiber has ended and its locals and captures are destroyed, and returns its
  // result. Suspends a fiber, blocks a thread. A fiber that joins one which has not started, and
  // which no other worker has taken, runs it itself, on its own stack, of which at most a quarter
  // is in use then. Requires: joinable; not the fiber itself.
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

  // Waits at most until `deadline`. Returns whether the fiber has ended. The handle stays joinable.
  bool WaitUntil(Deadline deadline) noexcept {
    RequireJoinable();
    return state_->done.WaitUntilAs(deadline, {.kind = WaitKind::kJoin, .object = state_});
  }

  // Waits at most for `time`. Returns whether the fiber has ended. The handle stays joinable.
  bool WaitFor(std::chrono::nanoseconds time) noexcept {
    return WaitUntil(Deadline::In(time));
  }

  // Lets the fiber continue alone; its result is lost. Requires: joinable.
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
    SB_ASSERT(state_->start != FiberThread::CurrentFiber(),
              "a fiber that joins itself waits forever");
    const Waiting waiting{.kind = WaitKind::kJoin, .object = state_};
    if (!state_->done.IsFired() && !FiberThread::TryRunInline(*state_->start, waiting)) {
      state_->done.WaitAs(waiting);
    }
  }

  JoinStateOf<T>* state_ = nullptr;
};

// Starts a fiber like Go() and returns its handle. Any thread, also from a fiber.
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

    // The fiber calls it when it ends. Its memory remains, because it is a part of the block.
    static void operator delete(SpawnedFiber* self, std::destroying_delete_t /*tag*/) {
      State* const state = self->state_;
      const bool is_inline = self->IsInline();
      std::destroy_at(self);
      if (is_inline) {
        state->done.FireAlone();  // the joiner owns the handle, and waits below on the stack
      } else if (!state->done.Fire()) {
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

  // The handle comes last: otherwise it would wait for a fiber whose construction failed.
  auto block = std::make_unique<Block>();
  SpawnedFiber* const fiber = std::construct_at(&block->fiber, executor, options.name, started_at,
                                                std::move(body), block.get());
  block->JoinState::fiber = fiber->Id();
  block->JoinState::start = fiber;
  JoinHandle<Result> handle(block.release());
  executor.Submit(fiber, options.hint);
  return handle;
}

// Spawns on the calling fiber's executor and returns the handle. Requires: called from a fiber.
template <std::invocable F>
[[nodiscard]] auto Spawn(F body, const FiberOptions& options = {},
                         std::source_location started_at = std::source_location::current())
    -> JoinHandle<std::invoke_result_t<F&>> {
  Fiber* const self = FiberThread::CurrentFiber();
  SB_ASSERT(self != nullptr, "Spawn without an executor needs a running fiber");
  return Spawn(self->Executor(), std::move(body), options, started_at);
}

}  // namespace schedbench::fibers
