#include "report/list/list_report.hpp"
#include "report/parts/json_parts.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

// The texts of an entry by the keys of their columns.
using Entry = std::vector<std::pair<std::string_view, std::string>>;
using EntriesByList = std::vector<std::pair<std::string_view, std::vector<Entry>>>;

EntriesByList EntriesOf(const ListResult& result) {
  EntriesByList entries;
  for (const List& list : result.lists) {
    auto& of_list = entries.emplace_back(list.name, std::vector<Entry>()).second;
    for (const std::vector<std::string>& row : list.rows) {
      Entry& entry = of_list.emplace_back();
      for (const std::string& text : row) {
        entry.emplace_back(list.columns[entry.size()].key, text);
      }
    }
  }
  return entries;
}

}  // namespace

record::Record RecordOf(const ListResult* /*type*/) {
  return ResultRecord<"list", ListResult>(
      {{record::kInline, [](const ListResult& result) { return EntriesOf(result); },
        "A list by its name: the texts of each entry, by column. Only the list that was asked for "
        "is there; without an argument all are."}});
}

}  // namespace schedbench::report
