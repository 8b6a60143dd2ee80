#include "report/bisect/bisect_report.hpp"

#include <fmt/core.h>

namespace schedbench::report {

FlatTable Flattened(const BisectResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"candidate", "nearer", "blocks", "to good", "to good low",
                              "to good high", "to bad", "to bad low", "to bad high", "failure"}};
  for (const BisectResult::Tested& one : result.tested) {
    std::vector<FlatCell> row{one.name, history::ToText(one.step.nearer),
                              fmt::format("{}", one.step.blocks)};
    for (const auto* const ratio : {&one.step.to_good, &one.step.to_bad}) {
      AddRatio(*ratio, row);
    }
    row.emplace_back(one.step.failure);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace schedbench::report
