#include "report/parts/text_table.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"
#include "config/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace schedbench::report {

namespace {

// Least width of a last column of text: narrower lines are hard to read.
constexpr std::size_t kNarrowest = 24;

// Indent of a column below the others, if there is too little space next to them.
constexpr std::size_t kIndentBelow = 6;

}  // namespace

std::string Padded(std::string_view text, std::size_t width, Align align) {
  const std::size_t count = config::CharacterCount(text);
  const std::string space(count < width ? width - count : 0, ' ');
  return align == kLeft ? std::string(text) + space : space + std::string(text);
}

std::size_t WidestLine(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    width = std::max(width, config::CharacterCount(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return width;
}

void TextTable::AddColumns(std::initializer_list<Head> heads) {
  for (const Head& head : heads) {
    AddColumn(head.text, head.align, head.opens_group, head.loss);
  }
}

void TextTable::AddColumn(std::string head, Align align, bool opens_group, int loss) {
  const std::size_t width = config::CharacterCount(head);
  const int group = columns_.empty() ? 0 : columns_.back().group + (opens_group ? 1 : 0);
  columns_.push_back(
      {.head = std::move(head), .align = align, .group = group, .loss = loss, .width = width});
}

void TextTable::AddRow(std::vector<std::string> cells, std::string below) {
  SB_ASSERT(cells.size() == columns_.size(), "a cell per column");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns_[i].width = std::max(columns_[i].width, config::CharacterCount(cells[i]));
  }
  rows_.push_back(std::move(cells));
  below_.push_back(std::move(below));
}

std::size_t TextTable::WidthOf(const Shown& shown) const {
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool has_bar = i > 0 && columns_[shown[i]].group != columns_[shown[i - 1]].group;
    const bool may_break = i + 1 == shown.size() && columns_[shown[i]].align == kLeft;
    width +=
        (may_break ? std::min(columns_[shown[i]].width, kNarrowest) : columns_[shown[i]].width) +
        (has_bar ? 3 : 2);
  }
  return width;
}

TextTable::Shown TextTable::ColumnsFor(std::size_t width) const {
  Shown shown(columns_.size());
  std::iota(shown.begin(), shown.end(), 0U);
  while (WidthOf(shown) > width) {
    const auto least =
        std::ranges::max_element(shown, {}, [this](std::size_t i) { return columns_[i].loss; });
    if (least == shown.end() || columns_[*least].loss == kNeverLost) {
      break;
    }
    shown.erase(least);
  }
  return shown;
}

// A wide last column of text continues below its start; without room there, it has its own lines.
std::string TextTable::Line(const std::vector<std::string>& cells, const Shown& shown,
                            const TerminalStyle& style) const {
  std::string line;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Column& column = columns_[shown[i]];
    const std::string& cell = cells[shown[i]];
    line += "  ";
    if (i > 0 && column.group != columns_[shown[i - 1]].group) {
      line.pop_back();
      line += style.Sign("│ ", "| ");
    }
    const std::size_t begin = config::CharacterCount(line);
    if (i + 1 == shown.size() && column.align == kLeft && !cell.empty() &&
        begin + config::CharacterCount(cell) > style.width && style.width > kIndentBelow) {
      const bool fits_beside = begin + kNarrowest <= style.width;
      const std::string next_line = "\n" + std::string(fits_beside ? begin : kIndentBelow, ' ');
      const auto parts = config::WrapWords(cell, style.width + 1 - next_line.size());
      line.erase(fits_beside ? line.size() : line.find_last_not_of(' ') + 1);
      return line + (fits_beside ? "" : next_line) + fmt::format("{}", fmt::join(parts, next_line));
    }
    line += Padded(cell, column.width, column.align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string TextTable::Render(const TerminalStyle& style) const {
  const auto heads = VectorOf<std::string>(columns_, &Column::head);
  const Shown shown = ColumnsFor(style.width);
  std::string text = style.Dim(Line(heads, shown, style)) + "\n";
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    text += Line(rows_[row], shown, style) + "\n";
    if (!below_[row].empty()) {
      text += std::string(kIndentBelow, ' ') + below_[row] + "\n";
    }
  }
  return text;
}

}  // namespace schedbench::report
