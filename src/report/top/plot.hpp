#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace schedbench::report {

// The form of a plot.
struct PlotShape {
  std::size_t rows = 4;
  std::size_t columns = 38;
  bool logarithmic = false;
  bool unicode = true;  // false: # instead of Braille, and a quarter of the detail
};

// Draws the last values as columns from the bottom, the newest at the right edge; the highest value
// fills the height. Braille has two values and four steps in a cell. A value above 0 has at least
// one dot. Returns the rows, from the top, in UTF-8. Pure.
std::vector<std::string> Plot(const std::deque<double>& values, const PlotShape& shape);

// Draws a count as at most `cells` cells, one for each doubling: 1 is one cell and 255 are eight.
std::string DoublingBar(std::uint64_t count, std::size_t cells, bool unicode);

}  // namespace schedbench::report
