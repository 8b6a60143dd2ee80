#pragma once

#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The points of the previous step on which a point depends. The patterns are Task Bench's.
enum class Pattern : std::uint8_t {
  kTrivial,            // none
  kNoComm,             // its own point
  kStencil1d,          // its own point and both neighbours
  kStencil1dPeriodic,  // its own point and both neighbours, in a circle
  kDom,                // its own point and the left neighbour
  kTree,               // the point of half its number; the steps get wider, up to the width
  kFft,                // its own point, and those at a distance that doubles with each step
  kAllToAll,           // all
  kNearest,            // the nearest `radix`
  kSpread,             // `radix` at equal distances, shifted from step to step
  kRandomNearest,      // its own point, and a random half of the nearest `radix`
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
    std::uint64_t seed;  // seed of kRandomNearest
  };

  // Requires: at least one point and one step. Takes 4 bytes per dependence, 8 per task.
  explicit TaskGraph(const Shape& shape);

  // Returns the tasks of all steps. A tree has fewer tasks than PlaceCount().
  std::uint64_t TaskCount() const noexcept {
    return tasks_;
  }

  std::size_t PlaceCount() const noexcept {
    return needs_.size();
  }

  bool Exists(std::size_t task) const noexcept;

  // Returns the number of tasks on which this one depends.
  std::uint32_t Needs(std::size_t task) const noexcept {
    return needs_[task];
  }

  // Returns the tasks that depend on this one.
  std::span<const std::uint32_t> Dependents(std::size_t task) const noexcept {
    return std::span(dependents_).subspan(begins_[task], begins_[task + 1] - begins_[task]);
  }

  // Returns an upper bound of a graph's dependences, to check memory before it is made.
  static std::uint64_t MostDependences(const Shape& shape) noexcept;

 private:
  std::uint32_t PointsOf(std::uint32_t step) const noexcept;
  std::vector<std::uint32_t> PointsBefore(std::uint32_t step, std::uint32_t point) const;

  const Shape shape_;
  std::uint64_t tasks_ = 0;
  std::vector<std::uint32_t> needs_;
  std::vector<std::uint32_t> begins_;      // start of each task in dependents_, and the end
  std::vector<std::uint32_t> dependents_;  // dependents by task
};

}  // namespace schedbench::workloads
