#include "report/hypotheses/hypotheses_report.hpp"

namespace schedbench::report {

FlatTable Flattened(const HypothesesResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"hypothesis", "source", "verdict", "workload", "before", "after",
                              "mechanism ratio", "mechanism low", "mechanism high",
                              "throughput ratio", "throughput low", "throughput high", "reason"}};
  for (const harness::JudgedHypothesis& judged : result.judged) {
    std::vector<FlatCell> row{judged.hypothesis->name,           judged.hypothesis->source,
                              harness::ToText(judged.judgement), judged.plan.workloads[0].name,
                              judged.hypothesis->before,         judged.hypothesis->after};
    for (const auto* const ratio : {&judged.mechanism, &judged.throughput}) {
      AddRatio(*ratio, row);
    }
    row.emplace_back(judged.reason);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace schedbench::report
