#pragma once

#include <cstddef>

// Repeated tests ("looks") of a growing sample, until its interval decides something. An interval
// at a fixed level would fail more often if it were tested repeatedly (optional stopping). Each
// look has its own level, so all intervals of all looks hold at once. Pure; thread-safe.

namespace schedbench::stats {

class Looks {
 public:
  // `level`: of all looks together. Requires: 0 < level < 1.
  explicit Looks(double level)
      : level_(level) {
  }

  // Returns the level of look 0, 1, ...: look i may fail with the probability (1 - level) / 2^(i +
  // 1); the sum over all looks is 1 - level (Bonferroni).
  double LevelOf(std::size_t look) const;

  // Returns the size of the sample at this look: first the smallest sample that has an interval,
  // then half more each time (arbitrary: seldom enough for low levels, often enough to stop early).
  std::size_t SizeOf(std::size_t look) const;

  struct Look {
    std::size_t size;  // number of values: the first of the sample
    double level;
  };

  // Returns the last look at a sample that stops growing at this size: the next one, ahead of time,
  // if the sample has grown since the last one that was due; otherwise that one. Size 0: none. The
  // joint level is proven for sizes that do not depend on the values.
  Look LastOf(std::size_t size) const;

  // Returns whether a look is due at exactly this size.
  bool IsDueAt(std::size_t size) const;

 private:
  // Returns the number of looks that are due up to this size.
  std::size_t CountUpTo(std::size_t size) const;

  double level_;
};

}  // namespace schedbench::stats
