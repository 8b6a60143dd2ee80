#pragma once

#include "fibers/net/wait_turn.hpp"

#include <cerrno>
#include <concepts>
#include <cstdint>

namespace schedbench::fibers {

// The result of a system call.
struct CallResult {
  // NOLINTNEXTLINE(google-explicit-constructor): most calls have only a value.
  CallResult(std::int64_t value, bool leaves_nothing = false) noexcept
      : value(value),
        leaves_nothing(leaves_nothing) {
  }

  std::int64_t value;  // or a negative errno
  // All that comes from now on has an event of its own.
  bool leaves_nothing;
};

// An operation of one direction of a descriptor: makes a system call until its result is not
// -EAGAIN, with a wait before each new try. Returns its result, or a negative errno: -EBUSY if
// another operation waits, otherwise what `wait` returns.
//
//  turn        a WaitTurn, or what acts like one
//  attempt()   makes the call and returns its CallResult
//  wait()      waits for an event, only with the turn; returns 0 or a negative errno
//
// It makes at least one call, unless Close() ends a wait for an empty direction. README.md,
// "Protocol and proof", has the reasons.
template <typename Turn, std::invocable Attempt, std::invocable Wait>
std::int64_t RunCall(Turn& turn, Attempt attempt, Wait wait) noexcept {
  std::uint32_t seen = turn.Look();
  bool has_turn = false;
  bool has_tried = !WaitTurn::IsEmpty(seen);
  CallResult result = has_tried ? attempt() : CallResult(-EAGAIN);
  while (result.value == -EAGAIN) {
    if (!has_turn) {
      const WaitTurn::Begin begin = turn.TryBegin(seen);
      if (begin == WaitTurn::Begin::kBusy && has_tried) {
        return -EBUSY;
      }
      if (begin != WaitTurn::Begin::kDone) {
        has_tried = true;
        result = attempt();
        continue;
      }
      has_turn = true;
    }
    const int ended = wait();
    // At the deadline of a wait without a try, bytes may have come whose event is still to come.
    if (ended == 0 || (ended == -ETIMEDOUT && !has_tried)) {
      has_tried = true;
      result = attempt();
    }
    if (ended != 0) {
      result = result.value == -EAGAIN ? CallResult(ended) : result;
      break;
    }
  }
  if (has_turn) {
    turn.End(result.leaves_nothing);
  } else if (result.leaves_nothing) {
    turn.TrySetEmpty(seen);
  }
  return result.value;
}

}  // namespace schedbench::fibers
