#pragma once

#include "fibers/net/wait_turn.hpp"

#include <cerrno>
#include <concepts>
#include <cstdint>

namespace schedbench::fibers {

// An operation of one direction of a descriptor: makes a system call until its result is not
// -EAGAIN, with a wait before each new try. Returns its result, or a negative errno: -EBUSY if
// another operation waits, otherwise what `wait` returns.
//
//  turn        a WaitTurn, or what acts like one
//  attempt()   makes the call; returns its result or a negative errno
//  wait()      waits for an event, only with the turn; returns 0 or a negative errno
//  leaves_nothing(result)  returns whether a call with this result has left nothing that has no
//                          event of its own
//
// It makes at least one call, unless Close() ends a wait for an empty direction. README.md,
// "Protocol and proof", has the reasons.
template <typename Turn, std::invocable Attempt, std::invocable Wait,
          std::predicate<std::int64_t> LeavesNothing>
std::int64_t RunCall(Turn& turn, Attempt attempt, Wait wait,
                     LeavesNothing leaves_nothing) noexcept {
  std::uint32_t seen = turn.Look();
  bool has_turn = false;
  bool has_tried = !WaitTurn::IsEmpty(seen);
  std::int64_t result = has_tried ? attempt() : -EAGAIN;
  while (result == -EAGAIN) {
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
      result = result == -EAGAIN ? ended : result;
      break;
    }
  }
  if (has_turn) {
    turn.End(leaves_nothing(result));
  } else if (leaves_nothing(result)) {
    turn.TrySetEmpty(seen);
  }
  return result;
}

}  // namespace schedbench::fibers
