#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace schedbench::sim {

// Threads of a model, the main one included.
inline constexpr unsigned kMaxThreads = 8;

// For each thread, up to which of its steps something is known. Steps count from 1.
struct VectorClock {
  std::array<std::uint32_t, kMaxThreads> steps{};

  void Join(const VectorClock& other) noexcept {
    for (unsigned i = 0; i < kMaxThreads; ++i) {
      steps[i] = std::max(steps[i], other.steps[i]);
    }
  }

  // Whether one of the steps in `seen` (0: none of that thread) is known.
  bool KnowsAnyOf(const VectorClock& seen) const noexcept {
    bool any = false;
    for (unsigned i = 0; i < kMaxThreads; ++i) {
      any |= seen.steps[i] != 0 && seen.steps[i] <= steps[i];
    }
    return any;
  }
};

// What a thread knows of the others' steps, and what a release store passes on.
struct Knowledge {
  // Steps that happen before the thread's next one (C++20 [intro.races]).
  VectorClock happened;
  // These, and the steps that seq_cst fences put before it. They limit which values may be read,
  // but give no right to plain memory: a fence alone is no synchronisation.
  VectorClock ordered;

  void Join(const Knowledge& other) noexcept {
    happened.Join(other.happened);
    ordered.Join(other.ordered);
  }
};

}  // namespace schedbench::sim
