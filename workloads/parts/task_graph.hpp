#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// On which points of the step before a point of a task graph depends. The patterns are those of Task Bench.
enum class Pattern : std::uint8_t {
  kTrivial,            // none
  kNoComm,             // the same
  kStencil1d,          // the same and both neighbours
  kStencil1dPeriodic,  // likewise, in a circle
  kDom,                // the same and the left neighbour
  kTree,               // half its number; the steps get wider, up to the width
  kFft,                // the same, and those at a distance that doubles from step to step
  kAllToAll,           // all
  kNearest,            // the nearest `radix`
  kSpread,             // `radix` at equal distances, shifted from step to step
  kRandomNearest,      // the same, and a random half of the nearest `radix`
};

constexpr std::array<std::string_view, 11> NamesOf(Pattern) {
  return {"trivial",    "no_comm", "stencil_1d", "stencil_1d_periodic", "dom", "tree", "fft",
          "all_to_all", "nearest", "spread",     "random_nearest"};
}

// Tasks in steps. Task `t * width + i` is point i of step t. Immutable.
class TaskGraph {
 public:
  struct Shape {
    Pattern pattern;
    std::uint32_t width;
    std::uint32_t steps;
    std::uint32_t radix;
    std::uint64_t seed;  // of kRandomNearest
  };

  // Requires: at least one point and one step. Memory: 4 bytes for each dependence, 8 for each task.
  explicit TaskGraph(const Shape& shape);

  // Of all steps. A tree has fewer tasks than places.
  std::uint64_t TaskCount() const noexcept {
    return tasks_;
  }

  std::size_t PlaceCount() const noexcept {
    return needs_.size();
  }

  bool Exists(std::size_t task) const noexcept;

  // On how many tasks this one depends.
  std::uint32_t Needs(std::size_t task) const noexcept {
    return needs_[task];
  }

  // The tasks that depend on this one.
  std::span<const std::uint32_t> Dependents(std::size_t task) const noexcept {
    return std::span(dependents_).subspan(begins_[task], begins_[task + 1] - begins_[task]);
  }

  // Returns how many dependences a graph of this shape has at most: for a check of memory before it is made.
  static std::uint64_t MostDependences(const Shape& shape) noexcept;

 private:
  std::uint32_t PointsOf(std::uint32_t step) const noexcept;
  std::vector<std::uint32_t> PointsBefore(std::uint32_t step, std::uint32_t point) const;

  const Shape shape_;
  std::uint64_t tasks_ = 0;
  std::vector<std::uint32_t> needs_;
  std::vector<std::uint32_t> begins_;      // of each task in dependents_, and the end
  std::vector<std::uint32_t> dependents_;  // by task
};

}  // namespace schedbench::workloads
