#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// How a cell looks.
enum class CellLook : std::uint8_t { kPlain, kBold, kDim, kBusy, kIdle, kSearching };

// Signs in rows and columns, one sign a cell: a frame on a terminal.
class TextGrid {
 public:
  TextGrid(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        cells_(rows * columns) {
  }

  std::size_t Rows() const {
    return rows_;
  }
  std::size_t Columns() const {
    return columns_;
  }

  // Writes UTF-8 text from a place to the right. What is outside of the grid is cut off. Returns the column after the text.
  std::size_t Put(std::size_t row, std::size_t column, std::string_view text,
                  CellLook look = CellLook::kPlain);

  // A part of a row that looks the same.
  struct Run {
    std::size_t column;
    std::string text;  // UTF-8
    CellLook look;
  };

  // Returns a whole row, from the left.
  std::vector<Run> RunsOf(std::size_t row) const;

  // Returns all rows without the blanks at their ends, each with a newline. Without looks.
  std::string Text() const;

 private:
  struct Cell {
    std::string sign{" "};
    CellLook look = CellLook::kPlain;
  };

  std::size_t rows_;
  std::size_t columns_;
  std::vector<Cell> cells_;
};

}  // namespace schedbench::report
