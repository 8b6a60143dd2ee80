#include "report/list/list_report.hpp"

#include <algorithm>

namespace schedbench::report {

namespace {

Table TableOfList(const List& list) {
  Table table;
  for (const List::Column& column : list.columns) {
    table.columns.push_back({std::string(column.head)});
  }
  for (const std::vector<std::string>& row : list.rows) {
    table.rows.emplace_back(row.begin(), row.end());
  }
  return table;
}

Table RowsOf(const ListResult& result) {
  Table table{.columns = {{"list"}}};
  for (const List& list : result.lists) {
    for (const List::Column& column : list.columns) {
      if (std::ranges::find(table.columns, column.key, &ColumnHead::name) == table.columns.end()) {
        table.columns.push_back({std::string(column.key)});
      }
    }
  }
  for (const List& list : result.lists) {
    for (const std::vector<std::string>& row : list.rows) {
      std::vector<Cell>& cells = table.rows.emplace_back(table.columns.size());
      cells.front() = list.name;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto column =
            std::ranges::find(table.columns, list.columns[i].key, &ColumnHead::name);
        cells[static_cast<std::size_t>(column - table.columns.begin())] = row[i];
      }
    }
  }
  return table;
}

}  // namespace

Document DocumentOf(const ListResult& result, const TerminalStyle& /*style*/) {
  Document document{.title = "What schedbench has", .rows = RowsOf(result)};
  for (const List& list : result.lists) {
    document.sections.push_back({.title = std::string(result.lists.size() == 1 ? "" : list.name),
                                 .table = TableOfList(list)});
  }
  return document;
}

}  // namespace schedbench::report
