#include "report/document/table.hpp"

#include "base/assert.hpp"

#include <fmt/core.h>

#include <cmath>

namespace schedbench::report {

std::string ExactNumber(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

Cell NumberCell(const std::optional<double>& value,
                const std::function<std::string(double)>& text_of) {
  return value && std::isfinite(*value) ? Cell(ExactNumber(*value), text_of(*value)) : Cell();
}

Cell RatioCell(const std::optional<double>& ratio) {
  return NumberCell(ratio, [](double value) { return fmt::format("{:.3g}", value); });
}

Cell TimeCell(const std::optional<double>& ns, const TerminalStyle& style) {
  return NumberCell(ns, [&style](double value) { return Duration(value, style); });
}

Cell ShareCell(const std::optional<double>& share) {
  return NumberCell(share, &Percent);
}

Cell CountCell(std::uint64_t count) {
  return {std::to_string(count), Count(count)};
}

Cell FlagCell(bool flag) {
  return flag ? "yes" : "no";
}

Table Table::For(Media media) const {
  Table table;
  table.rows.resize(rows.size());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if ((columns[column].media & media) != 0) {
      table.columns.push_back(columns[column]);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        SB_ASSERT(rows[row].size() == columns.size(), "a cell for each column");
        table.rows[row].push_back(rows[row][column]);
      }
    }
  }
  return table;
}

}  // namespace schedbench::report
