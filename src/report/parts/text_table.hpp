#pragma once

#include "report/parts/terminal_style.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// A table with columns as wide as their widest cell.
class TextTable {
 public:
  enum class Align { kLeft, kRight };

  // `opens_group`: with a vertical bar before the column.
  void AddColumn(std::string head, Align align, bool opens_group = false);

  // Requires: one cell per column.
  void AddRow(std::vector<std::string> cells);

  // Returns the lines, each with an indent of two and a newline and without spaces at its end. The head is first and dimmed.
  std::string Render(const TerminalStyle& style) const;

 private:
  struct Column {
    std::string head;
    Align align;
    bool opens_group;
    std::size_t width;  // in characters
  };

  std::string Line(const std::vector<std::string>& cells, const TerminalStyle& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Returns the text with spaces before or after it, to `width` characters.
std::string Padded(std::string_view text, std::size_t width, TextTable::Align align);

}  // namespace schedbench::report
