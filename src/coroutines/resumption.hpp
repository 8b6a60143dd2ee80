#pragma once

#include "base/attributes.hpp"
#include "coroutines/promise.hpp"
#include "executors/executor.hpp"

#include <coroutine>

namespace schedbench::coroutines {

// The task that resumes a suspended coroutine. It is part of an awaiter in the coroutine's frame,
// so scheduling it allocates nothing.
class Resumption : public executors::TaskBase {
 public:
  void Run() noexcept final {
    handle_.resume();
  }

 protected:
  void SetHandle(std::coroutine_handle<> handle) noexcept {
    handle_ = handle;
  }

 private:
  std::coroutine_handle<> handle_;
};

// co_await SwitchTo(executor): the coroutine continues as a task of `executor`, and stays there. No
// await_suspend here is inlined: the frame may be gone, or run on another thread, before it
// returns, and clang before 18 kept its variables in the frame (llvm-project issue 56301).
class SwitchTo final : public Resumption {
 public:
  // Submits the coroutine to `executor`, which must outlive its tasks there, with `hint`.
  explicit SwitchTo(executors::IExecutor& executor,
                    executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept
      : executor_(executor),
        hint_(hint) {
  }

  bool await_ready() const noexcept {
    return false;
  }

  template <typename Promise>
  SB_NOINLINE void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
    SetHandle(handle);
    handle.promise().executor = &executor_;
    executor_.Submit(this, hint_);
  }

  void await_resume() const noexcept {
  }

 private:
  executors::IExecutor& executor_;
  const executors::SchedulerHint hint_;
};

// co_await Yield(): lets the executor's other ready tasks run first, if it honours the hint.
class Yield final : public Resumption {
 public:
  bool await_ready() const noexcept {
    return false;
  }

  template <typename Promise>
  SB_NOINLINE void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
    SetHandle(handle);
    handle.promise().executor->Submit(this, executors::SchedulerHint::Yield);
  }

  void await_resume() const noexcept {
  }
};

}  // namespace schedbench::coroutines
