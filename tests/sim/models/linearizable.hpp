#pragma once

#include "tests/sim/machine/host_memory.hpp"
#include "tests/sim/machine/machine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// A short history of operations of several threads, and whether there is an order of them, one
// after the other, that agrees with real time and that a sequential object could have given (J.
// Wing, C. Gong, 1993).
//
// Real time is the order of Machine::Mark(). It makes nothing known to a thread: models that use it
// allow no stale reads.
//
// `Operation`: what was called and what came back. `Object`: a small value with
// bool Apply(const Operation&), which does it if the result is the right one, and says so.
template <typename Operation, typename Object>
class History {
 public:
  static constexpr std::size_t kLimit = 12;

  // Runs `call`, which returns its Operation.
  template <typename Call>
  void Run(Call call) {
    Machine& machine = Machine::Instance();
    machine.Pause();  // others may end theirs between the last call of this thread and this one
    machine.Mark();
    const std::uint32_t begin = time_++;
    const Operation operation = call();
    machine.Mark();
    if (count_ == kLimit) {
      machine.Fail("the history is too long");
    }
    entries_[count_++] = {.operation = operation, .begin = begin, .end = time_++};
  }

  bool IsLinearizable(const Object& initial) const {
    return Search(0, initial);
  }

 private:
  struct Entry {
    Operation operation;
    std::uint32_t begin;
    std::uint32_t end;
  };

  // `done`: a bit for each operation that has its place.
  bool Search(std::uint32_t done, const Object& object) const {
    if (done == (1U << count_) - 1) {
      return true;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if ((done >> i & 1U) != 0 || !MayBeNext(i, done)) {
        continue;
      }
      Object next = object;
      if (next.Apply(entries_[i].operation) && Search(done | 1U << i, next)) {
        return true;
      }
    }
    return false;
  }

  // Nothing that is still to be placed ended before it began.
  bool MayBeNext(std::size_t i, std::uint32_t done) const {
    for (std::size_t j = 0; j < count_; ++j) {
      if ((done >> j & 1U) == 0 && entries_[j].end < entries_[i].begin) {
        return false;
      }
    }
    return true;
  }

  std::array<Entry, kLimit> entries_{};
  std::size_t count_ = 0;
  std::uint32_t time_ = 0;
};

}  // namespace schedbench::sim
