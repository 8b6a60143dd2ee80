#include "workloads/parts/task_graph.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace schedbench::workloads {

namespace {

using Points = std::vector<std::uint32_t>;

// Returns the points from `low` to `high` that exist in a step of `count` points.
Points Range(std::int64_t low, std::int64_t high, std::uint32_t count) {
  Points points;
  for (std::int64_t point = std::max<std::int64_t>(low, 0);
       point <= std::min<std::int64_t>(high, std::int64_t{count} - 1); ++point) {
    points.push_back(static_cast<std::uint32_t>(point));
  }
  return points;
}

// Returns each point once.
Points Unique(Points points) {
  std::ranges::sort(points);
  const auto [first, last] = std::ranges::unique(points);
  points.erase(first, last);
  return points;
}

}  // namespace

TaskGraph::TaskGraph(const Shape& shape)
    : shape_(shape),
      needs_(std::size_t{shape.width} * shape.steps) {
  const auto for_each_edge = [&](auto visit) {
    for (std::uint32_t step = 1; step < shape_.steps; ++step) {
      for (std::uint32_t point = 0; point < PointsOf(step); ++point) {
        for (const std::uint32_t from : PointsBefore(step, point)) {
          visit(std::size_t{step - 1} * shape_.width + from,
                static_cast<std::uint32_t>(std::size_t{step} * shape_.width + point));
        }
      }
    }
  };
  for (std::uint32_t step = 0; step < shape_.steps; ++step) {
    tasks_ += PointsOf(step);
  }
  begins_.assign(needs_.size() + 1, 0);
  for_each_edge([this](std::size_t from, std::uint32_t to) {
    ++begins_[from + 1];
    ++needs_[to];
  });
  for (std::size_t i = 1; i < begins_.size(); ++i) {
    begins_[i] += begins_[i - 1];
  }
  dependents_.resize(begins_.back());
  std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
  for_each_edge([&](std::size_t from, std::uint32_t to) { dependents_[next[from]++] = to; });
}

bool TaskGraph::Exists(std::size_t task) const noexcept {
  return task % shape_.width < PointsOf(static_cast<std::uint32_t>(task / shape_.width));
}

std::uint64_t TaskGraph::MostDependences(const Shape& shape) noexcept {
  const std::uint64_t tasks = std::uint64_t{shape.width} * shape.steps;
  switch (shape.pattern) {
    case Pattern::kAllToAll:
      return tasks * shape.width;
    case Pattern::kNearest:
    case Pattern::kSpread:
    case Pattern::kRandomNearest:
      return tasks * (std::uint64_t{std::min(shape.radix, shape.width)} + 1);
    default:
      return tasks * 3;
  }
}

std::uint32_t TaskGraph::PointsOf(std::uint32_t step) const noexcept {
  if (shape_.pattern != Pattern::kTree || step >= 31) {
    return shape_.width;
  }
  return std::min(shape_.width, std::uint32_t{1} << step);
}

std::vector<std::uint32_t> TaskGraph::PointsBefore(std::uint32_t step, std::uint32_t point) const {
  const std::uint32_t width = shape_.width;
  const auto here = std::int64_t{point};
  const std::int64_t half = shape_.radix / 2;
  switch (shape_.pattern) {
    case Pattern::kTrivial:
      return {};
    case Pattern::kNoComm:
      return {point};
    case Pattern::kStencil1d:
      return Range(here - 1, here + 1, width);
    case Pattern::kStencil1dPeriodic:
      return Unique({(point + width - 1) % width, point, (point + 1) % width});
    case Pattern::kDom:
      return Range(here - 1, here, width);
    case Pattern::kTree: {
      const bool widens = PointsOf(step) > PointsOf(step - 1);
      return {widens ? point / 2 : point};
    }
    case Pattern::kFft: {
      const auto stages = std::max(1U, static_cast<std::uint32_t>(std::bit_width(width)) - 1);
      const std::int64_t distance = std::int64_t{1} << ((step - 1) % stages);
      Points points{point};
      for (const std::int64_t other : {here - distance, here + distance}) {
        if (other >= 0 && other < width) {
          points.push_back(static_cast<std::uint32_t>(other));
        }
      }
      return points;
    }
    case Pattern::kAllToAll:
      return Range(0, width - 1, width);
    case Pattern::kNearest:
      return Range(here - half, here - half + shape_.radix - 1, width);
    case Pattern::kSpread: {
      Points points;
      for (std::uint32_t i = 0; i < std::min(shape_.radix, width); ++i) {
        const std::uint64_t offset = std::uint64_t{i} * width / shape_.radix + (i > 0 ? step : 0);
        points.push_back(static_cast<std::uint32_t>((point + offset) % width));
      }
      return Unique(std::move(points));
    }
    case Pattern::kRandomNearest: {
      Points points = Range(here - half, here - half + shape_.radix - 1, width);
      std::erase_if(points, [&](std::uint32_t other) {
        return other != point &&
               MixSeed(MixSeed(shape_.seed + step) + std::uint64_t{point} * shape_.width + other) %
                       2 ==
                   0;
      });
      return points;
    }
  }
  return {};
}

}  // namespace schedbench::workloads
