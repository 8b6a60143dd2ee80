#include "report/top/text_grid.hpp"

#include <algorithm>

namespace schedbench::report {

namespace {

// Returns the bytes of the first character of a text; 1 for a byte that does not begin a character.
std::size_t LengthOfFirst(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return std::min(length, text.size());
}

// Finds control characters, which would move the cursor.
bool IsControl(std::string_view sign) {
  const auto byte = static_cast<unsigned char>(sign.front());
  return byte < 0x20 || byte == 0x7f || (byte >= 0x80 && sign.size() == 1);
}

}  // namespace

std::size_t TextGrid::Put(std::size_t row, std::size_t column, std::string_view text,
                          CellLook look) {
  while (!text.empty()) {
    const std::string_view sign = text.substr(0, LengthOfFirst(text));
    text.remove_prefix(sign.size());
    if (row < rows_ && column < columns_) {
      cells_[row * columns_ + column] = {.sign = std::string(IsControl(sign) ? "?" : sign),
                                         .look = look};
    }
    ++column;
  }
  return column;
}

std::vector<TextGrid::Run> TextGrid::RunsOf(std::size_t row) const {
  std::vector<Run> runs;
  for (std::size_t column = 0; column < columns_; ++column) {
    const Cell& cell = cells_[row * columns_ + column];
    if (runs.empty() || runs.back().look != cell.look) {
      runs.push_back({.column = column, .text = "", .look = cell.look});
    }
    runs.back().text += cell.sign;
  }
  return runs;
}

std::string TextGrid::Text() const {
  std::string text;
  for (std::size_t row = 0; row < rows_; ++row) {
    std::string line;
    for (const Run& run : RunsOf(row)) {
      line += run.text;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace schedbench::report
