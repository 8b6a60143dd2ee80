#pragma once

#include "base/assert.hpp"

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace schedbench::fibers {

// Why an operation has failed: an errno. No error: 0. Operations add these meanings:
//   ECANCELED  Close() was called, before or while it waited
//   ETIMEDOUT  its deadline has passed (TCP also reports a connection so that the kernel gave up)
//   EBUSY      another fiber waits for the same direction of the same descriptor
struct IoError {
  int number = 0;

  // Whether there is an error.
  explicit operator bool() const noexcept {
    return number != 0;
  }
  // Whether Close() ended it.
  bool IsClosed() const noexcept {
    return number == ECANCELED;
  }
  // Whether the deadline has passed.
  bool IsTimeout() const noexcept {
    return number == ETIMEDOUT;
  }

  // Returns "Connection refused (errno 111)"; "no error" without one.
  std::string Text() const;

  bool operator==(const IoError&) const = default;
};

// How much an operation has moved, and what ended it early. `bytes` counts also with an error: they have been moved.
struct Transfer {
  std::size_t bytes = 0;
  IoError error;

  // Whether there is no error. A read of 0 bytes without one is the end of the stream.
  bool Ok() const noexcept {
    return !error;
  }
};

// A value, or why there is none.
template <typename T>
class IoResult {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that functions return either.
  IoResult(T value) noexcept
      : value_(std::move(value)) {
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  IoResult(IoError error) noexcept
      : error_(error) {
    SB_ASSERT(error.number != 0, "neither a value nor an error");
  }

  // Whether there is a value.
  bool Ok() const noexcept {
    return value_.has_value();
  }
  // Why there is no value; no error where there is one.
  IoError Error() const noexcept {
    return error_;
  }

  // The value. Requires: Ok().
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
