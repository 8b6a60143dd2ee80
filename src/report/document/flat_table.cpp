#include "report/document/flat_table.hpp"

namespace schedbench::report {

namespace {

Table TableOfFlat(const FlatTable& flat) {
  Table table{.rows = flat.rows};
  for (const std::string& column : flat.columns) {
    table.columns.push_back({column});
  }
  return table;
}

}  // namespace

std::string ExactNumber(const std::optional<double>& value) {
  return value ? ExactNumber(*value) : "";
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
  return CsvText(TableOfFlat(table));
}

std::string MarkdownText(const FlatTable& table) {
  return MarkdownText(TableOfFlat(table));
}

}  // namespace schedbench::report
