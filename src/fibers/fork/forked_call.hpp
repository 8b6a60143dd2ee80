#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "executors/executor.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/handle.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// A forked call: a descriptor in the parent's frame. At its join the parent makes the call itself,
// as a function, unless another worker has taken it and makes it in a fiber.
class ForkedCall {
 public:
  ForkedCall(const ForkedCall&) = delete;
  ForkedCall& operator=(const ForkedCall&) = delete;

  // Makes the fiber that makes the call, on `executor`. Requires: the caller has taken the call out
  // of its ForkQueue, or the parent has not pushed it. Any thread.
  executors::TaskBase* MakeFiber(executors::IExecutor& executor);

  // Returns the source location of the fork.
  std::source_location ForkedAt() const noexcept {
    return forked_at_;
  }

 protected:
  using Make = void (*)(ForkedCall& call) noexcept;

  // `make`: makes the call, and keeps its result or exception.
  ForkedCall(Make make, std::source_location forked_at) noexcept
      : make_(make),
        forked_at_(forked_at) {
  }

  ~ForkedCall() = default;

  // Waits in the parent until the fiber has made the call. Requires: MakeFiber() is or will be
  // called.
  void WaitForFiber() noexcept;

 private:
  class FiberOf;

  // The state goes kRunning -> kDone, or kRunning -> kWaiting -> kDone.
  enum : std::uint32_t {
    kRunning,
    kWaiting,  // parent_ is set, and the fiber that makes the call resumes the parent
    kDone,     // the parent may be gone, and the descriptor with it
  };

  void MadeByFiber() noexcept;

  const Make make_;
  const std::source_location forked_at_;  // one pointer
  Atomic<std::uint32_t> state_{kRunning};
  FiberHandle parent_;  // the parent writes it before kWaiting, the fiber reads it after that
};

// A forked call of `F`, perhaps a reference. It keeps the outcome if a fiber made the call.
template <typename F>
class ForkedCallOf final : public ForkedCall {
 public:
  using Result = std::invoke_result_t<F&>;
  static_assert(!std::is_reference_v<Result>, "return a value, or a pointer");

  // Makes a call that has not been forked yet. `forked_at`: for reports.
  ForkedCallOf(F&& function,
               std::source_location forked_at) noexcept(std::is_nothrow_constructible_v<F, F&&>)
      : ForkedCall(&MakeAndKeep, forked_at),
        function_(std::forward<F>(function)) {
  }

  ~ForkedCallOf() = default;

  // Makes the call in the parent. Requires: TryPop() has returned true for it.
  SB_ALWAYS_INLINE Result Call() {
    return function_();
  }

  // Waits for the fiber that makes the call, and returns its result or throws its exception.
  SB_NOINLINE Result JoinFiber() {
    WaitForFiber();
    if (failed_) [[unlikely]] {
      const std::exception_ptr error = std::move(kept_.error);
      std::destroy_at(&kept_.error);
      std::rethrow_exception(error);
    }
    if constexpr (!std::is_void_v<Result>) {
      struct Destroy {
        Result* of;
        ~Destroy() {
          std::destroy_at(of);
        }
      } const destroy{&kept_.result};
      return std::move(kept_.result);
    }
  }

 private:
  static void MakeAndKeep(ForkedCall& call) noexcept {
    auto& self = static_cast<ForkedCallOf&>(call);
    self.failed_ = false;
    try {
      if constexpr (std::is_void_v<Result>) {
        self.function_();
      } else {
        std::construct_at(&self.kept_.result, self.function_());
      }
    } catch (...) {
      std::construct_at(&self.kept_.error, std::current_exception());
      self.failed_ = true;
    }
  }

  struct Nothing {};

  // Written only by a fiber: a parent that makes the call itself keeps nothing.
  union Kept {
    Kept() noexcept {
    }
    ~Kept() {
    }
    std::conditional_t<std::is_void_v<Result>, Nothing, Result> result;
    std::exception_ptr error;
  };

  F function_;
  Kept kept_;
  bool failed_;
};

}  // namespace schedbench::fibers
