#include "config/quote.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/text_table.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/core.h>

#include <string>

namespace schedbench::report {

std::string SuiteTable(const SweepResult& result, const TerminalStyle& style) {
  TextTable table;
  for (const harness::SweepKey& key : result.plan.keys) {
    table.AddColumn(key.name, TextTable::Align::kLeft);
  }
  table.AddColumn("", TextTable::Align::kLeft);
  std::size_t passed = 0;
  for (std::size_t cell = 0; cell < result.plan.cells.size(); ++cell) {
    std::vector<std::string> cells;
    for (std::size_t key = 0; key < result.plan.keys.size(); ++key) {
      cells.push_back(
          config::Escaped(result.plan.keys[key].values[result.plan.cells[cell].place[key]]));
    }
    const auto& spread = result.analysis.cells[cell].spread;
    passed += spread ? 1 : 0;
    cells.push_back(spread ? WithSpread(result.plan, cell, *spread, style)
                           : result.analysis.cells[cell].missing);
    table.AddRow(std::move(cells));
  }
  return "\n" + table.Render(style) +
         fmt::format("\n{} of {} passed, with every answer verified\n", passed,
                     Plural(result.plan.cells.size(), "cell"));
}

}  // namespace schedbench::report
