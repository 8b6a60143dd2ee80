#pragma once

#include "platform/files/raw_writer.hpp"
#include "platform/signals/machine_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace schedbench::platform {

// Finds out what WriteBacktrace() cannot in a signal handler, the path of the program, and makes
// the loader bind the unwinder. Call it once, before.
void PrepareBacktraces() noexcept;

// The calls of a stack, innermost first. For a deep stack only both ends, as many as fit a screen.
class CallList {
 public:
  void Add(std::uintptr_t address) noexcept {
    if (count_ < kInner) {
      inner_[count_] = address;
    } else {
      outer_[count_ % kOuter] = address;
    }
    ++count_;
  }

  std::size_t Count() const noexcept {
    return count_;
  }

  // Calls visit(index, address) for the calls at both ends, and skip(count) for those between them.
  template <typename Visit, typename Skip>
  void ForEach(Visit visit, Skip skip) const {
    for (std::size_t i = 0; i < std::min(count_, kInner); ++i) {
      visit(i, inner_[i]);
    }
    const std::size_t outer = count_ > kInner + kOuter ? count_ - kOuter : kInner;
    if (outer > kInner) {
      skip(outer - kInner);
    }
    for (std::size_t i = outer; i < count_; ++i) {
      visit(i, outer_[i % kOuter]);
    }
  }

 private:
  static constexpr std::size_t kInner = 24;
  static constexpr std::size_t kOuter = 8;

  std::array<std::uintptr_t, kInner> inner_{};
  std::array<std::uintptr_t, kOuter> outer_{};
  std::size_t count_ = 0;
};

// Returns the calls that led to the interrupted point of the calling thread, as addresses inside of
// the calls, not behind them. Async-signal-safe: it reads call frame information, which the loader
// provides without a lock, and uses frame pointers without it, for example after a call through a
// bad pointer. Fibers' stacks end at their base.
CallList ReadBacktrace(const MachineState& interrupted) noexcept;

// Writes the calls that led to the interrupted point of the calling thread, innermost first, each
// as module+offset. At the end it writes the command that converts the program's own calls to names
// and lines. Async-signal-safe.
void WriteBacktrace(RawWriter& out, const MachineState& interrupted) noexcept;

}  // namespace schedbench::platform
