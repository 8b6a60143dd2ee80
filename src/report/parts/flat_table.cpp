#include "report/parts/flat_table.hpp"

#include "base/assert.hpp"

#include <fmt/core.h>

#include <cmath>

namespace schedbench::report {

namespace {

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string MarkdownCell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`') {
      escaped += '\\';
    }
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

}  // namespace

std::string ExactNumber(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string ExactNumber(const std::optional<double>& value) {
  return value ? ExactNumber(*value) : "";
}

FlatCell RatioCell(const std::optional<double>& ratio) {
  return ratio ? FlatCell(ExactNumber(ratio), fmt::format("{:.3g}", *ratio)) : FlatCell("");
}

void AddRatio(const std::optional<stats::RatioEstimate>& ratio, std::vector<FlatCell>& row) {
  for (const auto part :
       {&stats::RatioEstimate::ratio, &stats::RatioEstimate::low, &stats::RatioEstimate::high}) {
    row.push_back(RatioCell(ratio ? std::optional((*ratio).*part) : std::nullopt));
  }
}

void AddSpread(const std::optional<harness::Spread>& spread,
               const std::function<std::string(double)>& text_of, std::vector<FlatCell>& row) {
  for (const auto part :
       {&harness::Spread::median, &harness::Spread::low, &harness::Spread::high}) {
    row.push_back(spread ? FlatCell(ExactNumber((*spread).*part), text_of((*spread).*part))
                         : FlatCell(""));
  }
}

std::string CsvText(const FlatTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    // Keys for programs, without a blank: "ratio_low".
    std::string key = table.columns[i];
    std::ranges::replace(key, ' ', '_');
    text += (i > 0 ? "," : "") + CsvCell(key);
  }
  text += "\n";
  for (const std::vector<FlatCell>& row : table.rows) {
    SB_ASSERT(row.size() == table.columns.size(), "a cell per column");
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i > 0 ? "," : "") + CsvCell(row[i].exact);
    }
    text += "\n";
  }
  return text;
}

std::string MarkdownText(const FlatTable& table) {
  std::string text = "|";
  std::string line = "|";
  for (const std::string& column : table.columns) {
    text += " " + MarkdownCell(column) + " |";
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const std::vector<FlatCell>& row : table.rows) {
    SB_ASSERT(row.size() == table.columns.size(), "a cell per column");
    text += "|";
    for (const FlatCell& cell : row) {
      text += " " + MarkdownCell(cell.shown) + " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace schedbench::report
