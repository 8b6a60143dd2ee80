#include "report/document/table.hpp"

#include "base/assert.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace schedbench::report {

namespace {

// Keys for programs, without blanks and points: "ratio_low", "latency_p99_9_ns".
std::string CsvKey(const ColumnHead& column) {
  std::string key = column.unit.empty() ? column.name : column.name + "_" + column.unit;
  std::ranges::replace_if(
      key,
      [](char c) {
        return c == ' ' || c == '.';
      },
      '_');
  return key;
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string MarkdownField(const std::string& text) {
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

Cell NumberCell(const std::optional<double>& value,
                const std::function<std::string(double)>& text_of) {
  return value && std::isfinite(*value) ? Cell(ExactNumber(*value), text_of(*value)) : Cell();
}

Cell RatioCell(const std::optional<double>& ratio) {
  return NumberCell(ratio, [](double value) {
    return fmt::format("{:.3g}", value);
  });
}

Cell TimeCell(const std::optional<double>& ns, const TerminalStyle& style) {
  return NumberCell(ns, [&style](double value) {
    return Duration(value, style);
  });
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

std::string CsvText(const Table& all) {
  const Table table = all.For(kInRows);
  std::string text;
  for (const ColumnHead& column : table.columns) {
    text += (&column == table.columns.data() ? "" : ",") + CsvField(CsvKey(column));
  }
  text += "\n";
  for (const std::vector<Cell>& row : table.rows) {
    for (const Cell& cell : row) {
      text += (&cell == row.data() ? "" : ",") + CsvField(cell.exact);
    }
    text += "\n";
  }
  return text;
}

std::string MarkdownText(const Table& all) {
  const Table table = all.For(kInRows);
  std::string text = "|";
  std::string line = "|";
  for (const ColumnHead& column : table.columns) {
    text += " " + MarkdownField(column.name) + " |";
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const std::vector<Cell>& row : table.rows) {
    text += "|";
    for (const Cell& cell : row) {
      text += " " + MarkdownField(cell.shown) + " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace schedbench::report
