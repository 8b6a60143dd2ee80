#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"

#include <fmt/core.h>

namespace schedbench::report {

FlatTable Flattened(const HistoryResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"series", "workload", "scheduler", "metric", "unit", "reference",
                              "revision", "value", "low", "high", "blocks", "change", "change low",
                              "change high", "verdict"}};
  for (const JudgedSeries& judged : result.series) {
    const history::SeriesKey& key = judged.series.key;
    std::size_t change = 0;
    for (std::size_t i = 0; i < judged.series.values.size(); ++i) {
      const history::RevisionValue& value = judged.series.values[i];
      const harness::Spread spread = SpreadOfRevision(value);
      std::size_t blocks = 0;
      for (const auto& one : value.results) {
        blocks += one.size();
      }
      const auto number = [&](double exact) {
        return FlatCell(ExactNumber(exact), HistoryValueText(key, exact, {}));
      };
      std::vector<FlatCell> row{fmt::format("{}", judged.series.number),
                                WorkloadLabel(key),
                                SchedulerLabel(key),
                                key.metric,
                                key.unit,
                                key.reference,
                                FlatCell(value.revision.name, RevisionLabel(value.revision.name)),
                                number(spread.median),
                                number(spread.low),
                                number(spread.high),
                                fmt::format("{}", blocks)};
      const auto& found = judged.changes.found;
      if (change < found.size() && found[change].at == i) {
        AddRatio(found[change].ratio, row);
        row.emplace_back(harness::ToText(judged.verdicts[change]));
        ++change;
      } else {
        row.insert(row.end(), 4, FlatCell(""));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace schedbench::report
