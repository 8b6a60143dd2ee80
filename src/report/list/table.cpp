#include "report/list/list_report.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

namespace schedbench::report {

namespace {

std::string TableOf(const List& list, const TerminalStyle& style) {
  TextTable table;
  for (const List::Column& column : list.columns) {
    table.AddColumn(std::string(column.head));
  }
  for (const std::vector<std::string>& row : list.rows) {
    table.AddRow(row);
  }
  return table.Render(style);
}

}  // namespace

std::string RenderTable(const ListResult& result, const TerminalStyle& style) {
  if (result.lists.size() == 1) {
    return TableOf(result.lists.front(), style);
  }
  std::string text;
  for (const List& list : result.lists) {
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", list.name, TableOf(list, style));
  }
  return text;
}

}  // namespace schedbench::report
