#include "report/document/document.hpp"

#include <algorithm>

namespace schedbench::report {

namespace {

// Returns a key for programs, without spaces and dots: "ratio_low", "latency_p99_9_ns".
std::string CsvKey(const ColumnHead& column) {
  std::string key = column.unit.empty() ? column.name : column.name + "_" + column.unit;
  std::ranges::replace_if(key, [](char c) { return c == ' ' || c == '.'; }, '_');
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

}  // namespace

std::string CsvText(const Document& document, const TerminalStyle& /*style*/) {
  const Table table = document.rows.For(kInRows);
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

}  // namespace schedbench::report
