#pragma once

#include <cstddef>
#include <vector>

// Ranks candidates by several objectives at once. Pure functions; thread-safe.

namespace schedbench::harness {

// The scores of a candidate by objective; less is better. All candidates have equally many.
using Scores = std::vector<double>;

struct Ranked {
  std::size_t place;  // index in `scores`
  std::size_t front;  // 0: no candidate dominates it; 1: only those of front 0 do, ...
};

// Returns the candidates, the best first: by front, and within a front by crowding distance, the
// most different neighbours first (K. Deb et al., NSGA-II, 2002). With one objective: by score.
std::vector<Ranked> BestFirst(const std::vector<Scores>& scores);

}  // namespace schedbench::harness
