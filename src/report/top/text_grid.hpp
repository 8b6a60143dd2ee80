#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// The appearance of a cell.
enum class CellLook : std::uint8_t { kPlain, kBold, kDim, kBusy, kIdle, kSearching };

// A frame on a terminal: rows and columns of cells with one character each.
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

  // Writes UTF-8 text to the right, cut at the grid's edge. Returns the column after the text.
  std::size_t Put(std::size_t row, std::size_t column, std::string_view text,
                  CellLook look = CellLook::kPlain);

  // A part of a row with one appearance.
  struct Run {
    std::size_t column;
    std::string text;  // UTF-8
    CellLook look;
  };

  // Returns a whole row, from the left.
  std::vector<Run> RunsOf(std::size_t row) const;

  // Returns all rows as plain text without final blanks, each with a newline.
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
