#include "report/list/list_report.hpp"
#include "report/parts/json_parts.hpp"

#include <optional>

namespace schedbench::report {

std::string RenderJson(const ListResult& result) {
  Json root = ResultHead("list", std::nullopt);
  for (const List& list : result.lists) {
    root[std::string(list.name)] = ArrayOf(list.rows, [&](const std::vector<std::string>& row) {
      Json entry = Json::object();
      for (std::size_t i = 0; i < row.size(); ++i) {
        entry[std::string(list.columns[i].key)] = row[i];
      }
      return entry;
    });
  }
  return JsonText(root);
}

}  // namespace schedbench::report
