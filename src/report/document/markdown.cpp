#include "report/document/document.hpp"

namespace schedbench::report {

namespace {

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

std::string MarkdownText(const Document& document, const TerminalStyle& /*style*/) {
  const Table table = document.rows.For(kInRows);
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
