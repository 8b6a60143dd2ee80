#include "report/list/list_report.hpp"

#include <algorithm>

namespace schedbench::report {

FlatTable Flattened(const ListResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"list"}};
  for (const List& list : result.lists) {
    for (const List::Column& column : list.columns) {
      if (std::ranges::find(table.columns, column.key) == table.columns.end()) {
        table.columns.emplace_back(column.key);
      }
    }
  }
  for (const List& list : result.lists) {
    for (const std::vector<std::string>& row : list.rows) {
      std::vector<FlatCell> cells(table.columns.size(), "");
      cells.front() = list.name;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto place = std::ranges::find(table.columns, list.columns[i].key);
        cells[static_cast<std::size_t>(place - table.columns.begin())] = row[i];
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

}  // namespace schedbench::report
