#pragma once

#include "base/assert.hpp"

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace schedbench::fibers {

// The errno of a failed operation; 0 without an error. Operations add these meanings:
//   ECANCELED  Close() was called, before or during the wait
//   ETIMEDOUT  the deadline has passed (TCP also reports a connection so that the kernel gave up)
//   EBUSY      another fiber waits for the same direction of the same descriptor
struct IoError {
  int number = 0;

  // Returns whether there is an error.
  explicit operator bool() const noexcept {
    return number != 0;
  }
  // Returns whether Close() ended the operation.
  bool IsClosed() const noexcept {
    return number == ECANCELED;
  }
  // Returns whether the deadline has passed.
  bool IsTimeout() const noexcept {
    return number == ETIMEDOUT;
  }

  // Returns "Connection refused (errno 111)", or "no error".
  std::string Text() const;

  bool operator==(const IoError&) const = default;
};

// The moved bytes, and the error that ended the operation early. `bytes` count also then.
struct Transfer {
  std::size_t bytes = 0;
  IoError error;

  // Returns whether there is no error. A read of 0 bytes without an error is the end of the stream.
  bool Ok() const noexcept {
    return !error;
  }
};

// A value, or the error instead of it.
template <typename T>
class IoResult {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that functions can return either.
  IoResult(T value) noexcept
      : value_(std::move(value)) {
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  IoResult(IoError error) noexcept
      : error_(error) {
    SB_ASSERT(error.number != 0, "neither a value nor an error");
  }

  // Returns whether there is a value.
  bool Ok() const noexcept {
    return value_.has_value();
  }
  // Returns the error; no error if there is a value.
  IoError Error() const noexcept {
    return error_;
  }

  // Returns the value. Requires: Ok().
  T& operator*() noexcept {
    SB_ASSERT(Ok(), "an operation has failed and its result is used");
    return *value_;
  }
  T* operator->() noexcept {
    return &**this;
  }
  // Moves the value out. Requires: Ok().
  T Take() noexcept {
    return std::move(**this);
  }

 private:
  std::optional<T> value_;
  IoError error_;
};

}  // namespace schedbench::fibers
