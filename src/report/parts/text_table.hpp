#pragma once

#include "report/parts/terminal_style.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// Rows of cells in columns that are as wide as their widest cell.
class TextTable {
 public:
  enum class Align { kLeft, kRight };

  // `opens_group`: a vertical bar stands before the column.
  void AddColumn(std::string head, Align align, bool opens_group = false);

  // Requires: one cell per column.
  void AddRow(std::vector<std::string> cells);

  // Returns the lines, the head first and dimmed, each with an indent of two and a newline. No line ends in
  // spaces.
  std::string Render(const TerminalStyle& look) const;

 private:
  struct Column {
    std::string head;
    Align align;
    bool opens_group;
    std::size_t width;  // in characters
  };

  std::string Line(const std::vector<std::string>& cells, const TerminalStyle& look) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Returns the text with spaces before or after it, to `width` characters.
std::string Padded(std::string_view text, std::size_t width, TextTable::Align align);

}  // namespace schedbench::report
