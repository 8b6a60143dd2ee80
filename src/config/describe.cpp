#include "config/describe.hpp"

#include "config/quote.hpp"
#include "config/wrap.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace schedbench::config {

namespace {

// field, default, range, doc
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
  return std::any_of(schema.Leaves().begin(), schema.Leaves().end(), [](const Leaf& leaf) {
    return leaf.field->power_of_two;
  });
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

std::string DescribeAsText(const Schema& schema, std::size_t width) {
  std::vector<Row> rows = Rows(schema);
  if (rows.empty()) {
    return "";
  }
  rows.insert(rows.begin(), {"field", "default", "range", "doc"});
  std::array<std::size_t, 3> widths{};  // the last column is not padded
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], CharacterCount(row[i]));
    }
  }
  constexpr std::size_t kNarrowest = 20;  // below that, broken lines are hard to read
  constexpr std::size_t kUnlimited = 1'000'000;
  const std::size_t indent = widths[0] + widths[1] + widths[2] + 8;
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += fmt::format("  {}{:{}}", row[i], "", widths[i] - CharacterCount(row[i]));
    }
    const std::vector<std::string> lines =
        WrapWords(row.back(), width > indent + kNarrowest ? width - indent : kUnlimited);
    text += fmt::format("  {}\n", fmt::join(lines, "\n" + std::string(indent, ' ')));
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
