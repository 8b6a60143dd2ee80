#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/document/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schedbench::report {

namespace {

// Least width of a last column of text: narrower lines are hard to read.
constexpr std::size_t kNarrowest = 24;

// Indent of a column below the others, if there is too little space next to them.
constexpr std::size_t kIndentBelow = 6;

struct ShownColumn {
  std::size_t place;  // index in the table
  const ColumnHead* head;
  int group;
  std::size_t width;  // in characters
};

std::size_t WidthOf(const std::vector<ShownColumn>& columns) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool has_bar = i > 0 && columns[i].group != columns[i - 1].group;
    const bool may_break = i + 1 == columns.size() && columns[i].head->align == kLeft;
    width +=
        (may_break ? std::min(columns[i].width, kNarrowest) : columns[i].width) + (has_bar ? 3 : 2);
  }
  return width;
}

// Returns the columns that fit, as far as columns may be dropped.
std::vector<ShownColumn> ColumnsFor(const Table& table, std::size_t width) {
  std::vector<ShownColumn> columns;
  int group = 0;
  for (const ColumnHead& head : table.columns) {
    if (!head.below) {
      const auto place = static_cast<std::size_t>(&head - table.columns.data());
      group += head.opens_group && !columns.empty() ? 1 : 0;
      columns.push_back({place, &head, group, config::CharacterCount(head.name)});
      for (const std::vector<Cell>& row : table.rows) {
        columns.back().width =
            std::max(columns.back().width, config::CharacterCount(row[place].shown));
      }
    }
  }
  while (WidthOf(columns) > width) {
    const auto least = std::ranges::max_element(
        columns, {}, [](const ShownColumn& column) { return column.head->loss; });
    if (least == columns.end() || least->head->loss == 0) {
      break;
    }
    columns.erase(least);
  }
  return columns;
}

// A wide last column of text continues below its start; without room there, it has its own lines.
std::string RowLine(const std::vector<Cell>& row, const std::vector<ShownColumn>& columns,
                    const TerminalStyle& style) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ShownColumn& column = columns[i];
    const std::string& cell = row[column.place].shown;
    line += "  ";
    if (i > 0 && column.group != columns[i - 1].group) {
      line.pop_back();
      line += style.Sign("│ ", "| ");
    }
    const std::size_t begin = config::CharacterCount(line);
    if (i + 1 == columns.size() && column.head->align == kLeft && !cell.empty() &&
        begin + config::CharacterCount(cell) > style.width && style.width > kIndentBelow) {
      const bool fits_behind = begin + kNarrowest <= style.width;
      const std::string next_line = "\n" + std::string(fits_behind ? begin : kIndentBelow, ' ');
      const auto parts = config::WrapWords(cell, style.width + 1 - next_line.size());
      line.erase(fits_behind ? line.size() : line.find_last_not_of(' ') + 1);
      return line + (fits_behind ? "" : next_line) + fmt::format("{}", fmt::join(parts, next_line));
    }
    line += Padded(cell, column.width, column.head->align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string Padded(std::string_view text, std::size_t width, Align align) {
  const std::size_t count = config::CharacterCount(text);
  const std::string space(count < width ? width - count : 0, ' ');
  return align == kLeft ? std::string(text) + space : space + std::string(text);
}

std::string TableText(const Table& table, const TerminalStyle& style, std::size_t most_rows) {
  Table shown = table.For(kInTerminal);
  if (shown.columns.empty()) {
    return "";
  }
  const std::size_t more = shown.rows.size() - std::min(shown.rows.size(), most_rows);
  shown.rows.resize(shown.rows.size() - more);
  const std::vector<ShownColumn> columns = ColumnsFor(shown, style.width);
  const auto heads = VectorOf<Cell>(shown.columns, &ColumnHead::name);
  std::string text = style.Dim(RowLine(heads, columns, style)) + "\n";
  for (const std::vector<Cell>& row : shown.rows) {
    text += RowLine(row, columns, style) + "\n";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (shown.columns[i].below && !row[i].shown.empty()) {
        text += std::string(kIndentBelow, ' ') + row[i].shown + "\n";
      }
    }
  }
  return more == 0 ? text : text + fmt::format("  {} {} more\n", style.Sign("…", "..."), more);
}

}  // namespace schedbench::report
