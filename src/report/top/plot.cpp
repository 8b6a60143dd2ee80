#include "report/top/plot.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace schedbench::report {

namespace {

// The dots of U+2800 in a cell, from the bottom: left column, right column.
constexpr std::array<std::array<unsigned, 4>, 2> kDots{
    {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}};

std::string BrailleSign(unsigned dots) {
  // U+2800 is E2 A0 80 in UTF-8.
  return {static_cast<char>(0xe2), static_cast<char>(0xa0 + (dots >> 6U)),
          static_cast<char>(0x80 + (dots & 0x3fU))};
}

double OnScale(double value, bool logarithmic) {
  return logarithmic ? std::log1p(value) : value;
}

// Returns the height of each of the last values in dots; 0 where there is no value.
std::vector<std::size_t> Heights(const std::deque<double>& values, std::size_t count,
                                 std::size_t full, bool logarithmic) {
  std::vector<std::size_t> heights(count, 0);
  const std::size_t shown = std::min(count, values.size());
  const auto first = values.end() - static_cast<std::ptrdiff_t>(shown);
  const double most =
      shown == 0 ? 0 : OnScale(std::max(0.0, *std::max_element(first, values.end())), logarithmic);
  if (!(most > 0) || !std::isfinite(most)) {
    return heights;
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const double value = std::max(0.0, first[static_cast<std::ptrdiff_t>(i)]);
    const double share = OnScale(value, logarithmic) / most;
    const auto dots = static_cast<std::size_t>(std::lround(share * static_cast<double>(full)));
    heights[count - shown + i] = value > 0 ? std::max<std::size_t>(1, dots) : 0;
  }
  return heights;
}

}  // namespace

std::vector<std::string> Plot(const std::deque<double>& values, const PlotShape& shape) {
  const std::size_t across = shape.unicode ? 2 : 1;  // dots of a cell
  const std::size_t up = shape.unicode ? 4 : 1;
  const auto heights = Heights(values, shape.columns * across, shape.rows * up, shape.logarithmic);
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const std::size_t below = (shape.rows - 1 - row) * up;
    std::string text;
    for (std::size_t column = 0; column < shape.columns; ++column) {
      unsigned dots = 0;
      for (std::size_t x = 0; x < across; ++x) {
        for (std::size_t y = 0; y < up; ++y) {
          dots |= heights[column * across + x] > below + y ? kDots[x][y] : 0;
        }
      }
      text += dots == 0 ? " " : shape.unicode ? BrailleSign(dots) : "#";
    }
    rows.push_back(std::move(text));
  }
  return rows;
}

std::string DoublingBar(std::uint64_t count, std::size_t cells, bool unicode) {
  const std::size_t length = std::min<std::size_t>(cells, std::bit_width(count));
  std::string bar;
  for (std::size_t i = 0; i < length; ++i) {
    bar += unicode ? "█" : "#";
  }
  return bar;
}

}  // namespace schedbench::report
