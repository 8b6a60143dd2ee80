#include "report/parts/text_table.hpp"

#include "base/assert.hpp"
#include "config/quote.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::report {

std::string Padded(std::string_view text, std::size_t width, TextTable::Align align) {
  const std::size_t count = config::CharacterCount(text);
  const std::string space(count < width ? width - count : 0, ' ');
  return align == TextTable::Align::kLeft ? std::string(text) + space : space + std::string(text);
}

void TextTable::AddColumn(std::string head, Align align, bool opens_group) {
  const std::size_t width = config::CharacterCount(head);
  columns_.push_back(
      {.head = std::move(head), .align = align, .opens_group = opens_group, .width = width});
}

void TextTable::AddRow(std::vector<std::string> cells) {
  SB_ASSERT(cells.size() == columns_.size(), "a cell per column");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns_[i].width = std::max(columns_[i].width, config::CharacterCount(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::string TextTable::Line(const std::vector<std::string>& cells,
                            const TerminalStyle& style) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += "  ";
    if (columns_[i].opens_group) {
      line.pop_back();
      line += style.Sign("│ ", "| ");
    }
    line += Padded(cells[i], columns_[i].width, columns_[i].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string TextTable::Render(const TerminalStyle& style) const {
  std::vector<std::string> heads;
  heads.reserve(columns_.size());
  for (const Column& column : columns_) {
    heads.push_back(column.head);
  }
  std::string text = style.Dim(Line(heads, style)) + "\n";
  for (const std::vector<std::string>& row : rows_) {
    text += Line(row, style) + "\n";
  }
  return text;
}

}  // namespace schedbench::report
