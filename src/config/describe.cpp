#include "config/describe.hpp"

#include "config/quote.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace schedbench::config {

namespace {

// Field, default, range and doc.
using Row = std::array<std::string, 4>;

void AddRows(const Schema& schema, const std::string& prefix, std::vector<Row>& rows) {
  for (const FieldInfo& field : schema.Fields()) {
    const std::string path = prefix + std::string(field.name);
    const std::string doc(field.doc);
    if (field.kind == Kind::kGroup) {
      rows.push_back({path, "", "", doc});
      AddRows(*field.group, path + ".", rows);
    } else {
      rows.push_back({path, ToText(field.default_value), field.Allowed(), doc});
    }
  }
}

std::vector<Row> Rows(const Schema& schema) {
  std::vector<Row> rows;
  AddRows(schema, "", rows);
  return rows;
}

bool HasPowerOfTwo(const Schema& schema) {
  return std::any_of(schema.Leaves().begin(), schema.Leaves().end(),
                     [](const Leaf& leaf) { return leaf.field->power_of_two; });
}

std::string MarkdownCell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    cell += c == '|' ? "\\|" : std::string(1, c);
  }
  return cell;
}

std::string MarkdownCode(std::string_view text) {
  return text.empty() ? "" : fmt::format("`{}`", MarkdownCell(text));
}

}  // namespace

std::string DescribeAsText(const Schema& schema, std::size_t width, std::string_view head) {
  std::vector<Row> rows = Rows(schema);
  if (rows.empty()) {
    return "";
  }
  rows.insert(rows.begin(), {std::string(head), "default", "range", "doc"});
  std::array<std::size_t, 3> widths{};  // the last column is not padded
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], CharacterCount(row[i]));
    }
  }
  constexpr std::size_t kNarrowest = 20;  // lines below this width are hard to read
  // Indent of a doc below its field, if there is too little room next to it.
  constexpr std::size_t kIndentBelow = 6;
  const std::size_t beside = widths[0] + widths[1] + widths[2] + 8;
  const bool has_room = width > beside + kNarrowest;
  const std::string next_line = "\n" + std::string(has_room ? beside : kIndentBelow, ' ');
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      line += fmt::format("  {}{:{}}", row[i], "", widths[i] - CharacterCount(row[i]));
    }
    if (has_room || beside + CharacterCount(row.back()) <= width) {
      line += "  ";
    } else {
      line.erase(line.find_last_not_of(' ') + 1);
      line += next_line;
    }
    const auto lines = WrapWords(row.back(), width - std::min(width, next_line.size() - 1));
    text += fmt::format("{}{}\n", line, fmt::join(lines, next_line));
  }
  if (HasPowerOfTwo(schema)) {
    text += "  ^2: a power of two\n";
  }
  return text;
}

std::string DescribeAsMarkdown(const Schema& schema) {
  const std::vector<Row> rows = Rows(schema);
  if (rows.empty()) {
    return "";
  }
  std::string text = "| Field | Default | Range | Meaning |\n|---|---|---|---|\n";
  for (const auto& [path, fallback, range, doc] : rows) {
    text += fmt::format("| {} | {} | {} | {} |\n", MarkdownCode(path), MarkdownCode(fallback),
                        MarkdownCode(range), MarkdownCell(doc));
  }
  if (HasPowerOfTwo(schema)) {
    text += "\n`^2`: a power of two.\n";
  }
  return text;
}

}  // namespace schedbench::config
