#pragma once

#include "base/assert.hpp"

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace schedbench::futures {

// The outcome of work: its value, or its exception. Plain data: one owner at a time.
template <typename T>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T>, "give a pointer, whose lifetime shows");
  static_assert(!std::is_same_v<T, std::exception_ptr>, "an error is not a value");

 public:
  // The value of a void result.
  struct Unit {};
  using Stored = std::conditional_t<std::is_void_v<T>, Unit, T>;

  // Makes a result with a value; Unit{} if T is void.
  explicit Result(Stored value) noexcept(std::is_nothrow_move_constructible_v<Stored>)
      : value_(std::move(value)) {
  }

  // Makes a result with an error. Requires: not null.
  explicit Result(std::exception_ptr error) noexcept
      : error_(std::move(error)) {
    SB_ASSERT(error_ != nullptr, "an error that is none");
  }

  // Returns whether there is a value; otherwise there is an error.
  bool HasValue() const noexcept {
    return value_.has_value();
  }

  // Returns the error. Requires: no value.
  const std::exception_ptr& Error() const noexcept {
    SB_ASSERT(!HasValue(), "the error of a result that has a value");
    return error_;
  }

  // Moves the value out, or throws the error again.
  T Value() && {
    if (!HasValue()) {
      std::rethrow_exception(Error());
    }
    if constexpr (!std::is_void_v<T>) {
      return *std::move(value_);
    }
  }

 private:
  // Exactly one is set. g++ 12 warns about a variant (-Wmaybe-uninitialized).
  std::optional<Stored> value_;
  std::exception_ptr error_;
};

// The value type of a user function's result: Result<T> and Future<T> yield T.
template <typename T>
struct Unwrapped {
  using Type = T;
};

template <typename T>
struct Unwrapped<Result<T>> {
  using Type = T;
};

// Calls `function` and keeps its value or exception. A returned Result is taken as it is.
template <typename F, typename... Args>
auto Capture(F&& function, Args&&... args) noexcept {
  using Returned = std::invoke_result_t<F, Args...>;
  using R = Result<typename Unwrapped<Returned>::Type>;
  try {
    if constexpr (std::is_same_v<R, Returned>) {
      return std::forward<F>(function)(std::forward<Args>(args)...);
    } else if constexpr (std::is_void_v<Returned>) {
      std::forward<F>(function)(std::forward<Args>(args)...);
      return R(typename R::Unit{});
    } else {
      return R(std::forward<F>(function)(std::forward<Args>(args)...));
    }
  } catch (...) {
    return R(std::current_exception());
  }
}

}  // namespace schedbench::futures
