#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace sim_scaling {

// Records when which core used a fiber's stack: the contents of its caches depend on it. A turn is
// a run of a fiber, up to its end or to a suspension.
class StackTurns {
 public:
  // Makes records for `stacks` stacks. Never destroyed. Not allocated by operator new, which asks
  // the machine that this is a part of.
  explicit StackTurns(std::size_t stacks)
      : stacks_(stacks),
        uses_(static_cast<Used*>(std::calloc(stacks, sizeof(Used)))) {
  }

  void Clear() noexcept {
    for (std::size_t i = 0; i < stacks_; ++i) {
      uses_[i] = {};
    }
  }

  // Starts the core's turn number `turn`, from 1, on a stack. Returns how many turns ago the core
  // used it; 0 if another core has used it since, which pays for lines that move; `turn` if no core
  // has used it.
  std::size_t Use(std::size_t stack, unsigned core, std::uint64_t turn) noexcept {
    Used& used = uses_[stack % stacks_];
    const std::size_t turns = used.turn == 0 ? turn : used.core == core ? turn - used.turn : 0;
    used = {.turn = turn, .core = core};
    return turns;
  }

 private:
  struct Used {
    std::uint64_t turn;
    unsigned core;
  };

  std::size_t stacks_;
  Used* uses_;
};

}  // namespace sim_scaling
