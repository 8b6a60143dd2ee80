#pragma once

#include "report/parts/terminal_style.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

enum class Align { kLeft, kRight };
using enum Align;

// A table with columns as wide as their widest cell. If it is wider than the terminal, it drops its
// least important columns, and then breaks the text of its last column into lines, below the other
// columns if there is no room next to them.
class TextTable {
 public:
  static constexpr int kNeverLost = 0;

  struct Head {
    std::string text;
    Align align = kLeft;
    bool opens_group = false;  // a vertical bar precedes the column
    int loss = kNeverLost;     // columns with the largest numbers are dropped first
  };

  TextTable() = default;
  TextTable(std::initializer_list<Head> heads) {
    AddColumns(heads);
  }

  void AddColumns(std::initializer_list<Head> heads);
  void AddColumn(std::string head, Align align = kLeft, bool opens_group = false,
                 int loss = kNeverLost);

  // Adds a row. Requires: one cell per column. `below`: a text for copying below the row, or "".
  void AddRow(std::vector<std::string> cells, std::string below = "");

  // Returns the lines, indented by two, without final spaces. The head is first and dimmed.
  std::string Render(const TerminalStyle& style) const;

 private:
  struct Column {
    std::string head;
    Align align;
    int group;
    int loss;
    std::size_t width;  // in characters
  };

  using Shown = std::vector<std::size_t>;  // indices of columns

  // Returns the columns that fit, as far as columns may be dropped.
  Shown ColumnsFor(std::size_t width) const;
  std::size_t WidthOf(const Shown& shown) const;
  std::string Line(const std::vector<std::string>& cells, const Shown& shown,
                   const TerminalStyle& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> below_;  // texts of each row
};

// Returns the number of characters of the longest line of a text.
std::size_t WidestLine(std::string_view text);

// Returns the text with spaces before or after it, to `width` characters.
std::string Padded(std::string_view text, std::size_t width, Align align = kLeft);

}  // namespace schedbench::report
