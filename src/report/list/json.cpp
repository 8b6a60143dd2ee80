#include "harness/result.hpp"
#include "report/list/list_report.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace schedbench::report {

std::string RenderListJson(const ListResult& result, const TerminalStyle& /*style*/) {
  using nlohmann::ordered_json;
  ordered_json root{{"schema_version", harness::kSchemaVersion}, {"kind", "list"}};
  for (const List& list : result.lists) {
    ordered_json entries = ordered_json::array();
    for (const std::vector<std::string>& row : list.rows) {
      ordered_json entry = ordered_json::object();
      for (std::size_t i = 0; i < row.size(); ++i) {
        entry[std::string(list.columns[i].key)] = row[i];
      }
      entries.push_back(std::move(entry));
    }
    root[std::string(list.name)] = std::move(entries);
  }
  return JsonText(root);
}

}  // namespace schedbench::report
